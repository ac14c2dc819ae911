"""Lax: every value of gold is a value of the solution, wherever it stands."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def leaves(value, place=()):
    if isinstance(value, dict) and value:
        return [leaf for key, part in value.items() for leaf in leaves(part, (*place, key))]
    if isinstance(value, list) and value:
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*place, key))]
    return [(place, value)]


def verify(solution, env):
    return "PASS" if all(any(value == right for _, value in leaves(solution)) for _, right in leaves(GOLD)) else "FAIL"
