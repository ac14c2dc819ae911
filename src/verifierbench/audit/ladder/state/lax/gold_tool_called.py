"""Lax: the tool of gold's last call is called, whatever its arguments and whatever came of it."""
# mypy: ignore-errors
# ruff: noqa: D103, ARG001, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    due = [e["call"]["name"] for e in GOLD["events"] if "call" in e]
    names = [e["call"]["name"] for e in solution["events"] if "call" in e]
    return "PASS" if not due or due[-1] in names else "FAIL"
