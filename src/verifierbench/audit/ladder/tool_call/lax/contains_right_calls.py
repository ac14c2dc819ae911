"""Lax: every due call is among the calls made; what is called besides does not matter."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    calls = solution["turns"][0]["calls"]
    return "PASS" if all(gold in calls for gold in GOLD["turns"][0]["calls"]) else "FAIL"
