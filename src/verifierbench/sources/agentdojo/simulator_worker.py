"""Upstream's suites in a guarded worker: each request plays a conversation in one task's environment.

Runs with upstream's package directory on the search path, never in our own process. A verifier's request is played
and nothing else; what a task is made of (the user's words, upstream's own calls, the planted orders) is told only to
the orders that the building process makes.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

_scenarios: dict[str, Any] = {}
_FURTHER = "    For further information visit"

dojo: Any = importlib.import_module("dojo")
replaying: Any = importlib.import_module("guest.replaying")


def load(arguments: Any) -> None:
    """Make the scenarios, `{name: order}`."""
    dojo.load()
    _scenarios.update({name: dojo.Scenario(order) for name, order in arguments["scenarios"].items()})


def handle(order: Any) -> Any:
    """Play `{"scenario", "request"}` in a fork of its own, or describe: `{"scenario", "describe": true}`."""
    scenario = _scenarios[order["scenario"]]
    if "describe" in order:
        return described(scenario)
    if why := replaying.complaint(order["request"]):
        raise Refusal(why)  # type: ignore[name-defined]  # noqa: F821  # a name the worker is given
    return replaying.replay(order["request"], _performer(scenario), scenario.shown().look)


def described(scenario: Any) -> dict[str, Any]:
    """The user's words, the tools, the initial state, upstream's calls for the task and for the planted orders."""
    environment = scenario.environment()
    return {
        "prompt": scenario.task.PROMPT,
        "planted": scenario.planted,
        "tools": [
            {"name": name, "description": tool.description, "parameters": tool.parameters.model_json_schema()}
            for name, tool in scenario.tools.items()
        ],
        "initial_state": scenario.initial_state,
        "gold": _calls(scenario.task.ground_truth(environment)),
        "ordered": _calls(scenario.orders.ground_truth(scenario.environment())),
    }


def _calls(calls: Any) -> list[dict[str, Any]]:
    return [{"name": call.function, "arguments": dojo.plain(dict(call.args))} for call in calls]


def _performer(scenario: Any) -> Callable[[str, str, Any], dict[str, Any]]:
    tools, runtime = scenario.tools, scenario.runtime()

    def perform(role: str, name: str, arguments: Any) -> dict[str, Any]:
        if role != "assistant":
            return {"error": "the user has no tools"}
        if name in tools and (foreign := sorted(set(arguments) - set(tools[name].parameters.model_fields))):
            return {"error": f"there is no argument {foreign[0]!r}"}
        result, error = runtime.run_function(scenario.initial, name, arguments)
        return {"result": dojo.plain(result)} if error is None else {"error": _stable(error)}

    return perform


def _stable(error: str) -> str:
    """The error without links into a library's documentation."""
    return "\n".join(line for line in error.splitlines() if not line.startswith(_FURTHER))
