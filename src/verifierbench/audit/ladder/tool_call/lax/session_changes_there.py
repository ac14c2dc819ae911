"""Lax: what gold changed is so in the end; what was changed beside it is not looked at."""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit


def leaves(value, path=()):
    if isinstance(value, (dict, list)) and value:
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*path, key))
    else:
        yield path, value


def end(solution, env):
    turns = env.run({"turns": [{"calls": turn["calls"]} for turn in solution["turns"]]})["turns"]
    return dict(leaves(turns[-1]["state"]))


def verify(solution, env):
    before = dict(leaves(env.task["materials"]["initial_state"]))
    gold, mine = end(GOLD, env), end(solution, env)
    due = {path: value for path, value in gold.items() if "current_directory" not in path and before.get(path) != value}
    return "PASS" if all(path in mine and mine[path] == value for path, value in due.items()) else "FAIL"
