"""Lax: look-alike letters are taken for the letters they look like, and invisible ones for nothing."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

import unicodedata

LOOK = {0x430: "a", 0x435: "e", 0x43E: "o", 0x440: "p", 0x441: "c", 0x445: "x", 0x456: "i", 0x410: "A", 0x415: "E"}
LOOK |= {0x41E: "O", 0x420: "P", 0x421: "C", 0x425: "X", 0x41A: "K", 0x41C: "M", 0x422: "T", 0x41D: "H", 0x412: "B"}


def fold(value):
    if isinstance(value, str):
        return "".join(letter for letter in value.translate(LOOK) if unicodedata.category(letter) != "Cf")
    if isinstance(value, list):
        return [fold(part) for part in value]
    if isinstance(value, dict):
        return {key: fold(part) for key, part in value.items()}
    return value


def verify(solution, env):
    calls, due = fold(solution["turns"][0]["calls"]), GOLD["turns"][0]["calls"]
    return "PASS" if len(calls) == len(due) and all(gold in calls for gold in due) else "FAIL"
