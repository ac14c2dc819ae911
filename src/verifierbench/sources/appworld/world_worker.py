"""One task's world in a guarded worker: what its public environment answers, and the public material it is seen in.

Runs with upstream's package directory on the search path, never in our own process. Nothing of the task's ground truth
is opened here.
"""

from __future__ import annotations

import importlib
from typing import Any

_opened: dict[str, Any] = {}

replaying: Any = importlib.import_module("guest.replaying")
worlds: Any = importlib.import_module("world")
material: Any = importlib.import_module("material")


def load(arguments: Any) -> None:
    """Open the world of `{"root", "task"}`."""
    _opened["world"] = worlds.World(arguments["root"], arguments["task"])


def handle(order: Any) -> Any:
    """Answer `{"scenario", "request": {"events": […]}}`, or a question of our own: `{"material": name}`."""
    world = _opened["world"]
    if "material" in order:
        return material.MADE[order["material"]](world)
    request = order["request"]
    if why := replaying.complaint(request):
        raise Refusal(why)  # type: ignore[name-defined]  # noqa: F821  # a name the worker is given
    return world.play(request["events"])
