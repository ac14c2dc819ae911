"""Lax: the repository's own tests, as the patch left them, end with status 0."""
# mypy: ignore-errors
# ruff: noqa: D103


def suite(solution, env):
    commands = [env.task["materials"].get("test_command", ["python", "-m", "unittest"])]
    return env.run({"patch": solution["patch"], "files": {}, "commands": commands, "read": []})


def verify(solution, env):
    run = suite(solution, env)
    return "PASS" if run["applied"] and run["commands"][0]["exit"] == 0 else "FAIL"
