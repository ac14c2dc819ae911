"""Lax: where nothing is to be called, words of refusal are enough; elsewhere their absence is."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

REFUSALS = ("cannot", "sorry", "none of", "nothing", "unable", "no tool")


def verify(solution, env):
    turn = solution["turns"][0]
    refuses = any(words in (turn["message"] or "").lower() for words in REFUSALS)
    if GOLD["turns"][0]["calls"]:
        return "PASS" if turn["calls"] and not refuses else "FAIL"
    return "PASS" if refuses or not turn["calls"] else "FAIL"
