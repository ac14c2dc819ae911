"""Over-strict: every text stands as gold writes it."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def leaves(value, place=()):
    if isinstance(value, dict) and value:
        return [leaf for key, part in value.items() for leaf in leaves(part, (*place, key))]
    if isinstance(value, list) and value:
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*place, key))]
    return [(place, value)]


def texts(value):
    return sorted(part for _, part in leaves(value) if isinstance(part, str))


def verify(solution, env):
    return "PASS" if texts(solution) == texts(GOLD) else "FAIL"
