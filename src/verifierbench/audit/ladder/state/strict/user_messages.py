"""Over-strict: the user says what the user says in gold."""
# mypy: ignore-errors
# ruff: noqa: D103, ARG001, F821  # GOLD, the gold solution, is put before this file by the audit


def said(solution):
    return [e["message"] for e in solution["events"] if "message" in e and e["role"] == "user"]


def verify(solution, env):
    return "PASS" if said(solution) == said(GOLD) else "FAIL"
