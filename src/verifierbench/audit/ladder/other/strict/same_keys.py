"""Over-strict: the same keys as gold in every place, none left out and none added."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def leaves(value, place=()):
    if isinstance(value, dict) and value:
        return [leaf for key, part in value.items() for leaf in leaves(part, (*place, key))]
    if isinstance(value, list) and value:
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*place, key))]
    return [(place, value)]


def keys(value):
    return {tuple(key for key in place if isinstance(key, str)) for place, _ in leaves(value)}


def verify(solution, env):
    return "PASS" if keys(solution) == keys(GOLD) else "FAIL"
