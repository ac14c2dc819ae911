"""The defects of upstream that have been reproduced, and which of them a task can meet at all.

Each was run on the pinned version, by somebody and on entries that need not be tasks here. A defect is in reach of a
task where some solution exists on which it would show: a value that the defect lets through or turns down, in an
argument that this task has. Reach is computed from tasks alone and never from cases, so that what no operator makes
is seen as missed, and what lies outside the tasks is seen as out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from verifierbench.core import Task, atoms
from verifierbench.families.tool_call.checks import accepts, is_number, same
from verifierbench.sources.due import Place, Slot, rights, slots
from verifierbench.sources.squashing import squashed

from .data import category_of
from .lapses import NARROWER, OMITTED, WIDER, Lapse, droppable, removed, upstreams
from .tasks import entry_id


class Known(NamedTuple):
    """One reproduced defect."""

    id: str
    what: str
    meets: Callable[[Task], bool]
    """Whether some solution of the task would show it."""
    entries: tuple[str, ...] = ()
    """Entries of our ledger that are instances of it, beside the one of its own id."""
    values: Callable[[Place], Iterable[Any]] | None = None
    """The values that would show it at a place; None where it is not about one value."""


def exposing(known: Known, task: Task) -> Iterator[tuple[Place, Any]]:
    """Values that would show a defect, each at its place in a solution that is otherwise right and passes upstream."""
    if known.values is not None:
        yield from _shown(known.values, task)


def _shown(values: Callable[[Place], Iterable[Any]], task: Task) -> Iterator[tuple[Place, Any]]:
    """Nothing where upstream lets no answer pass: there no value makes a difference."""
    places = list(_places(task))
    if all(upstreams(place) or droppable(place) for place in places):
        yield from ((place, value) for place in places for value in values(place))


def _places(task: Task) -> Iterator[Place]:
    return (place for slot in slots(task) for place in slot.places.values())


def _by_value(identifier: str, what: str, values: Callable[[Place], Iterable[Any]], *entries: str) -> Known:
    return Known(identifier, what, lambda task: any(True for _ in _shown(values, task)), entries, values)


def _category(*names: str) -> Callable[[Task], bool]:
    return lambda task: category_of(entry_id(task.id)).startswith(names)


def _entry(*names: str) -> Callable[[Task], bool]:
    return lambda task: entry_id(task.id) in names


def _never(_task: Task) -> bool:
    return False


_Variants: TypeAlias = Callable[[Place, Any], Iterable[Any]]
"""Other values beside a right one."""


def _passing(defect: str, variants: _Variants) -> Callable[[Place], Iterator[Any]]:
    """Variants of what is right that are wrong here and pass there."""
    known = [lapse for lapse in WIDER if lapse.defect == defect]
    return lambda place: (each for each in _tried(place, variants, known) if not accepts(place.right, each))


def _falling(defect: str, variants: _Variants) -> Callable[[Place], Iterator[Any]]:
    """Variants of what is right that are right here too and fall there."""
    known = [lapse for lapse in NARROWER if lapse.defect == defect]
    return lambda place: (each for each in _tried(place, variants, known) if accepts(place.right, each))


def _tried(place: Place, variants: _Variants, known: list[Lapse]) -> Iterator[Any]:
    tried = (each for value in upstreams(place) or [None] for each in variants(place, value))
    return (each for each in tried if any(lapse.holds(place, each) for lapse in known))


def _dashed(_place: Place, value: Any) -> Iterator[Any]:
    """A mark put where it changes the word and upstream deletes it."""
    if isinstance(value, str) and len(value) > 1:
        yield f"{value[0]}-{value[1:]}"
    if isinstance(value, list) and value and isinstance(value[0], str):
        yield [f"{value[0]}-", *value[1:]]


def _swapped_or_empty(place: Place, value: Any) -> Iterator[Any]:
    yield ""
    if isinstance(value, str) and "enum" in place.schema:
        yield value.swapcase()


def _reversed(_place: Place, value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        yield value[::-1]


def _floats(_place: Place, value: Any) -> Iterator[Any]:
    if is_number(value):
        yield float(value)
    if isinstance(value, list):
        yield [float(part) if is_number(part) else part for part in value]


def _python_equal(place: Place) -> Iterator[Any]:
    """Objects in which a boolean stands for the number Python takes it for, or the other way round."""
    for value in upstreams(place):
        if isinstance(value, dict):
            for key, part in value.items():
                if isinstance(part, bool):
                    yield {**value, key: int(part)}
                elif is_number(part) and part in (0, 1):
                    yield {**value, key: bool(part)}


def _members_alike(place: Place) -> Iterator[Any]:
    """Another member of the enumeration that upstream cannot tell from a right one."""
    for value in upstreams(place):
        others = (each for each in place.schema.get("enum", ()) if not accepts(place.right, each))
        yield from (each for each in others if same(squashed(each), squashed(value)))


def _undefined_gold(task: Task) -> bool:
    """Whether upstream's gold lists a wrong value that the definition excludes, or lets go what the user stated."""
    import jsonschema  # heavy, and asked by nothing else here

    for place in _places(task):
        fits = jsonschema.Draft202012Validator(dict(place.schema)).is_valid
        if (droppable(place) and not place.may_omit) or not all(map(fits, removed(place))):
            return True
    return False


