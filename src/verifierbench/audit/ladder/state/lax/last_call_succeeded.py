"""Lax: the last call succeeded."""
# mypy: ignore-errors
# ruff: noqa: D103


def verify(solution, env):
    results = env.run({"events": solution["events"]})["results"]
    return "PASS" if results and "error" not in results[-1] else "FAIL"
