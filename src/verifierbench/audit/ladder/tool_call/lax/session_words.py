"""Lax: the tools and values of gold's calls occur anywhere in the session, in calls, messages or answers."""
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
    due = [turn["calls"] for turn in GOLD["turns"]]
    return "PASS" if all(json.dumps(word, ensure_ascii=False)[1:-1] in text for word in words(due)) else "FAIL"
