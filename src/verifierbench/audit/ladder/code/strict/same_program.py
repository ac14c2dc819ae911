"""Over-strict: every module gold edits ends as the same program, comments aside."""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit

import ast
import re


def files(patch):
    names = re.findall(r"^(?:---|\+\+\+) (?:[ab]/)?(\S+)", patch, re.M)
    return {name for name in names if name != "/dev/null"}


def programs(patch, env):
    read = sorted(path for path in files(GOLD["patch"]) if path.endswith(".py"))
    run = env.run({"patch": patch, "files": {}, "commands": [], "read": read})
    return {path: ast.dump(ast.parse(text or "None")) for path, text in run["files"].items()}


def verify(solution, env):
    return "PASS" if programs(solution["patch"], env) == programs(GOLD["patch"], env) else "FAIL"
