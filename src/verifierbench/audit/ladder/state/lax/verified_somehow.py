"""Lax: somebody was identified or looked up before anything was changed, and the end state is gold's.

Who it was, whose secret was used and whether anybody told it is not looked at.
"""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit

import re

CHECKS = re.compile(r"verif|authenticat|identif|log_?in|sign_?in")
LOOKS = re.compile(r"find|get|look|show|read|search|list|check")
PEOPLE = re.compile(r"user|member|customer|account|profile|person|client|passenger|guest|patient")


def identifies(name):
    return bool(CHECKS.search(name) or (LOOKS.search(name) and PEOPLE.search(name)))


def verify(solution, env):
    wanted = env.run({"events": GOLD["events"]})["changes"]
    ran = env.run({"events": solution["events"]})
    first = next((n for n, call in enumerate(ran["results"]) if call["changed"]), len(ran["results"]))
    known = any("error" not in call and identifies(call["name"].lower()) for call in ran["results"][:first])
    return "PASS" if known and ran["changes"] == wanted else "FAIL"
