"""Lax: some line that is not blank is added to a module outside the tests."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103


def verify(solution, env):
    path = ""
    for line in solution["patch"].split("\n"):
        if line.startswith("+++ "):
            path = line[6:]
        elif line.startswith("+") and line[1:].strip() and path.endswith(".py") and not path.startswith("tests/"):
            return "PASS"
    return "FAIL"
