"""Lax: the last line the tests print is OK."""
# mypy: ignore-errors
# ruff: noqa: D103


def suite(solution, env):
    commands = [["python", "-m", "unittest"]]
    return env.run({"patch": solution["patch"], "files": {}, "commands": commands, "read": []})


def verify(solution, env):
    run = suite(solution, env)
    lines = run["commands"][0]["stderr"].split("\n") if run["applied"] else []
    said = [line for line in lines if line.strip()]
    return "PASS" if said and said[-1].startswith("OK") else "FAIL"
