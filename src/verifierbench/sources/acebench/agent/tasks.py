"""From an upstream agent entry and our reading of it to an executable task with its cases.

Gold is played in the simulators and held against upstream's end state; what it changes is the most that may change,
and the values our reading points at are what has to be brought about. A pointer at which gold leaves nothing, or words
that stand nowhere, are `Inconsistent`: a task is right or is not made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from verifierbench.core import Candidate, Inconsistent, Season, Span, at
from verifierbench.families.tool_call import Brief
from verifierbench.families.tool_call.policies import OneOf, Policy
from verifierbench.families.tool_call.session.build import INITIAL_STATE, SAID_BY_THE_USER, SAID_TO_THE_USER, build
from verifierbench.families.tool_call.session.environment import Simulators
from verifierbench.families.tool_call.session.protocol import NOTHING
from verifierbench.families.tool_call.session.selectors import way_of
from verifierbench.families.tool_call.session.spec import Effect, Lookup, Spec, Turn, Way, frame_of
from verifierbench.families.tool_call.session.values import infer
from verifierbench.families.tool_call.spans import quotable, strings

from ..data import SOURCE_VERSION
from ..tasks import SOURCE, task_id
from .around import INTRUSIONS, LOOKS, PROBES, around
from .curation import Another, Brought, Calls, Curated, Curation, Looked
from .data import SPOKEN_TO, Entry
from .environment import NAME
from .gold import agree


def candidates(
    entries: Mapping[str, Entry], curation: Curation, simulators: Simulators, season: Season
) -> Iterator[Candidate]:
    """Every curated task, in the table's order."""
    for curated in curation.task:
        entry = entries[curated.id]
        play = _player(simulators, entry.id)
        yield build(
            id=task_id(entry.id),
            source=SOURCE,
            source_version=SOURCE_VERSION,
            environment=NAME,
            said=(entry.question,),
            head=SAID_TO_THE_USER if entry.category == SPOKEN_TO else SAID_BY_THE_USER,
            tools=entry.tools,
            spec=spec(entry, curated, curation, play),
            play=play,
            season=season,
        )


def spec(entry: Entry, curated: Curated, curation: Curation, play: Any) -> Spec:
    """What the task asks for; raises `Inconsistent` where data and reading do not fit together."""
    run, start = play([{"turns": [{"calls": list(curated.calls)}]}, NOTHING])
    before, after = start["turns"][0]["state"], run["turns"][0]["state"]
    agree(entry, after, curation.defect)
    return Spec(
        turns=(_turn(_Told(entry, before), curated, run["turns"][0]["results"], (before, after)),),
        tools={tool["name"]: 0 for tool in entry.tools},
        looks=around(LOOKS, entry.classes),
        probes=around(PROBES, entry.classes),
        intrusions=around(INTRUSIONS, entry.classes),
        others=curated.others,
    )


class _Told:
    """What can be read: the user's words, what the initial state says, the tools."""

    def __init__(self, entry: Entry, state: Any) -> None:
        self._entry, self._state = entry, state
        self._brief = Brief(instruction=entry.question, tools=entry.tools)

    def find(self, why: Iterable[str], says: Iterable[str] = ()) -> tuple[Span, ...]:
        """Words of the user and, where these send the reader there, words that stand in the initial state."""
        return (*map(self._heard, why), *map(self._read, says))

    def _heard(self, words: str) -> Span:
        if span := self._brief.in_instruction(words):
            return span
        raise Inconsistent(f"{self._entry.id}: the user has not said {words!r}")

    def _read(self, words: str) -> Span:
        if not quotable(words) or not any(words in text for text in strings(self._state)):
            raise Inconsistent(f"{self._entry.id}: the initial state does not say {words!r}")
        return Span(material=INITIAL_STATE, quote=words)

    def parameters(self, tool: str) -> dict[str, Any]:
        return self._brief.parameters(tool)


def _turn(told: _Told, read: Curated, results: Sequence[dict[str, Any]], states: tuple[Any, Any]) -> Turn:
    if failed := [result["name"] for result in results if "error" in result]:
        raise Inconsistent(f"{read.id}: gold's calls of {', '.join(failed)} fail")
    return Turn(
        calls=read.calls,
        effects=tuple(_effect(told, one, states[1]) for one in read.effect),
        lookups=tuple(_lookup(told, one, results) for one in read.lookup),
        frame=frame_of(*states, [one.at for one in read.effect], read.may),
        spans=told.find(read.bounds),
        ways=tuple(map(_way, read.way)),
        wrong=tuple(map(_way, read.wrong)),
        first=read.first,
    )


def _way(one: Calls) -> Way:
    return Way(calls=one.calls, note=one.note, but=one.but)


def _effect(told: _Told, one: Brought, after: Any) -> Effect:
    return Effect(at=one.at, right=_policy(one, at(after, one.at)), spans=told.find(one.why, one.says))


def _policy(one: Brought, value: Any) -> Policy:
    """How a value is compared; what nothing public settles is accepted, and no case turns on it."""
    if not one.also and not one.undecided:
        return infer(value)
    return OneOf(
        tuple(infer(right) for right in (value, *_like(value, one.also))),
        tuple(map(infer, _like(value, one.undecided))),
    )


def _like(value: Any, others: Iterable[Any]) -> Iterator[Any]:
    """Other values; of a record only what is otherwise need be said."""
    for other in others:
        yield value | other if isinstance(value, dict) else other


def _lookup(told: _Told, one: Looked, results: Sequence[dict[str, Any]]) -> Lookup:
    seen = next((result for result in results if result["name"] == one.call), None)
    if seen is None:
        raise Inconsistent(f"gold looks nothing up with {one.call}")
    ways = [way_of(told.parameters(one.call), one.call, seen["arguments"])]
    ways += [_other(told, other) for other in one.also]
    return Lookup(ways=tuple(ways), spans=told.find(one.why, one.says))


def _other(told: _Told, other: Another) -> dict[str, Any]:
    """A way that counts only where its result has these values."""
    way = way_of(told.parameters(other.name), other.name, other.arguments, other.free)
    return {**way, "result": {pointer: msgspec.to_builtins(infer(value)) for pointer, value in other.shows.items()}}


def _player(simulators: Simulators, scenario: str) -> Any:
    def play(requests: Sequence[Any]) -> list[Any]:
        return simulators.play_all(scenario, requests)

    return play
