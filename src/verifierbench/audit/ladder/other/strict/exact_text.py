"""Over-strict: the solution is gold, byte for byte, the order of keys included."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

import json


def verify(solution, env):
    return "PASS" if json.dumps(solution) == json.dumps(GOLD) else "FAIL"
