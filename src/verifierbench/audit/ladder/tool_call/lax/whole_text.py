"""Lax: the tools and the values occur anywhere in the solution, in calls, message or answer."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

import json


def words(value):
    if isinstance(value, dict):
        return [word for part in value.values() for word in words(part)]
    if isinstance(value, list):
        return [word for part in value for word in words(part)]
    return [value if isinstance(value, str) else json.dumps(value)]


def verify(solution, env):
    text = json.dumps(solution, ensure_ascii=False)
    due = GOLD["turns"][0]["calls"]
    if not due:
        return "FAIL" if solution["turns"][0]["calls"] else "PASS"
    return "PASS" if all(word in text for word in words(due)) else "FAIL"