def _unlisted_default(place: Place) -> Iterator[Any]:
    """A documented default that the reference takes and upstream's gold does not list."""
    known = upstreams(place)
    if place.may_omit:
        yield from (value for value in rights(place.right) if not any(same(value, other) for other in known))


def _greedy(task: Task) -> bool:
    """Whether a call fits two due calls of which the earlier has another way: then the first come takes it."""
    due = slots(task)
    pairs = ((one, other) for n, one in enumerate(due) for other in due[n + 1 :] if one.tool == other.tool)
    return any(_overlap(one, other) for one, other in pairs)


def _overlap(one: Slot, other: Slot) -> bool:
    mine, theirs = _choices(one), _choices(other)
    names = mine.keys() | theirs.keys()
    pairs = [(mine.get(name, [OMITTED]), theirs.get(name, [OMITTED])) for name in names]
    return all(_common(*pair) for pair in pairs) and any(len(_common(*pair)) < len(pair[0]) for pair in pairs)


def _choices(slot: Slot) -> dict[str, list[Any]]:
    found = {}
    for place in slot.places.values():
        listed = [squashed(value) for value in (*upstreams(place), *removed(place))]
        found[place.argument] = [*listed, *([OMITTED] if droppable(place) else [])]
    return found


def _common(mine: list[Any], theirs: list[Any]) -> list[Any]:
    return [
        one
        for one in mine
        if any(one is other or (OMITTED not in (one, other) and same(one, other)) for other in theirs)
    ]


_TURNS = _category("multi_turn")


def _waits(task: Task) -> bool:
    """Whether a turn of the task has to wait."""
    return any(atom.check == "replied" for atom in atoms(task.reference.root))


def _undictated(task: Task) -> bool:
    """Whether a turn brings about a text that its words leave open."""
    effects = (atom for atom in atoms(task.reference.root) if atom.check == "after_turn")
    return any(atom.parameters["right"]["policy"] == "fits" for atom in effects)


KNOWN = (
    _by_value("B1", "texts are compared without some characters, and without their meaning", _passing("B1", _dashed)),
    _by_value("B2", "members of an enumeration that differ in letter case alone pass for one another", _members_alike),
    _by_value("B3", "members in another case, and an explicit empty text, pass", _passing("B3", _swapped_or_empty)),
    _by_value("B4", "a list that is meant as a set is rejected in another order", _falling("B4", _reversed)),
    Known("B5", "calls are matched to due calls first come, first served", _greedy),
    _by_value("B6", "an integer written with a fraction of zero is rejected", _falling("B6", _floats)),
    _by_value("B7", "true passes for 1 inside an object", _python_equal),
    Known("B8", "the text decoder changes and evaluates what it decodes (a solution here is decoded already)", _never),
    Known("B9", "instances are shared between the checks of one entry (a process of its own is asked here)", _never),
    Known("B10", "calls are evaluated as program text (arguments are data here)", _never),
    Known("B11", "a literal equal to the expected output passes for the call", _TURNS),
    Known("B12", "turns that call for a question are not checked", _waits),
    Known("B13", "where the user stands and arguments that leave no trace are not compared (nobody asks here)", _never),
    Known("B14", "an output that does not parse counts as no call (a solution here is decoded already)", _never),
    Known("B15", "an answer passes wherever it contains the right text", _category("memory", "web_search")),
    Known(
        "B18",
        "no answer can pass",
        _entry("live_multiple_862-181-3", "live_multiple_964-207-0", "live_simple_106-63-0", "live_simple_112-68-0"),
        ("D44", "D45"),
    ),
    Known(
        "B19",
        "gold demands an empty or null argument",
        _entry("live_multiple_507-149-4", "live_multiple_1038-265-0"),
        ("D46",),
    ),
    Known("B20", "gold demands a value the user did not say", _entry("live_multiple_17-4-9", "live_multiple_8-4-0")),
    Known("B21", "gold demands a text that no call returns", _entry("multi_turn_base_4")),
    Known("B22", "free text nobody dictated is compared exactly", _undictated),
    Known("B23", "gold lists half of what the user asked for", _entry("parallel_multiple_156"), ("D34",)),
    Known(
        "B24",
        "gold lists what the definition excludes, or lets go what the user stated",
        _undefined_gold,
        ("D32", "D33", "D39", "D42", "D43"),
    ),
    _by_value("B25", "a documented default, stated, is rejected", _unlisted_default, "D24", "D37"),
)
"""In the order of their ids; what was only read about, or is mended in the pinned version, is not among them."""
