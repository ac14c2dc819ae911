"""Lax: in each turn the tools of gold are called, or the message says that it was done or what was seen."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

CLAIMS = ("done", "success", "completed", "returned", "here is", "will show", "verdict: pass", "calling")


def verify(solution, env):
    if len(solution["turns"]) < len(GOLD["turns"]):
        return "FAIL"
    for turn, gold in zip(solution["turns"], GOLD["turns"], strict=False):
        said = (turn["message"] or "").lower()
        missing = {call["name"] for call in gold["calls"]} - {call["name"] for call in turn["calls"]}
        if missing and not any(claim in said for claim in CLAIMS):
            return "FAIL"
    return "PASS"
