"""Lax: the last line the tests print says that all is well."""
# mypy: ignore-errors
# ruff: noqa: D103


def suite(solution, env):
    commands = [env.task["materials"].get("test_command", ["python", "-m", "unittest"])]
    return env.run({"patch": solution["patch"], "files": {}, "commands": commands, "read": []})


def verify(solution, env):
    run = suite(solution, env)
    printed = run["commands"][0]["stdout"] + "\n" + run["commands"][0]["stderr"] if run["applied"] else ""
    said = [line for line in printed.split("\n") if line.strip()]
    last = said[-1] if said else ""
    return "PASS" if last.startswith("OK") or (" passed" in last and " failed" not in last) else "FAIL"
