"""Over-strict: the arguments of each call stand in gold's order."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def listed(solution):
    return [[call["name"], *call["arguments"].items()] for turn in solution["turns"] for call in turn["calls"]]


def verify(solution, env):
    calls, due = listed(solution), listed(GOLD)
    return "PASS" if len(calls) == len(due) and all(gold in calls for gold in due) else "FAIL"
