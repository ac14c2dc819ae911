"""The ledger's entries as predicates: where upstream's comparison of one value differs from the reference's, and why.

Each is about one value at one argument of one call that is due, and is computed from the reference, the public
definition and the ledger's repairs. None looks at a label or at a decision, so none can be true merely because upstream
and the label disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from verifierbench.core import Verdict
from verifierbench.families.tool_call.checks import accepts, same
from verifierbench.sources.due import Place, rights
from verifierbench.sources.ledger import Defect
from verifierbench.sources.squashing import squashed

from .curation import MAY_BE_LEFT_OUT, curation


class _Omitted:
    """An argument that a call leaves out; equal to no value."""

    def __repr__(self) -> str:
        return "leaving it out"


OMITTED: Final = _Omitted()
"""What an entry is asked about where an argument is left out: gold's way to write it is a value of its own here."""


class Lapse(NamedTuple):
    """One way in which upstream's comparison of a value differs from the reference's."""

    defect: str
    holds: Callable[[Place, Any], bool]
    says: str
    """What is to be said of `{value}`."""


def lapses(said: Verdict, entry: str) -> tuple[Lapse, ...]:
    """Every way to accept what is wrong, or to reject what is right, in one entry; the most particular first."""
    repaired = [defect for defect in curation().defect if defect.task == entry]
    if said is Verdict.PASS:
        removals = [_repair(each, _removed, _REMOVED) for each in repaired if each.remove]
        return (*removals, *WIDER)
    return (*(_repair(each, _added, _ADDED) for each in repaired if each.add), *NARROWER)


def upstreams(place: Place) -> list[Any]:
    """What upstream's own gold lists for an argument, as far as the reference has it too: without our additions.

    Of an object, every way to state or leave the keys that are free.
    """
    added = [value for defect in _repairs(place) for value in defect.add]
    known = [spelt for value in rights(place.right) for spelt in _spelt(place.right, value)]
    return [value for value in known if not any(same(value, other) for other in added)]


def removed(place: Place) -> list[Any]:
    """The values that upstream's own gold lists and the ledger takes out."""
    return [value for defect in _repairs(place) for value in defect.remove if value != MAY_BE_LEFT_OUT]


def droppable(place: Place) -> bool:
    """Whether upstream's gold lets the argument be left out: it is read so, and no repair says the contrary."""
    if any(MAY_BE_LEFT_OUT in defect.add for defect in _repairs(place)):
        return False
    if any(MAY_BE_LEFT_OUT in defect.remove for defect in _repairs(place)):
        return True
    read = next((each for each in curation().task if each.id == place.entry), None)
    return place.may_omit or (read is not None and place.argument in read.call[place.call].stated)


def _spelt(policy: Mapping[str, Any], value: Any) -> list[Any]:
    """A right value of an object with any of its free keys stated at their defaults; any other value as it is."""
    free = policy.get("defaults", {}) if policy["policy"] == "object" else {}
    stated = [(key, default) for key, part in free.items() for default in rights(part)]
    some = [chosen for size in range(len(stated) + 1) for chosen in combinations(stated, size)]
    return [{**value, **dict(chosen)} for chosen in some] if free else [value]


def _repair(defect: Defect, holds: Callable[[Defect, Place, Any], bool], says: str) -> Lapse:
    return Lapse(defect.id, lambda place, value: holds(defect, place, value), says)


def _repairs(place: Place) -> list[Defect]:
    at = (place.entry, place.call, place.argument)
    return [each for each in curation().defect if (each.task, each.call, each.argument) == at]


def _like(value: Any, values: Sequence[Any]) -> bool:
    """Whether upstream cannot tell a value from one of others."""
    return any(same(squashed(value), squashed(other)) for other in values)


def _removed(defect: Defect, place: Place, value: Any) -> bool:
    """A value that gold has, and that upstream could tell from all that is right."""
    return defect in _repairs(place) and _listed(value, defect.remove) and not _like(value, upstreams(place))


def _added(defect: Defect, place: Place, value: Any) -> bool:
    """A value that gold lacks, and that upstream can tell from all it has."""
    return (
        defect in _repairs(place)
        and _listed(value, defect.add)
        and not _like(value, [*upstreams(place), *removed(place)])
    )


def _listed(value: Any, values: Sequence[Any]) -> bool:
    """Whether a repair is about a value; about one left out where it lists that."""
    if value is OMITTED:
        return MAY_BE_LEFT_OUT in values
    return _like(value, [each for each in values if each != MAY_BE_LEFT_OUT])


def _empty(place: Place, value: Any) -> bool:
    return value == "" and place.schema.get("type") == "string" and not place.required and droppable(place)


def _another_member(place: Place, value: Any) -> bool:
    return value in place.schema.get("enum", ()) and _like(value, upstreams(place))


def _enumerated(place: Place, value: Any) -> bool:
    closed = "enum" in place.schema or "enum" in (place.schema.get("items") or {})
    return closed and _like(value, upstreams(place))


def _squashed(place: Place, value: Any) -> bool:
    return _like(value, upstreams(place))


def _python_equal(place: Place, value: Any) -> bool:
    """An object that is right but for booleans and numbers that Python takes for one another."""
    return isinstance(value, dict) and any(squashed(value) == squashed(right) for right in upstreams(place))


def _in_order(place: Place, value: Any) -> bool:
    """A right list that is none of upstream's, in whose order every element counts."""
    return isinstance(value, list) and accepts(place.right, value) and not _like(value, list(rights(place.right)))


def _written_otherwise(place: Place, value: Any) -> bool:
    """A number in another type than upstream's: 5.0 for an integer; 5 in a list where gold has fractions."""
    items = place.schema.get("items") or {}
    if not isinstance(value, list):
        return _integral(place.schema, value)
    known = [part for right in upstreams(place) if isinstance(right, list) for part in right]
    fractions = items.get("type") == "number" and any(isinstance(part, float) for part in known)
    return any(_integral(items, part) or (fractions and type(part) is int) for part in value)


def _integral(schema: Mapping[str, Any], value: Any) -> bool:
    return schema.get("type") == "integer" and isinstance(value, float) and value.is_integer()


_REMOVED = "{value} passes like what the ledger removes from gold"
_ADDED = "{value} is rejected, and the ledger adds it to gold"
WIDER = (
    Lapse("B2", _another_member, "{value} passes for another member of the enumeration"),
    Lapse("B3", _empty, "{value} passes for an argument that may be left out"),
    Lapse("B3", _enumerated, "{value} passes for a member of the enumeration"),
    Lapse("B1", _squashed, "{value} passes, for upstream deletes from texts what tells it from a right value"),
    Lapse("B7", _python_equal, "{value} passes for an object whose booleans and numbers are others"),
)
"""Whatever the entry: what passes though it is wrong."""
NARROWER = (
    Lapse("B4", _in_order, "{value} has the right elements, and upstream asks for its own order"),
    Lapse(
        "B6", _written_otherwise, "{value} has the right value, and upstream asks for another way to write the number"
    ),
)
"""Whatever the entry: what is rejected though it is right."""
