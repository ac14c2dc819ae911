"""Lax: every right value occurs somewhere in the arguments of a call of the right tool."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

import json


def said(value):
    return json.dumps(value, ensure_ascii=False).strip('"').casefold()


def covers(call, gold):
    text = said(call["arguments"])
    return call["name"] == gold["name"] and all(said(value) in text for value in gold["arguments"].values())


def verify(solution, env):
    calls, due = solution["turns"][0]["calls"], GOLD["turns"][0]["calls"]
    right = len(calls) == len(due) and all(any(covers(call, gold) for call in calls) for gold in due)
    return "PASS" if right else "FAIL"
