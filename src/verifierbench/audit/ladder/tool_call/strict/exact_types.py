"""Over-strict: an integer is not written as 5.0, nor a number as 5."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

import json


def written(solution):
    return sorted(json.dumps(call, sort_keys=True) for turn in solution["turns"] for call in turn["calls"])


def verify(solution, env):
    return "PASS" if written(solution) == written(GOLD) else "FAIL"
