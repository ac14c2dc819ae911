"""Over-strict: each call states the arguments gold states, so that no default may be stated or left out."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def stated(solution):
    calls = (call for turn in solution["turns"] for call in turn["calls"])
    return sorted([call["name"], *sorted(call["arguments"])] for call in calls)


def verify(solution, env):
    return "PASS" if stated(solution) == stated(GOLD) else "FAIL"
