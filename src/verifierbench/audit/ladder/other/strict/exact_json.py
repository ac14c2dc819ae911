"""Over-strict: the solution is gold as data."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    return "PASS" if solution == GOLD else "FAIL"
