"""Over-strict: every value has gold's very type, 5 and 5.0 apart."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def leaves(value, place=()):
    if isinstance(value, dict) and value:
        return [leaf for key, part in value.items() for leaf in leaves(part, (*place, key))]
    if isinstance(value, list) and value:
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*place, key))]
    return [(place, value)]


def types(value):
    return sorted((str(place), type(part).__name__) for place, part in leaves(value))


def verify(solution, env):
    return "PASS" if types(solution) == types(GOLD) else "FAIL"
