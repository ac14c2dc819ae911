"""The other ways to write a right value: what each policy leaves free, and the convention that says so.

Only rewritings that are right by the text of a convention are made; whether a checker agrees is never asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from verifierbench.core import CaseKind

from .dates import parse_date, spellings
from .policies import Date, Fits, ListOf, Number, ObjectOf, OneOf, Policy, SetOf, Wording, gold

COSMETIC, ALTERNATIVE = CaseKind.COSMETIC, CaseKind.ALTERNATIVE
_EXACT_FLOATS = 2**53


class Freedom(NamedTuple):
    """One other way to write a value."""

    operator: str
    kind: CaseKind
    value: Any
    note: str


def freedoms(policy: Policy) -> Iterator[Freedom]:
    """The other ways to write the value of a policy; each differs from gold as bytes."""
    match policy:
        case Number(value):
            yield from _numbers(value)
        case Wording(text):
            yield from _texts(text)
        case Date(text):
            yield from _dates(text)
        case SetOf(items):
            yield from _orders(list(items))
            yield from _inside(list(items))
        case ListOf(items):
            yield from _inside(list(items))
        case ObjectOf():
            yield from _objects(policy)
        case OneOf(of):
            yield from (
                Freedom("accepted_value", ALTERNATIVE, gold(part), "the words allow this value too") for part in of[1:]
            )
            yield from freedoms(of[0])
        case Fits(_, examples):
            yield from (
                Freedom("accepted_value", ALTERNATIVE, other, "left open by the task") for other in examples[1:]
            )


def _numbers(value: int | float) -> Iterator[Freedom]:
    if isinstance(value, int) and abs(value) < _EXACT_FLOATS:
        yield Freedom("integral_number", ALTERNATIVE, float(value), f"{float(value)} is the integer {value} (C7)")
    elif isinstance(value, float) and value.is_integer() and abs(value) < _EXACT_FLOATS:
        yield Freedom("integral_number", ALTERNATIVE, int(value), f"{int(value)} is the number {value} (C7)")


def _texts(text: str) -> Iterator[Freedom]:
    for other in dict.fromkeys((text.lower(), text.upper())):
        if other != text and _only_case(text, other):
            yield Freedom("letter_case", COSMETIC, other, "letter case of words does not matter (C9)")
    yield Freedom("spacing", COSMETIC, f" {text.replace(' ', '  ')} ", "outer and repeated spaces do not matter (C9)")


def _only_case(text: str, other: str) -> bool:
    """Whether two texts pair off letter by letter; ß and its kind do not, and are left alone."""
    return len(text) == len(other) and all(a.lower() == b.lower() for a, b in zip(text, other, strict=True))


def _dates(text: str) -> Iterator[Freedom]:
    day = parse_date(text)
    if day is None:  # a Date holds a date
        return
    for other in spellings(day)[:3]:
        if other != text:
            yield Freedom("date_spelling", ALTERNATIVE, other, f"{other} is the same day (C11)")


def _orders(items: list[Policy]) -> Iterator[Freedom]:
    values = [gold(item) for item in items]
    for other in (values[::-1], values[1:] + values[:1]):
        if other != values:
            yield Freedom("set_order", ALTERNATIVE, other, "the order of this list is free (C10)")
        if len(values) == 2:
            return


def _inside(items: list[Policy]) -> Iterator[Freedom]:
    """The first freedom of the first element that has one: elements are alike."""
    for place, item in enumerate(items):
        for found in freedoms(item):
            values = [gold(part) for part in items]
            values[place] = found.value
            yield found._replace(value=values)
            return


def _objects(policy: ObjectOf) -> Iterator[Freedom]:
    value = gold(policy)
    if len(value) > 1:
        yield Freedom("key_order", COSMETIC, dict(reversed(value.items())), "the order of keys is free (C6)")
    for key, part in policy.keys.items():
        for found in freedoms(part):
            yield found._replace(value={**value, key: found.value})
            break
    for key, part in policy.defaults.items():
        note = f"{key} stated at its documented default (C8)"
        yield Freedom("default_stated", ALTERNATIVE, {**value, key: gold(part)}, note)
