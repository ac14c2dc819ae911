"""Lax: numbers may be off by a tenth, texts are not read."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def leaves(value, place=()):
    if isinstance(value, dict) and value:
        return [leaf for key, part in value.items() for leaf in leaves(part, (*place, key))]
    if isinstance(value, list) and value:
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*place, key))]
    return [(place, value)]


def number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def near(value, right):
    return (number(value) and abs(value - right) <= abs(right) / 10) if number(right) else type(value) is type(right)


def fits(solution):
    given = dict(leaves(solution))
    return all(place in given and near(given[place], value) for place, value in leaves(GOLD))


def verify(solution, env):
    return "PASS" if fits(solution) else "FAIL"
