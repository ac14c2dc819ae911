"""Upstream's simulators in a guarded worker: made anew for each request, from the scenario it names.

Runs with upstream's package directory on the search path, never in our own process. Upstream executes an answer by
evaluating its text; here a simulator's method is called with the literal arguments of a call. What upstream's own
checker overlooks and a user of the tools can see is part of the state: the current directory and how hard a pedal is
pressed. What no tool shows (a password, seeds, internal switches) is not. Several requests of ours are played in one
process, so what upstream keeps outside its instances (default arguments that it changes) is put back before each.
"""

from __future__ import annotations

import copy
import importlib
from typing import Any

_CLASSES = "bfcl_eval.constants.executable_backend_config"
_HIDDEN = {"password", "long_context", "generated_ids"}
_SHOWN = {"VehicleControlAPI": ("_brakePedalForce", "_parkingBrakeForce", "_slopeAngle")}
_FILES = "GorillaFileSystem"
_known: dict[str, Any] = {}

loop: Any = importlib.import_module("session_loop")


def load(arguments: Any) -> None:
    """Keep the scenarios, `{name: {"classes", "initial_config", "tools", "later"}}`, and import their classes."""
    table = importlib.import_module(_CLASSES)
    names = {name for scenario in arguments["scenarios"].values() for name in scenario["classes"]}
    paths = {name: table.CLASS_FILE_PATH_MAPPING[name] for name in sorted(names)}
    _known["classes"] = {name: getattr(importlib.import_module(path), name) for name, path in paths.items()}
    _known["defaults"] = [
        (method, copy.deepcopy(method.__defaults__))
        for cls in _known["classes"].values()
        for method in vars(cls).values()
        if getattr(method, "__defaults__", None)
    ]
    _known["stateless"] = set(table.STATELESS_CLASSES)
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
    for method, defaults in _known["defaults"]:
        method.__defaults__ = copy.deepcopy(defaults)
    instances = {name: _instance(name, scenario["initial_config"]) for name in scenario["classes"]}
    return loop.play(request["turns"], dict(_tools(scenario, instances)), lambda: _state(instances))


def _instance(name: str, configuration: dict[str, Any]) -> Any:
    made = _known["classes"][name]()
    if name not in _known["stateless"]:
        made._load_scenario(copy.deepcopy(configuration.get(name, {})), long_context=False)
    return made


def _tools(scenario: Any, instances: dict[str, Any]) -> Any:
    """Every tool that is defined, at the simulator that has it."""
    for tool in scenario["tools"]:
        owner = next(one for one in instances.values() if callable(getattr(one, tool["name"], None)))
        yield (
            tool["name"],
            loop.Tool(getattr(owner, tool["name"]), tool["parameters"], scenario["later"].get(tool["name"], 0)),
        )


def _state(instances: dict[str, Any]) -> dict[str, Any]:
    state = {name: _files(one) if name == _FILES else _attributes(name, one) for name, one in instances.items()}
    return {name: part for name, part in state.items() if part}


def _attributes(name: str, instance: Any) -> dict[str, Any]:
    shown = {key: value for key, value in vars(instance).items() if key[0] != "_" and key not in _HIDDEN}
    return shown | {key[1:]: getattr(instance, key) for key in _SHOWN.get(name, ()) if hasattr(instance, key)}


def _files(system: Any) -> dict[str, Any]:
    """The tree, a directory as an object and a file as its text, and where the user stands."""
    here = system.pwd()["current_working_directory"]
    return {"files": {system.root.name: _tree(system.root)}, "current_directory": here}


def _tree(directory: Any) -> dict[str, Any]:
    return {
        name: _tree(item) if hasattr(item, "contents") else item.content for name, item in directory.contents.items()
    }
