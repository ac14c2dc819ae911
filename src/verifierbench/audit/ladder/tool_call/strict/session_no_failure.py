"""Over-strict: no call of the session fails, and it ends as gold does."""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit


def played(solution, env):
    return env.run({"turns": [{"calls": turn["calls"]} for turn in solution["turns"]]})["turns"]


def verify(solution, env):
    mine, gold = played(solution, env), played(GOLD, env)
    failed = any("error" in result for turn in mine for result in turn["results"])
    return "FAIL" if failed or mine[-1]["state"] != gold[-1]["state"] else "PASS"
