"""What a session asks of `env.run`, and how an answer is read.

The request holds the calls alone: what is said beside them changes nothing, so that solutions with the same calls share
one execution. Two probes make up a view: the solution's session, and the state before anything was called.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verifierbench.core import at

SESSION, START = "session", "start"
PROBES: dict[str, dict[str, Any]] = {SESSION: {"play": "solution"}, START: {"play": "nothing"}}
"""The executions a reference looks at, by name."""


def request(solution: Any, probe: Mapping[str, Any]) -> Any:
    """The `env.run` request of a probe."""
    if probe["play"] == "nothing":
        return NOTHING
    return {"turns": [{"calls": turn["calls"]} for turn in solution["turns"]]}


NOTHING: dict[str, Any] = {"turns": [{"calls": []}]}
"""A session in which nothing is called: its state is the initial one."""


def results(view: Any, turn: int) -> list[dict[str, Any]]:
    """What the calls of a turn returned; raises `Absent` for a turn that was not played."""
    found: list[dict[str, Any]] = at(view, f"/runs/{SESSION}/turns/{turn}/results")
    return found


def state(view: Any, turn: int) -> Any:
    """The state after a turn, -1 for the initial one; raises `Absent` for a turn that was not played."""
    return at(view, f"/runs/{START}/turns/0/state" if turn < 0 else f"/runs/{SESSION}/turns/{turn}/state")
