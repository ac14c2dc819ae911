"""How a value is compared: one frozen record per policy, and the policy that the conventions give a value.

A policy carries the right value itself, so that gold, the reference's atom and every operator read from one place. It
says what is right and never how that is computed: deciding is `checks`' business, making cases the operators'.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from verifierbench.core import Inconsistent

from .dates import parse_date


class _Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="policy"):
    """What the policies share: their kind stands under `policy` in JSON."""


class Exact(_Policy, frozen=True, tag="exact"):
    """Equal as JSON values; text character by character."""

    value: Any


class Wording(_Policy, frozen=True, tag="wording"):
    """Text whose letter case and outer or repeated spaces do not matter (C9)."""

    text: str


class Number(_Policy, frozen=True, tag="number"):
    """Equal in value: 5.0 is 5, true is not 1 (C7)."""

    value: int | float


class Date(_Policy, frozen=True, tag="date"):
    """The same day in any spelling of C11; only where the definition names no form."""

    text: str

    def __post_init__(self) -> None:
        if parse_date(self.text) is None:
            raise Inconsistent(f"{self.text!r} is no date of convention C11")


class ListOf(_Policy, frozen=True, tag="list"):
    """As many elements, each right at its place."""

    items: tuple[Policy, ...]


class SetOf(_Policy, frozen=True, tag="set"):
    """As many elements, each right at a place of its own, in any order (C10)."""

    items: tuple[Policy, ...]


class ObjectOf(_Policy, frozen=True, tag="object"):
    """Exactly these keys, each right; a key of `defaults` may be absent or have that value (C8)."""

    keys: dict[str, Policy]
    defaults: dict[str, Policy] = {}


class OneOf(_Policy, frozen=True, tag="one_of"):
    """Right by any of these; the first is gold.

    On what is `undecided` no case may turn: nothing public settles it, so it is accepted and no operator makes it.
    """

    of: tuple[Policy, ...]
    undecided: tuple[Policy, ...] = ()

    def __post_init__(self) -> None:
        if not self.of:
            raise Inconsistent("one_of needs something that is right")


class Fits(_Policy, frozen=True, tag="fits"):
    """Free within a JSON Schema: the instruction leaves the value open. The first example is gold."""

    schema: dict[str, Any]
    examples: tuple[Any, ...]

    def __post_init__(self) -> None:
        if not self.examples:
            raise Inconsistent("fits needs an example")


Policy: TypeAlias = Exact | Wording | Number | Date | ListOf | SetOf | ObjectOf | OneOf | Fits

_WORD = r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*[,.!?]?"
_WORDS = re.compile(rf"{_WORD}(?: +{_WORD})*")


def is_wording(text: str) -> bool:
    """Whether convention C9 takes a text for words alone; a single letter is a name, and x is not X."""
    return _WORDS.fullmatch(text) is not None and sum(map(str.isalpha, text)) > 1


def gold(policy: Policy) -> Any:
    """The right value, as gold writes it."""
    match policy:
        case Exact(value) | Number(value):
            return value
        case Wording(text) | Date(text):
            return text
        case ListOf(items) | SetOf(items):
            return [gold(item) for item in items]
        case ObjectOf(keys):
            return {key: gold(part) for key, part in keys.items()}
        case OneOf(of):
            return gold(of[0])
        case Fits(examples=examples):
            return examples[0]


def infer(schema: Mapping[str, Any], value: Any) -> Policy:
    """The policy the conventions give a right value under its definition.

    A date without a named form, an ordered list of texts and a second accepted value cannot be seen in the schema:
    who knows of them says `Date`, `ListOf` or `OneOf` instead.
    """
    match value:
        case bool() | None:
            return Exact(value)
        case int() | float():
            return Exact(value) if "enum" in schema else Number(value)
        case str():
            closed = not {"enum", "const", "format", "pattern"}.isdisjoint(schema)
            return Wording(value) if is_wording(value) and not closed else Exact(value)
        case list():
            items = tuple(infer(_items(schema), item) for item in value)
            unordered = schema.get("uniqueItems") is True or all(isinstance(item, str) for item in value)
            return SetOf(items) if unordered else ListOf(items)
        case dict():
            return _infer_object(schema, value)
    raise Inconsistent(f"{value!r} is not JSON")


def defaults(schema: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Policy]:
    """The optional properties a value leaves out, at the defaults their schema documents."""
    required = schema.get("required", ())
    left = {name: part for name, part in schema.get("properties", {}).items() if name not in given}
    return {
        name: infer(part, part["default"]) for name, part in left.items() if "default" in part and name not in required
    }


def _infer_object(schema: Mapping[str, Any], value: dict[str, Any]) -> ObjectOf:
    """An optional key given at its documented default may be left out (C8): it moves to the defaults."""
    known = schema.get("properties", {})
    free = {key for key, part in defaults(schema, {}).items() if key in value and part == infer(known[key], value[key])}
    keys = {key: infer(known.get(key, {}), part) for key, part in value.items() if key not in free}
    return ObjectOf(keys, defaults(schema, keys))


def _items(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    items = schema.get("items", {})
    return items if isinstance(items, Mapping) else {}
