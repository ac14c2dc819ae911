"""Over-strict: the calls are gold's, byte for byte; the message is free."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

import json


def calls(solution):
    return json.dumps([turn["calls"] for turn in solution["turns"]])


def verify(solution, env):
    return "PASS" if calls(solution) == calls(GOLD) else "FAIL"
