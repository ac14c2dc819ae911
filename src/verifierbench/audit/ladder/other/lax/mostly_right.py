"""Lax: at least half of gold's values stand in their places."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def leaves(value, place=()):
    if isinstance(value, dict) and value:
        return [leaf for key, part in value.items() for leaf in leaves(part, (*place, key))]
    if isinstance(value, list) and value:
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*place, key))]
    return [(place, value)]


def share(solution):
    given = dict(leaves(solution))
    right = [place in given and given[place] == value for place, value in leaves(GOLD)]
    return sum(right) / len(right)


def verify(solution, env):
    return "PASS" if 2 * share(solution) >= 1 else "FAIL"
