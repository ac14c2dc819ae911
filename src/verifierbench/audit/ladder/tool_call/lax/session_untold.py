"""Lax: the tools gold calls are called turn by turn; what they are given and what is said is not looked at."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def names(turn):
    return {call["name"] for call in turn["calls"]}


def verify(solution, env):
    pairs = zip(solution["turns"], GOLD["turns"], strict=False)
    enough = len(solution["turns"]) >= len(GOLD["turns"])
    return "PASS" if enough and all(names(gold) <= names(turn) for turn, gold in pairs) else "FAIL"
