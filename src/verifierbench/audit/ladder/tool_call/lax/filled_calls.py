"""Lax: calls without arguments, and arguments that are empty, are overlooked."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def filled(solution):
    kept = []
    for call in solution["turns"][0]["calls"]:
        arguments = {name: value for name, value in call["arguments"].items() if value not in (None, "", [], {})}
        if arguments:
            kept.append({"name": call["name"], "arguments": arguments})
    return kept


def verify(solution, env):
    calls, due = filled(solution), filled(GOLD)
    return "PASS" if len(calls) == len(due) and all(gold in calls for gold in due) else "FAIL"
