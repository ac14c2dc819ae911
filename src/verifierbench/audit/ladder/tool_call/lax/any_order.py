"""Lax: the due calls are made and no others, in whatever order; equality is Python's."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    calls, due = solution["turns"][0]["calls"], GOLD["turns"][0]["calls"]
    return "PASS" if len(calls) == len(due) and all(gold in calls for gold in due) else "FAIL"
