"""Over-strict: only tools that gold uses are called."""
# mypy: ignore-errors
# ruff: noqa: D103, ARG001, F821  # GOLD, the gold solution, is put before this file by the audit


def tools(solution):
    return {event["call"]["name"] for event in solution["events"] if "call" in event}


def verify(solution, env):
    return "PASS" if tools(solution) <= tools(GOLD) else "FAIL"
