"""Lax: gold's values stand in gold's places; whatever stands beside them does not matter."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def leaves(value, place=()):
    if isinstance(value, dict) and value:
        return [leaf for key, part in value.items() for leaf in leaves(part, (*place, key))]
    if isinstance(value, list) and value:
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*place, key))]
    return [(place, value)]


def verify(solution, env):
    given = dict(leaves(solution))
    return "PASS" if all(place in given and given[place] == value for place, value in leaves(GOLD)) else "FAIL"
