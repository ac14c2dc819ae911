"""Operators that make a session wrong by accident: left undone, half done, nearly right, or with something broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from random import Random
from typing import Any

from verifierbench.core import CaseKind

from ..misses import Miss, misses
from .scene import Proposal, Scene, put, with_argument, with_calls
from .valid import Make, drawn
from .values import infer


def nothing(scene: Scene, _: Random) -> Iterator[Proposal]:
    """No call at all."""
    turns = scene.gold
    for turn in turns:
        turn["calls"] = []
    yield Proposal(turns=turns, note="nothing is called", effect="wrong", firm=True)


def only_looked(scene: Scene, _: Random) -> Iterator[Proposal]:
    """The calls that change nothing, and no others."""
    turns = scene.gold
    for turn, played in zip(turns, scene.run["turns"], strict=True):
        seen = zip(turn["calls"], played["results"], strict=True)
        turn["calls"] = [call for call, result in seen if not result["changed"]]
    yield Proposal(turns=turns, note="nothing is done, some things are looked up", effect="wrong")


def turn_dropped(scene: Scene, _: Random) -> Iterator[Proposal]:
    """A whole turn in which nothing is called."""
    for number, turn in enumerate(scene.spec.turns):
        if turn.calls:
            note = f"in turn {number + 1} nothing is called"
            yield Proposal(turns=with_calls(scene.gold, number, []), note=note, effect="wrong")


def call_dropped(scene: Scene, _: Random) -> Iterator[Proposal]:
    """One call left out, where something asked for is missing then."""
    for number, place, call, _seen in scene.places():
        turns = scene.gold
        del turns[number]["calls"][place]
        yield Proposal(turns=turns, note=f"{call['name']} is missing in turn {number + 1}", effect="wrong")


def argument_missed(scene: Scene, rng: Random) -> Iterator[Proposal]:
    """One argument nearly right, where something asked for comes out wrong; of each argument one, then another."""
    found = [
        [(number, place, name, miss.value) for miss in islice(_misses(scene, call["name"], name, value, rng), 3)]
        for number, place, call, _seen in scene.places()
        for name, value in call["arguments"].items()
    ]
    for rank in zip_longest(*found):
        yield from (_given(scene, *one) for one in rank if one is not None)


def _misses(scene: Scene, tool: str, name: str, value: Any, rng: Random) -> Iterator[Miss]:
    return misses(infer(value), scene.schema(tool, name), [value], rng)


def element_missed(scene: Scene, _: Random) -> Iterator[Proposal]:
    """Each text of a list dropped or changed in turn, and one more."""
    for number, place, call, _seen in scene.places():
        for name, value in call["arguments"].items():
            if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
                for at, part in enumerate(value):
                    yield _given(scene, number, place, name, [*value[:at], f"{part}x", *value[at + 1 :]])
                    yield _given(scene, number, place, name, [*value[:at], *value[at + 1 :]])
                yield _given(scene, number, place, name, [*value, f"{value[0][:1]}More"])


def other_selected(scene: Scene, _: Random) -> Iterator[Proposal]:
    """Another file, record or symbol in the place of the one that was asked about."""
    for number, place, call, _seen in scene.places():
        for name, value in call["arguments"].items():
            for other in scene.spec.others.get(name, ()):
                if other != value:
                    yield _given(scene, number, place, name, other)


def text_extended(scene: Scene, _: Random) -> Iterator[Proposal]:
    """A given text with something of the assistant's own behind it."""
    for number, place, call, _seen in scene.places():
        for name, value in call["arguments"].items():
            if isinstance(value, str) and " " in value:
                yield _given(scene, number, place, name, f"{value} (as asked)")


def argument_added(scene: Scene, _: Random) -> Iterator[Proposal]:
    """An optional argument nobody asked for, at a value that is not its default."""
    for number, place, call, _seen in scene.places():
        known = scene.parameters(call["name"])
        for name, schema in known.get("properties", {}).items():
            if name not in call["arguments"] and name not in known.get("required", ()):
                for value in _others(schema):
                    yield _given(scene, number, place, name, value)


def replaced(scene: Scene, _: Random) -> Iterator[Proposal]:
    """Other calls in the place of a turn's own, as the spec lists them."""
    for number, turn in enumerate(scene.spec.turns):
        for way in turn.wrong:
            yield Proposal(turns=with_calls(scene.gold, number, way.calls), note=way.note, effect="wrong", firm=True)


def intruded(scene: Scene, rng: Random) -> Iterator[Proposal]:
    """Everything done, and in one turn something changed that nobody asked for."""
    for number, turn in enumerate(scene.spec.turns):
        for call in drawn(scene.spec.intrusions, rng, scene, number)[:4]:
            note = f"{call['name']} in turn {number + 1} changes what nobody asked for"
            for place in (len(turn.calls), 0):
                turns = put(scene.gold, number, place, call)
                yield Proposal(turns=turns, note=note, effect="wrong", clauses=(f"turn{number + 1}.frame",))


def also_elsewhere(scene: Scene, _: Random) -> Iterator[Proposal]:
    """Everything done, and the same to something else as well."""
    for number, place, call, seen in scene.places():
        for name in call["arguments"] if seen["changed"] else ():
            for other in scene.spec.others.get(name, ()):
                more = {"name": call["name"], "arguments": {**call["arguments"], name: other}}
                turns = put(scene.gold, number, place + 1, more)
                note = f"{call['name']} in turn {number + 1} with {name} {other!r} as well"
                yield Proposal(turns=turns, note=note, effect="wrong", clauses=(f"turn{number + 1}.frame",))


def _given(scene: Scene, number: int, place: int, name: str, value: Any) -> Proposal:
    call = scene.spec.turns[number].calls[place]
    note = f"turn {number + 1}: {name} of {call['name']} is {value!r}"
    return Proposal(turns=with_argument(scene.gold, number, place, name, value), note=note, effect="wrong")


def _others(schema: dict[str, Any]) -> Sequence[Any]:
    kind, default = schema.get("type"), schema.get("default")
    if kind == "integer" and isinstance(default, int):
        return (default + 1,)
    if kind == "array":
        return (["@everyone"],)
    return ("Anything else.",) if kind == "string" and default == "" else ()


OPERATORS: dict[str, tuple[CaseKind, Make]] = {
    "nothing": (CaseKind.BASE, nothing),
    "only_looked": (CaseKind.BASE, only_looked),
    "turn_dropped": (CaseKind.PARTIAL, turn_dropped),
    "call_dropped": (CaseKind.PARTIAL, call_dropped),
    "argument_missed": (CaseKind.NEAR_MISS, argument_missed),
    "element_missed": (CaseKind.NEAR_MISS, element_missed),
    "other_selected": (CaseKind.NEAR_MISS, other_selected),
    "text_extended": (CaseKind.NEAR_MISS, text_extended),
    "argument_added": (CaseKind.NEAR_MISS, argument_added),
    "replaced": (CaseKind.NEAR_MISS, replaced),
    "intruded": (CaseKind.REGRESSION, intruded),
    "also_elsewhere": (CaseKind.REGRESSION, also_elsewhere),
}
