"""Over-strict: the calls stand in gold's order."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    calls = [turn["calls"] for turn in solution["turns"]]
    return "PASS" if calls == [turn["calls"] for turn in GOLD["turns"]] else "FAIL"
