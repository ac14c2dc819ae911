"""What upstream takes for right, as the ledger describes it: one comparison, and the entries it rests on.

Each function says which entries of the ledger a value passes by that a plain comparison with gold would not need, or
None where upstream turns the value down. All of it is computed from the reference, the public definition and the
ledger's repairs; neither a label nor upstream's decision is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from verifierbench.families.tool_call.checks import same
from verifierbench.sources.due import Place, Slot, rights
from verifierbench.sources.ledger import Defect
from verifierbench.sources.squashing import squashed

from .curation import curation

Entries: TypeAlias = frozenset[str]

UNREAD, WITHIN, DROPPED, SHARED = "A2", "A3", "A4", "A5"
REPLY, ORDER, SQUASHED, PRINTED, LITERAL, STATED = "A11", "A13", "A14", "A15", "A16", "A17"

_PLAIN: Entries = frozenset()
_TYPES: dict[str, type] = {
    "string": str,
    "integer": int,
    "number": int,
    "boolean": bool,
    "array": list,
    "object": dict,
}
"""The type upstream asks of an argument itself; it takes a number for an integer."""
_LITERALS = {"true": True, "false": False}


def taken_call(slot: Slot, call: Mapping[str, Any]) -> Entries | None:
    """The entries by which upstream takes a call for one that is due."""
    places = {place.argument: place for place in slot.places.values() if listed(place)}
    given = call["arguments"]
    if call["name"] != slot.tool or any(place.required and name not in given for name, place in places.items()):
        return None
    used = {DROPPED} if places.keys() - given.keys() else set()
    for name, value in given.items():
        found = taken(places[name], value) if name in places else _undue(slot, name, value)
        if found is None:
            return None
        used |= found
    return frozenset(used)


def listed(place: Place) -> bool:
    """Whether upstream's gold has the argument; where it may be left out, gold does not."""
    return not place.may_omit


def taken(place: Place, value: Any) -> Entries | None:
    """The entries by which upstream takes a value at a place that is due."""
    mine = [defect for defect in curation().defect if (defect.task, defect.call, defect.argument) == _at(place)]
    added = [each for defect in mine for each in defect.add]
    golds = [gold for gold in rights(place.right) if not any(same(gold, other) for other in added)]
    repairs = [defect for defect in mine if defect.remove]
    plain = _least(compared(place.schema, gold, value) for gold in golds)
    return plain if plain is not None else _removed(place.schema, repairs, value)


def compared(schema: Mapping[str, Any], gold: Any, value: Any) -> Entries | None:
    """Upstream's comparison of one argument with gold's value."""
    kind = _TYPES[schema["type"]]
    read = _LITERALS.get(value, value) if isinstance(value, str) else value
    if type(read) is not kind and type(read) is not type(gold) and read != gold:
        return None
    if kind in (int, bool):
        return _because(UNREAD, not same(read, gold)) | _because(LITERAL, read is not value)
    if kind is str:
        return _text(gold, value) if isinstance(read, str) else None
    if kind is dict:
        return _object(gold, value)
    return _list(schema, gold, value)


def _list(schema: Mapping[str, Any], gold: Any, value: list[Any]) -> Entries | None:
    if (schema.get("items") or {"type": "object"}).get("type", "object") != "object":
        return _because(SQUASHED, value != gold) if squashed(value) == squashed(gold) else None
    if len(value) != len(gold):
        return None
    return _all(_object(one, other) for one, other in zip(gold, value, strict=True))


def _object(gold: Mapping[str, Any], value: Any) -> Entries | None:
    """Key by key; what is not an object itself is compared as it is printed."""
    if not isinstance(value, dict) or value.keys() != gold.keys():
        return None
    return _all(_member(gold[key], part) for key, part in value.items())


def _member(gold: Any, value: Any) -> Entries | None:
    read = _LITERALS.get(value, value) if isinstance(value, str) else value
    if isinstance(gold, dict):
        return _object(gold, read)
    if isinstance(gold, str) and isinstance(read, str):
        return _text(gold, read)
    if _printed(gold) not in _printed(read):
        return None
    return _because(WITHIN, not same(gold, read)) | _because(LITERAL, read is not value)


def _printed(value: Any) -> str:
    return str(squashed(value) if isinstance(value, str) else value)


def _text(gold: str, value: str) -> Entries | None:
    if squashed(gold) not in squashed(value):
        return None
    whole = squashed(gold) == squashed(value)
    return _because(WITHIN, not whole) | _because(SQUASHED, whole and gold != value)


def _undue(slot: Slot, name: str, value: Any) -> Entries | None:
    """An argument gold has and the ledger takes out altogether."""
    place = next(iter(slot.places.values()), None)
    if place is None:
        return None
    at = (place.entry, place.call, name)
    repairs = [each for each in curation().defect if (each.task, each.call, each.argument) == at and each.remove]
    return _removed({"type": "string"}, repairs, value)


def _removed(schema: Mapping[str, Any], repairs: Iterable[Defect], value: Any) -> Entries | None:
    for defect in repairs:
        for gold in defect.remove:
            if (found := compared(schema, gold, value)) is not None:
                return found | {defect.id}
    return None


def _at(place: Place) -> tuple[str, int, str]:
    return place.entry, place.call, place.argument


def _because(entry: str, holds: bool) -> Entries:
    return frozenset({entry}) if holds else _PLAIN


def _all(parts: Iterator[Entries | None]) -> Entries | None:
    used: Entries = _PLAIN
    for part in parts:
        if part is None:
            return None
        used |= part
    return used


def _least(ways: Iterator[Entries | None]) -> Entries | None:
    """The way that rests on the fewest entries."""
    return min((way for way in ways if way is not None), key=len, default=None)
