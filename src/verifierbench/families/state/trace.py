"""A view read as one conversation: messages and calls in order, each call with what the environment said of it.

The pairing is by position: the n-th call of the solution has the n-th result of the run named `replay`. Where the
environment refused, or the numbers differ, there is no evidence and reading raises `Absent`. What the calls brought
about is read from the same run, as differences from the initial state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from verifierbench.core import Absent, at

from ..guest.diffs import fits, same

REPLAY = "replay"
"""Probe that replays the solution: `{}`."""
PROBES: dict[str, dict[str, Any]] = {REPLAY: {}}


class Message(NamedTuple):
    """Something said; `place` is its position among the events."""

    place: int
    role: str
    text: str


class Performed(NamedTuple):
    """A call and its outcome; `result` is None where it failed, `changed` says whether it changed the state."""

    place: int
    role: str
    name: str
    arguments: dict[str, Any]
    ok: bool
    result: Any
    changed: bool


class Changed(NamedTuple):
    """A difference between the initial state and the end; `old` is None where added, `new` where removed."""

    how: str
    path: str
    old: Any
    new: Any


def messages(view: Any, role: str) -> list[Message]:
    """What one side said, in order."""
    events = enumerate(at(view, "/solution/events"))
    return [Message(n, role, e["message"]) for n, e in events if "message" in e and e["role"] == role]


def performed(view: Any) -> list[Performed]:
    """Every call in order, with its outcome in the replay."""
    calls = [(n, e) for n, e in enumerate(at(view, "/solution/events")) if "call" in e]
    results = at(view, f"/runs/{REPLAY}/results")
    if len(results) != len(calls):
        raise Absent(f"/runs/{REPLAY}/results")
    return [
        Performed(
            n, e["role"], e["call"]["name"], e["call"]["arguments"], "error" not in r, r.get("result"), r["changed"]
        )
        for (n, e), r in zip(calls, results, strict=True)
    ]


def changed(view: Any) -> list[Changed]:
    """Every difference between the initial state and the one the replay ends in."""
    found = at(view, f"/runs/{REPLAY}/changes")
    return [Changed(each["how"], each["path"], each.get("old"), each.get("new")) for each in found]


def selected(view: Any, pattern: Mapping[str, Any]) -> list[Performed]:
    """The calls a pattern describes, in order.

    `{"name": str | [str, …], "arguments": {some of them}, "role": "assistant", "outcome": "ok" | "error" | "any",
    "changed": bool, "result": value}`; all parts may be left out, and the outcome is then `ok`.
    """
    return [call for call in performed(view) if _described(call, pattern)]


def _described(call: Performed, pattern: Mapping[str, Any]) -> bool:
    names = pattern.get("name", call.name)
    return (
        call.name in ([names] if isinstance(names, str) else names)
        and call.role == pattern.get("role", call.role)
        and pattern.get("outcome", "ok") in ("any", "ok" if call.ok else "error")
        and pattern.get("changed", call.changed) is call.changed
        and ("result" not in pattern or same(call.result, pattern["result"]))
        and fits(call.arguments, pattern.get("arguments", {}))
    )
