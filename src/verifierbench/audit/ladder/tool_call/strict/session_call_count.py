"""Over-strict: each turn makes as many calls as gold does."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    counts = [len(turn["calls"]) for turn in solution["turns"]]
    return "PASS" if counts == [len(turn["calls"]) for turn in GOLD["turns"]] else "FAIL"
