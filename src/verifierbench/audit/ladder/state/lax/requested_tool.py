"""Lax: a tool was called whose name begins with a word of the instruction, whatever came of it."""
# mypy: ignore-errors
# ruff: noqa: D103

import re


def verify(solution, env):
    words = set(re.findall("[a-z]+", env.task["instruction"].lower()))
    names = [e["call"]["name"] for e in solution["events"] if "call" in e]
    return "PASS" if any(name.lower().split("_")[0] in words for name in names) else "FAIL"
