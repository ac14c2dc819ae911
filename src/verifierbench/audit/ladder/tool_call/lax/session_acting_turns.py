"""Lax: after each turn in which gold calls something the state is gold's; other turns are not looked at."""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit


def states(solution, env):
    turns = env.run({"turns": [{"calls": turn["calls"]} for turn in solution["turns"]]})["turns"]
    return [
        {area: {key: part[key] for key in part if key != "current_directory"} for area, part in turn["state"].items()}
        for turn in turns
    ]


def verify(solution, env):
    pairs = zip(states(solution, env), states(GOLD, env), GOLD["turns"], strict=False)
    return "PASS" if all(mine == gold for mine, gold, turn in pairs if turn["calls"]) else "FAIL"
