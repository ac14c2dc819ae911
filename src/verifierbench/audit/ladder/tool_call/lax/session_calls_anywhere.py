"""Lax: every call of gold is made in some turn; what else is called, and when, is not asked."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    calls = [call for turn in solution["turns"] for call in turn["calls"]]
    return "PASS" if all(call in calls for turn in GOLD["turns"] for call in turn["calls"]) else "FAIL"
