"""Lax: keys and types are gold's; lists may have any length and values may be any."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def shape(value):
    if isinstance(value, dict):
        return {key: shape(part) for key, part in sorted(value.items())}
    if isinstance(value, list):
        return [shape(part) for part in value[:1]]
    return "number" if type(value) in (int, float) else type(value).__name__


def verify(solution, env):
    return "PASS" if shape(solution) == shape(GOLD) else "FAIL"
