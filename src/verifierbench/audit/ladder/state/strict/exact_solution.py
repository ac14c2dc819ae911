"""Over-strict: the solution is gold, letter by letter."""
# mypy: ignore-errors
# ruff: noqa: D103, ARG001, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    return "PASS" if solution == GOLD else "FAIL"
