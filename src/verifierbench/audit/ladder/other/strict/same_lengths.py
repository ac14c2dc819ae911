"""Over-strict: every list and every text is as long as gold's."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def leaves(value, place=()):
    if isinstance(value, dict) and value:
        return [leaf for key, part in value.items() for leaf in leaves(part, (*place, key))]
    if isinstance(value, list) and value:
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*place, key))]
    return [(place, value)]


def lengths(value):
    return sorted((len(place), len(part) if isinstance(part, str) else 0) for place, part in leaves(value))


def verify(solution, env):
    return "PASS" if lengths(solution) == lengths(GOLD) else "FAIL"
