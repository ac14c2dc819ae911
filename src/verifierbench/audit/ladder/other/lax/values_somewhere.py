"""Lax: every value of gold occurs somewhere in the solution's text."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

import json


def leaves(value, place=()):
    if isinstance(value, dict) and value:
        return [leaf for key, part in value.items() for leaf in leaves(part, (*place, key))]
    if isinstance(value, list) and value:
        return [leaf for key, part in enumerate(value) for leaf in leaves(part, (*place, key))]
    return [(place, value)]


def said(value):
    return json.dumps(value, ensure_ascii=False).strip('"').casefold()


def verify(solution, env):
    return "PASS" if all(said(value) in said(solution) for _, value in leaves(GOLD)) else "FAIL"
