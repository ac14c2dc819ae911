"""Gold's changes with one argument other than it is: what the words did not ask for, though nearly.

Other arguments are made from the definition of a call and from what the apps returned: another record of the same
kind, another text, figure or choice. Each is executed; what fails, or ends where gold ends, makes no case.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from verifierbench.families.state.operators import Call, Variant

from .reading import TOKEN, Reading

MOST_WRITES, MOST = 6, 12
"""Gold's changes that are varied, and variants of a task."""


def near(reading: Reading) -> tuple[Variant, ...]:
    """Other arguments of gold's changes, each with another end."""
    found = (
        Variant(call.tag, {name: value}, _violated(name), f"{call.name} with another {name}")
        for call in reading.writes[:MOST_WRITES]
        for name, value in _others(reading, call)
        if _ends_elsewhere(reading, call, {**call.arguments, name: value})
    )
    return tuple(itertools.islice(found, MOST))


def besides(reading: Reading) -> tuple[Call, ...]:
    """Gold's changes made to another record as well."""
    found = (
        Call(call.name, {**call.arguments, name: value})
        for call in reading.writes[:MOST_WRITES]
        for name, value in _others(reading, call)
        if name.endswith("_id") and name in call.arguments
    )
    goal = reading.changes
    return tuple(call for call in found if _adds(reading, call, goal))


def broken(reading: Reading) -> dict[str, Any]:
    """Arguments that make gold's last change fail."""
    if not reading.writes:
        return {}
    last = reading.writes[-1]
    for name in last.arguments:
        if name.endswith("_id") or name == TOKEN:
            wrong = {name: 999_999 if name != TOKEN else "expired"}
            if "error" in reading.play((Call(last.name, {**last.arguments, **wrong}),))["results"][0]:
                return wrong
    return {}


def _violated(argument: str) -> str:
    """The clause that another argument violates: another record changes, or the right one changes wrongly."""
    return "frame" if argument.endswith("_id") else "asked"


def _others(reading: Reading, call: Call) -> Iterator[tuple[str, Any]]:
    for name, schema in reading.definitions[call.name]["parameters"]["properties"].items():
        if name != TOKEN:
            given = name in call.arguments
            value = call.arguments[name] if given else schema.get("default")
            yield from ((name, other) for other in _other_values(reading, name, schema, value, given=given))


def _other_values(reading: Reading, name: str, schema: Mapping[str, Any], value: Any, *, given: bool) -> Iterator[Any]:
    if name.endswith("_id"):
        yield from itertools.islice(_seen(reading, name, value), 2 if given else 0)
    elif "enum" in schema:
        yield from itertools.islice((other for other in schema["enum"] if other != value), 1)
    elif schema.get("type") == "boolean":
        yield not value
    elif isinstance(value, str):
        yield f"{value} (copy)".strip()
    elif isinstance(value, list) and all(isinstance(part, str) for part in value):
        yield [*value, "later"]
    elif isinstance(value, int | float) and given:
        yield value + 1


def _seen(reading: Reading, name: str, value: Any) -> Iterator[Any]:
    """Other records of a kind that the apps have shown to gold."""
    found = dict.fromkeys(one for result in reading.results for one in _named(result.get("result"), name))
    return (one for one in found if one != value)


def _named(value: Any, name: str) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            if key == name and isinstance(part, int | str):
                yield part
            yield from _named(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from _named(part, name)


def _ends_elsewhere(reading: Reading, call: Call, arguments: Mapping[str, Any]) -> bool:
    other = Call(call.name, dict(arguments), call.tag)
    played = reading.play(tuple(other if one.tag == call.tag else one for one in reading.calls))
    return played["changes"] != reading.changes and not any("error" in result for result in played["results"])


def _adds(reading: Reading, call: Call, goal: Any) -> bool:
    played = reading.play((*reading.calls, call))
    return "error" not in played["results"][-1] and played["changes"] != goal
