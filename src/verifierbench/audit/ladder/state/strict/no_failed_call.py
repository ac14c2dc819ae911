"""Over-strict: no call fails, and the state at the end is gold's."""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit


def verify(solution, env):
    ran = env.run({"events": solution["events"]})
    failed = any("error" in result for result in ran["results"])
    wanted = env.run({"events": GOLD["events"]})["changes"]
    return "PASS" if ran["changes"] == wanted and not failed else "FAIL"
