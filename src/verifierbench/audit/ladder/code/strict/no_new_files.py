"""Over-strict: the tests pass and no file is new."""
# mypy: ignore-errors
# ruff: noqa: D103


def suite(solution, env):
    commands = [env.task["materials"].get("test_command", ["python", "-m", "unittest"])]
    return env.run({"patch": solution["patch"], "files": {}, "commands": commands, "read": []})


def verify(solution, env):
    run = suite(solution, env)
    passed = run["applied"] and run["commands"][0]["exit"] == 0
    return "PASS" if passed and "--- /dev/null" not in solution["patch"] else "FAIL"
