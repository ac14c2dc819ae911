"""The view without what carries no information: equal for views that no verifier should tell apart.

One thing goes, because a printed convention says so of every task of the family: whether a whole number in the
arguments of a call is written 5, 5.0 or 5e0, in a solution or where a run repeats it. "5.0 is the integer 5", and
"numbers are compared by exact value" (C7, E9). The spelling alone goes: 5.5, "5" and true stay what they are. The order
of keys never matters either (C6); it means nothing in JSON, and whoever compares views ignores it.

Everything else stays, because some task lets it decide: the order of calls and lists and the case of letters are free
only where instruction and definition allow it (C6, C9, C10), and a message or a structured answer may be what the
instruction asks for (C2), so null, "" and a sentence are three different things.
"""

from __future__ import annotations

from typing import Any


def canonical(view: Any) -> Any:
    """The view with every whole number in arguments as an integer; total, idempotent, and never in place."""
    runs = {name: _session(answer) for name, answer in view["runs"].items()}
    return {**view, "solution": _session(view["solution"]), "runs": runs}


def _session(value: Any) -> Any:
    match value:
        case {"turns": list(turns)}:
            return {**value, "turns": [_turn(turn) for turn in turns]}
    return value


def _turn(turn: Any) -> Any:
    match turn:
        case {"calls": list(calls)}:
            return {**turn, "calls": [_call(call) for call in calls]}
        case {"results": list(results)}:
            return {**turn, "results": [_call(result) for result in results]}
    return turn


def _call(call: Any) -> Any:
    match call:
        case {"arguments": arguments}:
            return {**call, "arguments": _whole(arguments)}
    return call


def _whole(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    return value
