"""What a solution of a state task is: who said and called what, in order, and the answer where one is asked for.

A call's result is never in it. A solution can claim anything; what its calls did is for the environment to say when
they are replayed.
"""

from __future__ import annotations

from typing import Any

from ..guest.replaying import ROLES, is_event

_ROLE = {"enum": list(ROLES)}
_MESSAGE = {
    "type": "object",
    "properties": {"role": _ROLE, "message": {"type": "string"}},
    "required": ["role", "message"],
    "additionalProperties": False,
}
_CALL = {
    "type": "object",
    "properties": {
        "role": _ROLE,
        "call": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
            "required": ["name", "arguments"],
            "additionalProperties": False,
        },
    },
    "required": ["role", "call"],
    "additionalProperties": False,
}

SOLUTION_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A state solution",
    "type": "object",
    "properties": {
        "events": {
            "type": "array",
            "items": {"oneOf": [_MESSAGE, _CALL]},
            "description": "messages and tool calls in the order they happened; results of calls are not included",
        },
        "answer": {"type": ["string", "null"], "description": "null unless the task asks for an answer"},
    },
    "required": ["events", "answer"],
    "additionalProperties": False,
}


def is_solution(value: Any) -> bool:
    """Whether a value meets `SOLUTION_SCHEMA`; total, and cheap enough for every decision."""
    if not isinstance(value, dict) or set(value) != {"events", "answer"} or not isinstance(value["events"], list):
        return False
    return isinstance(value["answer"], str | None) and all(is_event(event) for event in value["events"])
