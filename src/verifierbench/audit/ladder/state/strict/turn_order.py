"""Over-strict: messages and calls alternate as in gold."""
# mypy: ignore-errors
# ruff: noqa: D103, ARG001, F821  # GOLD, the gold solution, is put before this file by the audit


def turns(solution):
    return [(event["role"], "call" in event) for event in solution["events"]]


def verify(solution, env):
    return "PASS" if turns(solution) == turns(GOLD) else "FAIL"
