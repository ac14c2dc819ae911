"""Values that are nearly right: what each policy refuses, one slip away from gold.

A value is made only where it is beyond doubt none of the right ones (`unlike`), so that FAIL needs no checker.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

from .dates import parse_date, spellings
from .policies import Date, Exact, Fits, ListOf, Number, ObjectOf, OneOf, Policy, SetOf, Wording, gold
from .scene import rights, unlike


class Miss(NamedTuple):
    """One nearly right value."""

    operator: str
    value: Any
    note: str


def misses(policy: Policy, schema: Mapping[str, Any], taken: list[Any], rng: Random) -> Iterator[Miss]:
    """Nearly right values for a policy, the closest first; `taken` are the values that would be right here."""
    match policy:
        case Exact([*items]):
            yield from _list(ListOf(tuple(map(Exact, items))), list(map(Exact, items)), schema, rng)
        case Exact(dict() as value):
            yield from _object({key: Exact(part) for key, part in value.items()}, schema, rng)
        case Exact(value) | Number(value) | Wording(value) | Date(value):
            yield from (miss for miss in _leaf(policy, value, schema, rng) if unlike(miss.value, taken))
        case ListOf(items) | SetOf(items):
            yield from _list(policy, list(items), schema, rng)
        case ObjectOf(keys):
            yield from _object(keys, schema, rng)
        case OneOf(of):
            known = [*taken, *rights(policy)]
            yield from (miss for miss in misses(of[0], schema, known, rng) if unlike(miss.value, known))
        case Fits(definition):
            yield from _outside(definition)


def _leaf(policy: Policy, value: Any, schema: Mapping[str, Any], rng: Random) -> Iterator[Miss]:
    if isinstance(value, bool):
        yield Miss("bool_flipped", not value, f"{str(not value).lower()} instead of {str(value).lower()}")
    elif "enum" in schema:
        others = [other for other in schema["enum"] if other != value and isinstance(other, type(value))]
        rng.shuffle(others)
        yield from (Miss("enum_sibling", other, f"{other!r} instead of {value!r}") for other in others)
    elif isinstance(value, int | float):
        yield from _number(value, schema)
    elif isinstance(value, str) and (day := parse_date(value)):
        yield from _date(policy, value, day)
    elif isinstance(value, str):
        yield from _text(value, rng)


def _number(value: int | float, schema: Mapping[str, Any]) -> Iterator[Miss]:
    step = 1 if float(value).is_integer() else float(Decimal(10) ** int(Decimal(str(value)).as_tuple().exponent))
    low, high = schema.get("minimum", float("-inf")), schema.get("maximum", float("inf"))
    for other in (_plus(value, step), _plus(value, -step)):
        if low <= other <= high:
            yield Miss("number_off_by_one", other, f"{other} instead of {value}")
    if value:
        yield Miss("sign_flipped", -value, f"{-value} instead of {value}")


def _plus(value: int | float, step: int | float) -> int | float:
    total = Decimal(str(value)) + Decimal(str(step))
    return int(total) if isinstance(value, int) else float(total)


def _date(policy: Policy, value: str, day: datetime.date) -> Iterator[Miss]:
    """A neighbouring day, written as gold writes it."""
    otherwise = 0 if isinstance(policy, Date) else None
    form = next((place for place, text in enumerate(spellings(day)) if text == value), otherwise)
    for days in (1, -1):
        if form is not None:
            other = spellings(day + datetime.timedelta(days=days))[form]
            yield Miss("date_shifted", other, f"{other} instead of {value}")


def _text(value: str, rng: Random) -> Iterator[Miss]:
    places = [place for place, letter in enumerate(value) if letter.isascii() and letter.isalnum()]
    rng.shuffle(places)
    for place in places[:3]:
        other = value[:place] + _neighbour(value[place]) + value[place + 1 :]
        yield Miss("one_letter", other, f"{other!r} instead of {value!r}")
    words = value.split(" ")
    if len(words) > 2:
        other = " ".join(words[:-1])
        yield Miss("text_truncated", other, f"{words[-1]!r} is missing at the end of {value!r}")


def _neighbour(letter: str) -> str:
    """The next letter or digit of its own kind, so that the text keeps its look."""
    for kind in ("0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
        if letter in kind:
            return kind[(kind.index(letter) + 1) % len(kind)]
    return letter


def _list(policy: Policy, items: list[Policy], schema: Mapping[str, Any], rng: Random) -> Iterator[Miss]:
    values = [gold(item) for item in items]
    if values:
        place = rng.randrange(len(values))
        yield Miss("element_dropped", values[:place] + values[place + 1 :], f"{values[place]!r} is missing")
        inner = schema.get("items", {}) if isinstance(schema.get("items"), Mapping) else {}
        taken = [right for item in items for right in rights(item)]
        for miss in misses(items[place], inner, taken, rng):
            other = [*values[:place], miss.value, *values[place + 1 :]]
            yield Miss("element_changed", other, f"element {place}: {miss.note}")
            break
    moved = [unlike(value, rights(item)) for value, item in zip(values[::-1], items, strict=True)]
    if isinstance(policy, ListOf) and any(moved):
        yield Miss("list_reversed", values[::-1], "the order of this list matters (C10)")


def _object(keys: dict[str, Policy], schema: Mapping[str, Any], rng: Random) -> Iterator[Miss]:
    value = {key: gold(part) for key, part in keys.items()}
    names = list(keys)
    rng.shuffle(names)
    for key in names:
        inner = schema.get("properties", {}).get(key, {})
        for miss in misses(keys[key], inner, rights(keys[key]), rng):
            yield Miss("leaf_changed", {**value, key: miss.value}, f"{key}: {miss.note}")
            break
    for key in names[:1]:
        yield Miss("key_dropped", {name: part for name, part in value.items() if name != key}, f"{key} is missing")


_KINDS: dict[str, Any] = {"string": 7, "integer": "7", "number": "7", "boolean": "true", "array": "[]", "object": "{}"}


def _outside(definition: Mapping[str, Any]) -> Iterator[Miss]:
    kind = definition.get("type")
    if isinstance(kind, str) and kind in _KINDS:
        yield Miss("outside_definition", _KINDS[kind], f"not of the type {kind!r} (C7)")


def squashed(text: str) -> str:
    """A text as an over-eager comparison sees it: lower case, letters and digits alone."""
    return re.sub(r"[\W_]+", "", text).lower()
