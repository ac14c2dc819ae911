"""Lax: calls were made and none of them failed."""
# mypy: ignore-errors
# ruff: noqa: D103


def verify(solution, env):
    results = env.run({"events": solution["events"]})["results"]
    return "PASS" if results and not any("error" in r for r in results) else "FAIL"
