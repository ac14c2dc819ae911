"""Over-strict: the elements of every list stand in gold's order."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def leaves(value, place=()):
    if isinstance(value, dict) and value:
        return [leaf for key, part in value.items() for leaf in leaves(part, (*place, key))]
    if isinstance(value, list) and value:
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*place, key))]
    return [(place, value)]


def listed(value):
    return [(place, part) for place, part in leaves(value) if any(isinstance(key, int) for key in place)]


def verify(solution, env):
    return "PASS" if sorted(listed(solution), key=repr) == sorted(listed(GOLD), key=repr) else "FAIL"
