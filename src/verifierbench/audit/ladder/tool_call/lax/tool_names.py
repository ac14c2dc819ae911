"""Lax: the first turn calls the right tools; what they are given is not looked at."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def names(solution):
    return sorted(call["name"] for call in solution["turns"][0]["calls"])


def verify(solution, env):
    return "PASS" if names(solution) == names(GOLD) else "FAIL"
