"""Lax: a record that the instruction names is an argument of a successful call."""
# mypy: ignore-errors
# ruff: noqa: D103

import json
import re


def verify(solution, env):
    named = set(re.findall(r"\b[A-Za-z#]+-?\d+\b", env.task["instruction"]))
    results = env.run({"events": solution["events"]})["results"]
    used = [json.dumps(r["arguments"]) for r in results if "error" not in r]
    return "PASS" if any(record in text for record in named for text in used) else "FAIL"
