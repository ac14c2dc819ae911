"""Upstream's evaluator in a guarded worker: its components on a state of our replay, multiplied as upstream does.

The evaluator's own module cannot be imported without the model clients around it, so what it compares is compared
here: the end state with the one gold's calls lead to (DB), named assertions (ENV_ASSERTION), the calls themselves
(ACTION), and pieces of text in what the agent says (COMMUNICATE). As upstream does, only tools that may change
something are replayed.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

_known: dict[str, Any] = {}

worlds: Any = importlib.import_module("worlds")


def load(arguments: Any) -> None:
    """Load the domain: `{"domain", "folder", "scenarios"}`."""
    _known["domain"] = worlds.opened(arguments["domain"], Path(arguments["folder"]), arguments["scenarios"])


def handle(request: Any) -> dict[str, Any]:
    """Decide `{"entry", "criteria", "solution"}`: `{"valid": bool, "why": str}` or `{"exception": str}`."""
    try:
        failed = [name for name in request["criteria"]["reward_basis"] if not _COMPONENTS[name](request)]
    except Exception as error:
        return {"exception": f"{type(error).__name__}: {error}"}
    return {"valid": not failed, "why": ", ".join(failed)}


def _calls(request: Any) -> list[tuple[str, Any]]:
    return [(event["role"], event["call"]) for event in request["solution"]["events"] if "call" in event]


def _predicted(request: Any) -> Any:
    """The world after the solution's calls."""
    world = _known["domain"].world(request["entry"])
    for role, call in _calls(request):
        if world.writes(role, call["name"]):
            world.perform(role, call["name"], call["arguments"])
    return world


def _database(request: Any) -> bool:
    gold = _known["domain"].world(request["entry"])
    for action in request["criteria"]["actions"] or ():
        gold.perform(action.get("requestor", "assistant"), action["name"], action["arguments"])
    return bool(gold.state.end() == _predicted(request).state.end())


def _assertions(request: Any) -> bool:
    world = _predicted(request)
    return all(_known["domain"].asserted(world, each) for each in request["criteria"]["env_assertions"] or ())


def _actions(request: Any) -> bool:
    called = _calls(request)
    return all(any(_matches(action, call) for _, call in called) for action in request["criteria"]["actions"] or ())


def _matches(action: Any, call: Any) -> bool:
    keys = call["arguments"].keys() if action.get("compare_args") is None else action["compare_args"]
    asked, given = (
        {key: part[key] for key in keys if key in part} for part in (action["arguments"], call["arguments"])
    )
    return action["name"] == call["name"] and json.dumps(asked, sort_keys=True) == json.dumps(given, sort_keys=True)


def _communicated(request: Any) -> bool:
    events = request["solution"]["events"]
    said = [event["message"] for event in events if "message" in event and event["role"] == "assistant"]
    texts = [text.lower().replace(",", "") for text in said]
    return all(any(info.lower() in text for text in texts) for info in request["criteria"]["communicate_info"] or ())


def _unheard(_request: Any) -> bool:
    """Hold, for it would take a language model to say."""
    return True


_COMPONENTS: dict[str, Callable[[Any], bool]] = {
    "DB": _database,
    "ENV_ASSERTION": _assertions,
    "ACTION": _actions,
    "COMMUNICATE": _communicated,
    "NL_ASSERTION": _unheard,
}
