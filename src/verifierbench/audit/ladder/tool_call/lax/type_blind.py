"""Lax: values are compared as texts, so that 5 is the text 5 and true is 1."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def same(one, other):
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other or str(one).lower() == str(other).lower()


def verify(solution, env):
    calls, due = solution["turns"][0]["calls"], GOLD["turns"][0]["calls"]
    right = len(calls) == len(due) and all(any(same(call, gold) for call in calls) for gold in due)
    return "PASS" if right else "FAIL"
