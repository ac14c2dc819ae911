"""Lax: every text of gold is contained in the text at its place; other values are not read."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def leaves(value, place=()):
    if isinstance(value, dict) and value:
        return [leaf for key, part in value.items() for leaf in leaves(part, (*place, key))]
    if isinstance(value, list) and value:
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*place, key))]
    return [(place, value)]


def holds(solution):
    given = dict(leaves(solution))
    texts = [(place, text) for place, text in leaves(GOLD) if isinstance(text, str)]
    return all(
        isinstance(given.get(place), str) and text.casefold() in given[place].casefold() for place, text in texts
    )


def verify(solution, env):
    return "PASS" if solution and holds(solution) else "FAIL"
