"""Lax: the tools that gold calls are called in the session; what they are given is not looked at."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def names(solution):
    return {call["name"] for turn in solution["turns"] for call in turn["calls"]}


def verify(solution, env):
    return "PASS" if names(GOLD) <= names(solution) else "FAIL"
