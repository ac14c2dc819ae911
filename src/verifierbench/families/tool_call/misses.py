"""Values that are nearly right: what each policy refuses, one slip away from gold.

A value is made only where it is beyond doubt none of the right ones (`unlike`), so that FAIL needs no checker.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

from .dates import parse_date, spellings
from .policies import Date, Exact, Fits, ListOf, Number, ObjectOf, OneOf, Policy, SetOf, Wording, gold
from .scene import rights, sample, unlike


class Miss(NamedTuple):
    """One nearly right value."""

    operator: str
    value: Any
    note: str


def misses(policy: Policy, schema: Mapping[str, Any], taken: list[Any], rng: Random) -> Iterator[Miss]:
    """Nearly right values for a policy, the closest first; `taken` are the values that would be right here."""
    match policy:
        case Exact([*items]):
            yield from _list(ListOf(tuple(map(Exact, items))), schema, rng)
        case Exact(dict() as value):
            yield from _object(ObjectOf({key: Exact(part) for key, part in value.items()}), schema, rng)
        case Exact(value) | Number(value) | Wording(value) | Date(value):
            yield from (miss for miss in _leaf(policy, value, schema, rng) if unlike(miss.value, taken))
        case ListOf() | SetOf():
            yield from _list(policy, schema, rng)
        case ObjectOf():
            yield from _object(policy, schema, rng)
        case OneOf(of):
            known = [*taken, *rights(policy)]
            yield from (miss for miss in misses(of[0], schema, known, rng) if unlike(miss.value, known))
        case Fits(definition):
            yield from _outside(definition)


def _leaf(policy: Policy, value: Any, schema: Mapping[str, Any], rng: Random) -> Iterator[Miss]:
    if isinstance(value, bool):
        yield Miss("bool_flipped", not value, f"{str(not value).lower()} instead of {str(value).lower()}")
    elif value is None:
        other = sample({key: part for key, part in schema.items() if key != "default"}, rng)
        yield Miss("null_replaced", other, f"{other!r} instead of null")
    elif "enum" in schema:
        others = [other for other in schema["enum"] if other != value and isinstance(other, type(value))]
        rng.shuffle(others)
        yield from (Miss("enum_sibling", other, f"{other!r} instead of {value!r}") for other in others)
        if isinstance(value, str):  # where every sibling is right somewhere, this is the closest slip
            yield Miss("enum_outside", f"other {value}", f"no member of the enumeration instead of {value!r}")
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
    if not places and len(value) > 1:
        yield from _script(value, rng)
    words = value.split(" ")
    if len(words) > 2:
        other = " ".join(words[:-1])
        yield Miss("text_truncated", other, f"{words[-1]!r} is missing at the end of {value!r}")


def _script(value: str, rng: Random) -> Iterator[Miss]:
    """A text without one of its characters, where none has a neighbour in an alphabet: Chinese, for one."""
    place = rng.randrange(len(value))
    yield Miss("one_letter", value[:place] + value[place + 1 :], f"{value[place]!r} is missing in {value!r}")


def _neighbour(letter: str) -> str:
    """The next letter or digit of its own kind, so that the text keeps its look."""
    for kind in ("0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
        if letter in kind:
            return kind[(kind.index(letter) + 1) % len(kind)]
    return letter


def _list(policy: ListOf | SetOf, schema: Mapping[str, Any], rng: Random) -> Iterator[Miss]:
    values, inner = gold(policy), schema.get("items")
    if values:
        place = rng.randrange(len(values))
        yield Miss("element_dropped", values[:place] + values[place + 1 :], f"{values[place]!r} is missing")
    yield from _elements(policy.items, inner if isinstance(inner, dict) else {}, rng)
    if isinstance(policy, ListOf):
        yield from _turned(policy)


def _elements(items: Sequence[Policy], schema: dict[str, Any], rng: Random) -> Iterator[Miss]:
    """Each element in turn, nearly right and unlike every other one; and one more of them."""
    values = [gold(item) for item in items]
    taken = [right for item in items for right in rights(item)]
    for place, item in enumerate(items):
        if miss := next(misses(item, schema, taken, rng), None):
            other = [*values[:place], miss.value, *values[place + 1 :]]
            yield Miss("element_changed", other, f"element {place}: {miss.note}")
    extra = values[0] if values else sample(schema, rng)
    yield Miss("element_added", [*values, extra], f"{extra!r} is there once more than asked for (C10)")


def _turned(policy: ListOf) -> Iterator[Miss]:
    """The elements from the back or, where that changes nothing, the first one behind the others."""
    values = gold(policy)
    for other in (values[::-1], values[1:] + values[:1]):
        if any(unlike(value, rights(item)) for value, item in zip(other, policy.items, strict=True)):
            yield Miss("list_reversed", other, "the order of this list matters (C10)")
            return


def _object(policy: ObjectOf, schema: Mapping[str, Any], rng: Random) -> Iterator[Miss]:
    """Each key in turn changed, then dropped where it must be there; and one that nobody asked for."""
    value, known = gold(policy), schema.get("properties", {})
    for key, part in [*_shuffled(policy.keys, rng), *policy.defaults.items()]:
        if miss := next(misses(part, known.get(key, {}), rights(part), rng), None):
            yield Miss("leaf_changed", {**value, key: miss.value}, f"{key}: {miss.note}")
    for key in policy.keys:
        yield Miss("key_dropped", {name: part for name, part in value.items() if name != key}, f"{key} is missing")
    extra = unlisted({**known, **value})
    yield Miss("key_added", {**value, extra: "as requested"}, f"{extra} was not asked for (C8)")


def _shuffled(keys: Mapping[str, Policy], rng: Random) -> list[tuple[str, Policy]]:
    return rng.sample(list(keys.items()), len(keys))


def unlisted(names: Container[str]) -> str:
    """A name that none of these is, for what nobody asked for."""
    return next(name for name in ("comment", "remark", "x_comment") if name not in names)


_KINDS: dict[str, Any] = {"string": 7, "integer": "7", "number": "7", "boolean": "true", "array": "[]", "object": "{}"}


def _outside(definition: Mapping[str, Any]) -> Iterator[Miss]:
    kind = definition.get("type")
    if isinstance(kind, str) and kind in _KINDS:
        yield Miss("outside_definition", _KINDS[kind], f"not of the type {kind!r} (C7)")


def squashed(text: str) -> str:
    """A text as an over-eager comparison sees it: lower case, letters and digits alone."""
    return re.sub(r"[\W_]+", "", text).lower()
