"""Executing a session in a source's simulators: standard library only, for it runs in a guarded worker.

A worker script gives the tools (name → callable and definition) and a snapshot of the public state; `play` makes the
calls of every turn, in order, and reports what a person at the tools would see. Arguments are plain JSON and are
handed over by keyword, so no text is ever evaluated here. A call of a tool that is not available in its turn, one whose
arguments do not fit the definition and one that raises are errors of that call, never of the session.

    {"turns": [{"results": [{"name", "arguments", "result" or "error", "changed"}, …], "state": {…}}, …]}
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

MOST_CALLS = 400
"""Calls in one request."""
SHAPE = 'a request is {"turns": [{"calls": [{"name": str, "arguments": {…}}, …]}, …]}'


class Tool(NamedTuple):
    """One tool: what is called, its parameters as JSON Schema, and the first turn (from 0) in which it is there."""

    call: Callable[..., Any]
    parameters: Mapping[str, Any]
    since: int = 0


def complaint(request: Any) -> str:
    """Why something is no request; empty for one that is. `message` and `answer` of a turn are overlooked."""
    if not isinstance(request, dict) or request.keys() != {"turns"} or not isinstance(request["turns"], list):
        return SHAPE
    calls = 0
    for turn in request["turns"]:
        if not isinstance(turn, dict) or not {"calls"} <= turn.keys() <= {"calls", "message", "answer"}:
            return SHAPE
        if not isinstance(turn["calls"], list) or not all(map(_is_call, turn["calls"])):
            return SHAPE
        calls += len(turn["calls"])
    return f"a request has at most {MOST_CALLS} calls" if calls > MOST_CALLS else ""


def play(turns: list[Any], tools: Mapping[str, Tool], snapshot: Callable[[], Any]) -> dict[str, Any]:
    """Make every call of every turn; `snapshot` returns the public state, as JSON or nearly so."""
    played = []
    state = plain(snapshot())
    for number, turn in enumerate(turns):
        results = []
        for call in turn["calls"]:
            seen = _called(call, tools.get(call["name"]), number)
            before, state = state, plain(snapshot())
            results.append({**call, **seen, "changed": not same(before, state)})
        played.append({"results": results, "state": state})
    return {"turns": played}


def plain(value: Any) -> Any:
    """A value as JSON: a set sorted, anything else that JSON cannot say as its text; always a copy."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(part) for part in value), key=repr)
    return str(value)


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are written alike, up to the order of keys: 5 and 5.0 are alike, 1 and true are not."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(part, other[key]) for key, part in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)


def _is_call(call: Any) -> bool:
    if not isinstance(call, dict) or call.keys() != {"name", "arguments"}:
        return False
    return isinstance(call["name"], str) and isinstance(call["arguments"], dict)


def _called(call: dict[str, Any], tool: Tool | None, turn: int) -> dict[str, Any]:
    if tool is None or turn < tool.since:
        return {"error": f"no tool named {call['name']!r} is available in this turn"}
    arguments = json.loads(json.dumps(call["arguments"]))
    if unfit := next(_unfit(arguments, tool.parameters), None):
        return {"error": unfit}
    try:
        returned = plain(tool.call(**arguments))
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    if isinstance(returned, dict) and returned.get("error"):
        return {"error": str(returned["error"])}
    return {"result": returned}


def _unfit(arguments: dict[str, Any], parameters: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with arguments under their definition; whole numbers are made integers on the way."""
    known = parameters.get("properties", {})
    for name in arguments:
        if name not in known:
            yield f"there is no argument {name!r}"
    for name in parameters.get("required", ()):
        if name not in arguments:
            yield f"the argument {name!r} is missing"
    for name, value in arguments.items():
        schema = known.get(name, {})
        arguments[name] = _whole(value, schema)
        if not _fits(arguments[name], schema):
            yield f"the argument {name!r} is not of type {schema['type']}"


def _whole(value: Any, schema: Mapping[str, Any]) -> Any:
    kind = schema.get("type")
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind == "array" and isinstance(value, list):
        return [_whole(part, schema.get("items", {})) for part in value]
    return value


_KINDS: dict[str, Callable[[Any], bool]] = {
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    if kind not in _KINDS:
        return True
    if not _KINDS[kind](value):
        return False
    return kind != "array" or all(_fits(part, schema.get("items", {})) for part in value)
