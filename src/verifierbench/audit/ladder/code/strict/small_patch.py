"""Over-strict: the issue's script works and the patch is hardly longer than gold's."""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit

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
    size = sum(line[:1] in "+-" for line in solution["patch"].split("\n") if line)
    most = sum(line[:1] in "+-" for line in GOLD["patch"].split("\n") if line) + 2
    return "PASS" if size <= most and example(solution, env) else "FAIL"
