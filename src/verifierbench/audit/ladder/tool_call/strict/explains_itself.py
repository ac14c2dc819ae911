"""Over-strict: the message says in plain words what happened, without naming a tool."""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit


def names(solution):
    return sorted(call["name"] for turn in solution["turns"] for call in turn["calls"])


def verify(solution, env):
    said = " ".join(turn["message"] or "" for turn in solution["turns"])
    leaks = any(tool["name"] in said for tool in env.task["materials"]["tools"])
    return "FAIL" if len(said.split()) < 3 or leaks or names(solution) != names(GOLD) else "PASS"
