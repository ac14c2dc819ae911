"""Lax: lists are compared as sets, texts without their letter case."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

import json


def loose(value):
    if isinstance(value, dict):
        return {key: loose(part) for key, part in value.items()}
    if isinstance(value, list):
        return sorted({json.dumps(loose(part), sort_keys=True) for part in value})
    return value.casefold() if isinstance(value, str) else value


def verify(solution, env):
    return "PASS" if loose(solution) == loose(GOLD) else "FAIL"
