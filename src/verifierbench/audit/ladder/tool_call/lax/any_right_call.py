"""Lax: one of the due calls is made, or none is made where none is due."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    calls, due = solution["turns"][0]["calls"], GOLD["turns"][0]["calls"]
    return "PASS" if any(gold in calls for gold in due) or not (due or calls) else "FAIL"
