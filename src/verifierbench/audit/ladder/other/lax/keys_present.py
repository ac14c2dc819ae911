"""Lax: every key of gold is there; what stands under it is not looked at."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def keys(value):
    if isinstance(value, dict):
        return set(value).union(*map(keys, value.values()))
    return set().union(*map(keys, value)) if isinstance(value, list) else set()


def verify(solution, env):
    return "PASS" if keys(GOLD) <= keys(solution) else "FAIL"
