"""Over-strict: the tests print what they print with gold, and none is added."""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit


def suite(solution, env):
    commands = [env.task["materials"].get("test_command", ["python", "-m", "unittest"])]
    return env.run({"patch": solution["patch"], "files": {}, "commands": commands, "read": []})


def verify(solution, env):
    run, due = suite(solution, env), suite(GOLD, env)
    return "PASS" if run["commands"] == due["commands"] and "def test_" not in solution["patch"] else "FAIL"
