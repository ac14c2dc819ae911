"""Lax: the first turn makes as many calls as are due, whatever they are."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    return "PASS" if len(solution["turns"][0]["calls"]) == len(GOLD["turns"][0]["calls"]) else "FAIL"
