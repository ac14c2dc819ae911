"""Lax: the patch applies, and changes something."""
# mypy: ignore-errors
# ruff: noqa: D103


def verify(solution, env):
    run = env.run({"patch": solution["patch"], "files": {}, "commands": [], "read": []})
    return "PASS" if run["applied"] and solution["patch"].strip() else "FAIL"
