"""Lax: the tests end with status 0 and the issue's script does as the issue says."""
# mypy: ignore-errors
# ruff: noqa: D103

import re


def suite(solution, env):
    commands = [env.task["materials"].get("test_command", ["python", "-m", "unittest"])]
    return env.run({"patch": solution["patch"], "files": {}, "commands": commands, "read": []})


def example(solution, env):
    blocks = re.findall(r"```(\w*)\n(.*?)```", env.task["instruction"], re.S)
    script = next((text for kind, text in blocks if kind == "python"), "")
    shown = next((text for kind, text in blocks if kind == "text"), None)
    commands = [["python", "-c", script]]
    run = env.run({"patch": solution["patch"], "files": {}, "commands": commands, "read": []})
    if not run["applied"] or run["commands"][0]["exit"] != 0:
        return False
    return shown is None or run["commands"][0]["stdout"] == shown


def verify(solution, env):
    run = suite(solution, env)
    passed = run["applied"] and run["commands"][0]["exit"] == 0
    return "PASS" if passed and example(solution, env) else "FAIL"
