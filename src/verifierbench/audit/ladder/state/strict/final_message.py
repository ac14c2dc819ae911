"""Over-strict: the assistant's last message is gold's, word by word."""
# mypy: ignore-errors
# ruff: noqa: D103, ARG001, F821  # GOLD, the gold solution, is put before this file by the audit


def last(solution):
    return [e["message"] for e in solution["events"] if "message" in e and e["role"] == "assistant"][-1:]


def verify(solution, env):
    return "PASS" if last(solution) == last(GOLD) else "FAIL"
