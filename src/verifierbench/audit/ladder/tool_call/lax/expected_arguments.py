"""Lax: the due arguments are compared, and what else a call is given is not looked at."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def fits(call, gold):
    given = call["arguments"]
    return call["name"] == gold["name"] and all(given.get(name) == value for name, value in gold["arguments"].items())


def verify(solution, env):
    calls, due = solution["turns"][0]["calls"], GOLD["turns"][0]["calls"]
    right = len(calls) == len(due) and all(any(fits(call, gold) for call in calls) for gold in due)
    return "PASS" if right else "FAIL"
