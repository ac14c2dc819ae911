"""Over-strict: every message of the assistant before its last one is gold's."""
# mypy: ignore-errors
# ruff: noqa: D103, ARG001, F821  # GOLD, the gold solution, is put before this file by the audit


def asked(solution):
    return [e["message"] for e in solution["events"] if "message" in e and e["role"] == "assistant"][:-1]


def verify(solution, env):
    return "PASS" if asked(solution) == asked(GOLD) else "FAIL"
