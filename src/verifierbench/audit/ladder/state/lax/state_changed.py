"""Lax: something changed."""
# mypy: ignore-errors
# ruff: noqa: D103


def verify(solution, env):
    before = env.run({"events": []})["state"]
    after = env.run({"events": solution["events"]})["state"]
    return "PASS" if after != before else "FAIL"
