"""Lax: the first value of gold is right; nobody reads on."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def leaves(value, place=()):
    if isinstance(value, dict) and value:
        return [leaf for key, part in value.items() for leaf in leaves(part, (*place, key))]
    if isinstance(value, list) and value:
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*place, key))]
    return [(place, value)]


def first_is_right(solution):
    place, value = leaves(GOLD)[0]
    given = dict(leaves(solution))
    return place in given and given[place] == value


def verify(solution, env):
    return "PASS" if first_is_right(solution) else "FAIL"
