"""Lax: the user says yes somewhere and something changed."""
# mypy: ignore-errors
# ruff: noqa: D103

import re


def verify(solution, env):
    said = " ".join(e["message"] for e in solution["events"] if "message" in e and e["role"] == "user").lower()
    changed = env.run({"events": solution["events"]})["changes"]
    return "PASS" if changed and re.search(r"\byes\b", said) else "FAIL"
