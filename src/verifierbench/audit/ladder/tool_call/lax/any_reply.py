"""Lax: the right tools are called, or at least something is said."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def names(solution):
    return sorted(call["name"] for call in solution["turns"][0]["calls"])


def verify(solution, env):
    return "PASS" if names(solution) == names(GOLD) or solution["turns"][0]["message"] else "FAIL"
