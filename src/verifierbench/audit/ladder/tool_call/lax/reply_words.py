"""Lax: every word of the right reply stands somewhere in the solution; where no reply is due, the tools are called."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

import json


def words(value):
    if isinstance(value, dict):
        return [word for key, part in value.items() for word in [key, *words(part)]]
    if isinstance(value, list):
        return [word for part in value for word in words(part)]
    return [value if isinstance(value, str) else json.dumps(value)]


def names(solution):
    return sorted(call["name"] for call in solution["turns"][0]["calls"])


def verify(solution, env):
    due, text = GOLD["turns"][0]["answer"], json.dumps(solution["turns"][0], ensure_ascii=False)
    if due is None:
        return "PASS" if names(solution) == names(GOLD) else "FAIL"
    return "PASS" if all(word in text for word in words(due)) else "FAIL"
