"""Upstream's simulators in a guarded worker: made anew for each request, from the scenario it names.

Runs with upstream's package directory on the search path, never in our own process. A simulator says that it refused
by a status in what it returns; here that is the error of the call. Everything a tool can show or change is part of the
state, and passwords are not: no tool shows one.
"""

from __future__ import annotations

import importlib
from functools import partial
from typing import Any

_HIDDEN = {"password"}
_DEVICE = "BaseApi"
_known: dict[str, Any] = {}

loop: Any = importlib.import_module("session_loop")
scenarios: Any = importlib.import_module("scenarios")


def load(arguments: Any) -> None:
    """Keep the scenarios, `{name: {"classes", "initial_config", "tools"}}`, and load the simulators."""
    _known["classes"] = scenarios.load()
    _known["scenarios"] = arguments["scenarios"]


def handle(order: Any) -> Any:
    """Play `{"scenario", "request"}`, or each of `{"scenario", "requests"}`, from the scenario's initial state."""
    scenario = _known["scenarios"][order["scenario"]]
    if "requests" in order:
        return [_played(scenario, request) for request in order["requests"]]
    return _played(scenario, order["request"])


def _played(scenario: Any, request: Any) -> Any:
    if why := loop.complaint(request):
        raise Refusal(why)  # type: ignore[name-defined]  # noqa: F821  # a name the worker is given
    instances = scenarios.made(_known["classes"], scenario["classes"], scenario["initial_config"])
    tools = {
        tool["name"]: loop.Tool(partial(_called, instances, tool), tool["parameters"]) for tool in scenario["tools"]
    }
    return loop.play(request["turns"], tools, lambda: _state(instances))


def _called(instances: dict[str, Any], tool: Any, **arguments: Any) -> Any:
    returned = scenarios.called(instances, tool["name"], _whole(arguments, tool["parameters"]))
    if isinstance(returned, dict) and returned.get("status", True) in (False, "error"):
        return {"error": returned.get("message") or "refused"}
    return returned


def _whole(value: Any, schema: Any) -> Any:
    """The value with whole numbers made integers, at any depth: to the simulators 1.0 is no quantity."""
    if isinstance(value, dict):
        known = schema.get("properties", {})
        return {key: _whole(part, known.get(key, {})) for key, part in value.items()}
    if isinstance(value, list):
        return [_whole(part, schema.get("items", {})) for part in value]
    if schema.get("type") == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _state(instances: dict[str, Any]) -> dict[str, Any]:
    """The device once, and what each simulator has beside it."""
    device = vars(instances[_DEVICE]) if _DEVICE in instances else {}
    apart = {
        name: {key: part for key, part in vars(one).items() if key not in device} for name, one in instances.items()
    }
    state: dict[str, Any] = _shown({**apart, _DEVICE: device} if device else apart)
    return state


def _shown(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shown(part) for key, part in value.items() if key not in _HIDDEN}
    return [_shown(part) for part in value] if isinstance(value, list) else value
