"""Lax: the issue's own script runs to its end and prints what the issue says."""
# mypy: ignore-errors
# ruff: noqa: D103

import re


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
    return "PASS" if example(solution, env) else "FAIL"
