"""Checks on any JSON, each at a JSON pointer into the view: `/solution/answer`, or `/answer` inside a `one_to_one`.

A check is pure, is not satisfied where the view has nothing at its pointer, and is strict where a lax comparison loses
meaning: a boolean is never a number at any depth, and a text is compared whole unless the parameters say otherwise.
Parameters come from a suite's author: one that is missing raises `KeyError`, and whoever loads the suite says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from verifierbench.core import Absent, Check, at

_Parameters: TypeAlias = Mapping[str, Any]

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def same(one: Any, other: Any) -> bool:
    """Equality of JSON values: numbers by value, booleans apart from numbers, key order free."""
    if is_number(one) and is_number(other):
        return bool(one == other)
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(part, other[key]) for key, part in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def is_number(value: Any) -> bool:
    """Whether a JSON value is a number; true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def type_of(value: Any) -> str:
    """The JSON type of a value, one of `TYPES`."""
    return next(name for name in TYPES if _is(value, name))


def plain(text: str) -> str:
    """A text without its letter case and its outer or repeated white space; idempotent."""
    return " ".join(text.casefold().split())


def present(view: Any, parameters: _Parameters) -> bool:
    """`{"at"}`: there is a value, null included."""
    at(view, parameters["at"])
    return True


def absent(view: Any, parameters: _Parameters) -> bool:
    """`{"at"}`: there is no value."""
    try:
        at(view, parameters["at"])
    except Absent:
        return True
    return False


def has_type(view: Any, parameters: _Parameters) -> bool:
    """`{"at", "type"}`: the value is an object, array, string, number, boolean or null."""
    return _is(at(view, parameters["at"]), parameters["type"])


def equals(view: Any, parameters: _Parameters) -> bool:
    """`{"at", "value"}`: the value is this one; 5 is 5.0, true is not 1."""
    return same(at(view, parameters["at"]), parameters["value"])


def one_of(view: Any, parameters: _Parameters) -> bool:
    """`{"at", "values": […]}`: the value is one of these."""
    value = at(view, parameters["at"])
    return any(same(value, right) for right in parameters["values"])


def says(view: Any, parameters: _Parameters) -> bool:
    """`{"at", "text"}`: the text is this one; letter case and white space do not matter."""
    value = at(view, parameters["at"])
    return isinstance(value, str) and plain(value) == plain(parameters["text"])


def contains(view: Any, parameters: _Parameters) -> bool:
    """`{"at", "text"}`: the text holds this one somewhere; letter case and white space do not matter."""
    value = at(view, parameters["at"])
    return isinstance(value, str) and plain(parameters["text"]) in plain(value)


def matches(view: Any, parameters: _Parameters) -> bool:
    """`{"at", "pattern"}`: the whole text matches this regular expression (Python's)."""
    value = at(view, parameters["at"])
    return isinstance(value, str) and re.fullmatch(parameters["pattern"], value) is not None


def number(view: Any, parameters: _Parameters) -> bool:
    """`{"at", "value", "tolerance": 0}`: a number no further than the tolerance from this one, in decimal digits."""
    value = at(view, parameters["at"])
    right, tolerance = _decimal(parameters["value"]), _decimal(parameters.get("tolerance", 0))
    return is_number(value) and abs(_decimal(value) - right) <= tolerance


def between(view: Any, parameters: _Parameters) -> bool:
    """`{"at", "low", "high"}`: a number within these bounds, both included; either may be left out."""
    value = at(view, parameters["at"])
    return is_number(value) and _within(value, parameters.get("low"), parameters.get("high"))


def size(view: Any, parameters: _Parameters) -> bool:
    """`{"at", "low", "high"}`: a list, object or text of so many elements, keys or characters."""
    value = at(view, parameters["at"])
    return isinstance(value, list | dict | str) and _within(len(value), parameters.get("low"), parameters.get("high"))


def same_items(view: Any, parameters: _Parameters) -> bool:
    """`{"at", "values": […]}`: a list of exactly these, each as often as it stands there, in any order."""
    value = at(view, parameters["at"])
    return isinstance(value, list) and len(value) == len(parameters["values"]) and _covers(value, parameters["values"])


def has_items(view: Any, parameters: _Parameters) -> bool:
    """`{"at", "values": […]}`: a list that holds each of these, whatever else it holds."""
    value = at(view, parameters["at"])
    return isinstance(value, list) and _covers(value, parameters["values"])


def lacks_items(view: Any, parameters: _Parameters) -> bool:
    """`{"at", "values": […]}`: a list that holds none of these."""
    value = at(view, parameters["at"])
    return isinstance(value, list) and not any(same(item, wrong) for item in value for wrong in parameters["values"])


def only_keys(view: Any, parameters: _Parameters) -> bool:
    """`{"at", "keys": […]}`: an object without any key beside these."""
    value = at(view, parameters["at"])
    return isinstance(value, dict) and value.keys() <= set(parameters["keys"])


def _decimal(value: float) -> Decimal:
    """The number as it is written: 74.51 is a hundredth from 74.5, which in binary it is not."""
    return Decimal(str(value))


def _is(value: Any, name: str) -> bool:
    return isinstance(value, TYPES[name]) and not (name == "number" and isinstance(value, bool))


def _within(value: float, low: float | None, high: float | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _covers(items: Sequence[Any], wanted: Sequence[Any]) -> bool:
    left = list(items)
    for right in wanted:
        found = next((place for place, item in enumerate(left) if same(item, right)), None)
        if found is None:
            return False
        del left[found]
    return True


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        present,
        absent,
        has_type,
        equals,
        one_of,
        says,
        contains,
        matches,
        number,
        between,
        size,
        same_items,
        has_items,
        lacks_items,
        only_keys,
    )
}
