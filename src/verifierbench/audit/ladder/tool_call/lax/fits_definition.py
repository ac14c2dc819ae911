"""Lax: every call fits its tool's definition by name and required arguments; nothing else is asked."""
# mypy: ignore-errors
# ruff: noqa: D103  # a plain verifier, as an agent would write it


def verify(solution, env):
    tools = {tool["name"]: tool["parameters"] for tool in env.task["materials"]["tools"]}
    for call in solution["turns"][0]["calls"]:
        parameters = tools.get(call["name"])
        if parameters is None or not set(parameters.get("required", ())) <= set(call["arguments"]):
            return "FAIL"
    return "PASS"
