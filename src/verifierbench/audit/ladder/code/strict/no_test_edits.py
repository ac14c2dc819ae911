"""Over-strict: the tests pass and nothing in their folder is named."""
# mypy: ignore-errors
# ruff: noqa: D103


def suite(solution, env):
    commands = [env.task["materials"].get("test_command", ["python", "-m", "unittest"])]
    return env.run({"patch": solution["patch"], "files": {}, "commands": commands, "read": []})


def verify(solution, env):
    run = suite(solution, env)
    passed = run["applied"] and run["commands"][0]["exit"] == 0
    return "PASS" if passed and "b/tests/" not in solution["patch"] else "FAIL"
