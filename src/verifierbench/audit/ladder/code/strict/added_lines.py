"""Over-strict: the lines added are gold's, wherever they stand."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def lines(patch, sign):
    changed = [line[1:].strip() for line in patch.split("\n") if line.startswith(sign) and line[:3] != sign * 3]
    return sorted(line for line in changed if line)


def verify(solution, env):
    return "PASS" if lines(solution["patch"], "+") == lines(GOLD["patch"], "+") else "FAIL"
