"""Lax: the session ends in the state in which gold ends; when what happened, and what was looked up, is not asked."""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit


def end(solution, env):
    turns = env.run({"turns": [{"calls": turn["calls"]} for turn in solution["turns"]]})["turns"]
    areas = turns[-1]["state"].items()
    return {area: {key: part[key] for key in part if key != "current_directory"} for area, part in areas}


def verify(solution, env):
    return "PASS" if end(solution, env) == end(GOLD, env) else "FAIL"
