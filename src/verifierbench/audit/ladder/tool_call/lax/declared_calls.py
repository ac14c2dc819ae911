"""Lax: calls of tools or with arguments that no definition lists are overlooked."""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit


def names(solution, tools):
    listed = (call for call in solution["turns"][0]["calls"] if call["name"] in tools)
    return sorted(call["name"] for call in listed if set(call["arguments"]) <= tools[call["name"]])


def verify(solution, env):
    tools = {t["name"]: set(t["parameters"].get("properties", ())) for t in env.task["materials"]["tools"]}
    return "PASS" if names(solution, tools) == names(GOLD, tools) else "FAIL"
