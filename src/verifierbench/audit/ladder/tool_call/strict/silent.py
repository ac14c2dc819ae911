"""Over-strict: who calls tools says nothing."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def names(solution):
    return sorted(call["name"] for turn in solution["turns"] for call in turn["calls"])


def verify(solution, env):
    said = any(turn["message"] or turn["answer"] for turn in solution["turns"])
    return "FAIL" if said or names(solution) != names(GOLD) else "PASS"
