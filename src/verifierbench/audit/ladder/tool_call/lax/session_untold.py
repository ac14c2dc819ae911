"""Lax: the names gold calls are called turn by turn; a turn is not asked whether it said anything, nor for arguments."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def names(turn):
    return {call["name"] for call in turn["calls"]}


def verify(solution, env):
    pairs = zip(solution["turns"], GOLD["turns"])
    enough = len(solution["turns"]) >= len(GOLD["turns"])
    return "PASS" if enough and all(names(gold) <= names(turn) for turn, gold in pairs) else "FAIL"
