"""What a tool-call solution looks like, and how to write one down.

`{"turns": [{"calls": [{"name", "arguments"}], "message": str | null, "answer": JSON | null}]}`. A solution is plain
JSON data; what a tool would have returned is never in it. Whether a call fits its tool's definition is the verifier's
question, so the schema bounds the shape alone: an unknown tool or a wrong type is still a solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from verifierbench.core import Inconsistent

SOLUTION_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["turns"],
    "additionalProperties": False,
    "properties": {
        "turns": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["calls", "message", "answer"],
                "additionalProperties": False,
                "properties": {
                    "calls": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["name", "arguments"],
                            "additionalProperties": False,
                            "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
                        },
                    },
                    "message": {"type": ["string", "null"]},
                    "answer": {"description": "a structured reply, where the task asks for one; any JSON value"},
                },
            },
        }
    },
}
"""JSON Schema (2020-12) of what `verify` receives."""


def call(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """One entry of `calls`."""
    return {"name": name, "arguments": dict(arguments)}


def turn(calls: Iterable[dict[str, Any]], message: str | None = None, answer: Any = None) -> dict[str, Any]:
    """One turn: what was called, what was said, and a structured reply where one is asked for."""
    return {"calls": list(calls), "message": message, "answer": answer}


def solution(calls: Iterable[dict[str, Any]] = (), message: str | None = None, answer: Any = None) -> dict[str, Any]:
    """A solution of one turn."""
    return {"turns": [turn(calls, message, answer)]}


def validate(content: Any) -> None:
    """Raise `Inconsistent` when data of ours is not a solution."""
    import jsonschema  # heavy, and needed only where cases are made

    errors = jsonschema.Draft202012Validator(SOLUTION_SCHEMA).iter_errors(content)
    if error := next(iter(errors), None):
        raise Inconsistent(f"not a tool-call solution at {error.json_path}: {error.message}")
