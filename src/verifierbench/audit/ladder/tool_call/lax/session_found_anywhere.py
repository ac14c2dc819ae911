"""Lax: whatever looks like a call is one, in whatever turn, message or answer it stands."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

import json


def found(value):
    if isinstance(value, str) and "[{" in value:
        start = value.index("[{")
        try:
            return found(json.JSONDecoder().raw_decode(value[start:])[0])
        except ValueError:
            return []
    if isinstance(value, list):
        return [call for part in value for call in found(part)]
    if not isinstance(value, dict):
        return []
    here = [value] if value.keys() == {"name", "arguments"} else []
    return here + [call for part in value.values() for call in found(part)]


def verify(solution, env):
    calls = found(solution)
    return "PASS" if all(call in calls for turn in GOLD["turns"] for call in turn["calls"]) else "FAIL"
