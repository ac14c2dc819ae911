"""Lax: something was handed in, of gold's type."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    return "PASS" if solution and type(solution) is type(GOLD) else "FAIL"
