"""Lax: the assistant's last message is a proper sentence or two."""
# mypy: ignore-errors
# ruff: noqa: D103, ARG001


def verify(solution, env):
    said = [e["message"] for e in solution["events"] if e["role"] == "assistant" and "message" in e]
    return "PASS" if said and len(said[-1].split()) >= 10 else "FAIL"
