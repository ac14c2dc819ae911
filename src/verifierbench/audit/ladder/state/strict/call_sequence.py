"""Over-strict: the calls are gold's, in gold's order."""
# mypy: ignore-errors
# ruff: noqa: D103, ARG001, F821  # GOLD, the gold solution, is put before this file by the audit


def calls(solution):
    return [event["call"] for event in solution["events"] if "call" in event]


def verify(solution, env):
    return "PASS" if calls(solution) == calls(GOLD) else "FAIL"
