"""Lax: values are compared as text, without letter case and without anything but letters and digits."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def leaves(value, place=()):
    if isinstance(value, dict) and value:
        return [leaf for key, part in value.items() for leaf in leaves(part, (*place, key))]
    if isinstance(value, list) and value:
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*place, key))]
    return [(place, value)]


def squeezed(value):
    return {place: "".join(c for c in str(part).casefold() if c.isalnum()) for place, part in leaves(value)}


def verify(solution, env):
    return "PASS" if squeezed(solution) == squeezed(GOLD) else "FAIL"
