"""Lax: texts are compared without letter case, spaces and punctuation."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def squash(value):
    if isinstance(value, str):
        return "".join(letter for letter in value.casefold() if letter.isalnum())
    if isinstance(value, list):
        return [squash(part) for part in value]
    if isinstance(value, dict):
        return {key: squash(part) for key, part in value.items()}
    return value


def verify(solution, env):
    calls, due = squash(solution["turns"][0]["calls"]), squash(GOLD["turns"][0]["calls"])
    return "PASS" if len(calls) == len(due) and all(gold in calls for gold in due) else "FAIL"
