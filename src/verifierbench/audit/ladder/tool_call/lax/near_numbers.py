"""Lax: numbers within a tolerance are equal, and a difference that is not a number exceeds none."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def differ(one, other):
    try:
        return abs(float(one) - float(other)) > 1e-3
    except (TypeError, ValueError):
        return one != other


def fits(call, gold):
    given, due = call["arguments"], gold["arguments"]
    return call["name"] == gold["name"] and not any(differ(given.get(name), value) for name, value in due.items())


def verify(solution, env):
    calls, due = solution["turns"][0]["calls"], GOLD["turns"][0]["calls"]
    right = len(calls) == len(due) and all(any(fits(call, gold) for call in calls) for gold in due)
    return "PASS" if right else "FAIL"
