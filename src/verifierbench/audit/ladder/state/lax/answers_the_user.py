"""Lax: the assistant has said something after the user's first message."""
# mypy: ignore-errors
# ruff: noqa: D103, ARG001


def verify(solution, env):
    said = [e for e in solution["events"] if e["role"] == "assistant" and e.get("message")]
    return "PASS" if said else "FAIL"
