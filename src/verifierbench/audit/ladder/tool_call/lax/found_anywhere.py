"""Lax: whatever looks like a call is one, in whatever place or wrapper it stands."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def found(value):
    if isinstance(value, list):
        return [call for part in value for call in found(part)]
    if not isinstance(value, dict):
        return []
    here = [value] if value.keys() == {"name", "arguments"} else []
    return here + [call for part in value.values() for call in found(part)]


def unwrapped(call):
    arguments = call["arguments"]
    while isinstance(arguments, dict) and arguments.keys() == {"arguments"}:
        arguments = arguments["arguments"]
    return {"name": call["name"], "arguments": arguments}


def verify(solution, env):
    calls = [unwrapped(call) for call in found(solution)]
    due = GOLD["turns"][0]["calls"]
    return "PASS" if all(gold in calls for gold in due) and (due or not calls) else "FAIL"
