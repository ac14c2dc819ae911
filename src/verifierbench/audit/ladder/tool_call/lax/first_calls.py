"""Lax: only as many calls as are due are looked at, from the front of the first turn."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    due = GOLD["turns"][0]["calls"]
    calls = solution["turns"][0]["calls"]
    looked_at = calls[: len(due)] if due else calls
    return "PASS" if len(looked_at) == len(due) and all(gold in looked_at for gold in due) else "FAIL"
