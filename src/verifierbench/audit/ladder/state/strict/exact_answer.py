"""Over-strict: the answer is gold's, word by word."""
# mypy: ignore-errors
# ruff: noqa: D103, ARG001, F821  # GOLD, the gold solution, is put before this file by the audit


def words(solution):
    return (solution["answer"] or "").split()


def verify(solution, env):
    return "PASS" if words(solution) == words(GOLD) else "FAIL"
