"""Lax: the issue's script ends with status 0, whatever it prints."""
# mypy: ignore-errors
# ruff: noqa: D103

import re


def verify(solution, env):
    script = re.search(r"```python\n(.*?)```", env.task["instruction"], re.S)
    commands = [["python", "-c", script[1] if script else ""]]
    run = env.run({"patch": solution["patch"], "files": {}, "commands": commands, "read": []})
    return "PASS" if run["applied"] and run["commands"][0]["exit"] == 0 else "FAIL"
