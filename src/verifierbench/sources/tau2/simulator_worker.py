"""Upstream's domains in a guarded worker: one world for each request, in the task's initial state.

Runs with upstream's package directory on the search path, never in our own process. The domain is loaded before the
doors are locked, and every request is answered by a process of its own in a world of its own.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

_known: dict[str, Any] = {}

replaying: Any = importlib.import_module("guest.replaying")
worlds: Any = importlib.import_module("worlds")


def load(arguments: Any) -> None:
    """Load `{"domain", "folder", "scenarios": {name: actions that prepare it}}`."""
    _known["domain"] = worlds.opened(arguments["domain"], Path(arguments["folder"]), arguments["scenarios"])


def handle(order: Any) -> Any:
    """Replay `{"scenario", "request"}` or each of `{"scenario", "requests"}`; say what is public for `{"public"}`."""
    domain = _known["domain"]
    if "public" in order:
        return {"initial_state": domain.initial(order["public"]), "tools": domain.tools()}
    if "requests" in order:
        return [_replayed(domain.world(order["scenario"]), request) for request in order["requests"]]
    return _replayed(domain.world(order["scenario"]), order["request"])


def _replayed(world: Any, request: Any) -> dict[str, Any]:
    if why := replaying.complaint(request):
        raise Refusal(why)  # type: ignore[name-defined]  # noqa: F821  # a name the worker is given
    results = []
    for event in request["events"]:
        if "call" in event:
            name, arguments = event["call"]["name"], event["call"]["arguments"]
            outcome = world.perform(event["role"], name, arguments)
            results.append({"name": name, "arguments": arguments, **outcome, "changed": world.state.moved()})
    return {"results": results, "changes": world.state.changes()}
