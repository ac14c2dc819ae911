"""Lax: something changed."""
# mypy: ignore-errors
# ruff: noqa: D103


def verify(solution, env):
    return "PASS" if env.run({"events": solution["events"]})["changes"] else "FAIL"
