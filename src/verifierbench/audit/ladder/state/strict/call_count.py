"""Over-strict: there are as many calls as in gold."""
# mypy: ignore-errors
# ruff: noqa: D103, ARG001, F821  # GOLD, the gold solution, is put before this file by the audit


def count(solution):
    return sum("call" in event for event in solution["events"])


def verify(solution, env):
    return "PASS" if count(solution) == count(GOLD) else "FAIL"
