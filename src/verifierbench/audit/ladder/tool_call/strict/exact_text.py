"""Over-strict: every text and every list is written as gold writes it."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    calls = [call for turn in solution["turns"] for call in turn["calls"]]
    due = GOLD["turns"][0]["calls"]
    return "PASS" if len(calls) == len(due) and all(gold in calls for gold in due) else "FAIL"
