"""From an upstream multi-turn entry and our reading of it to an executable task with its cases.

Gold is played in the simulators; what it changes is the most a turn may change, and the values our reading points at
are what a turn has to bring about. A pointer at which gold leaves nothing, or words that the turn does not say, are
`Inconsistent`: a task is right or is not made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifierbench.core import Candidate, Inconsistent, Season, Span, at
from verifierbench.families.tool_call import Brief
from verifierbench.families.tool_call.policies import Exact, Fits, OneOf, Policy, Wording
from verifierbench.families.tool_call.session.build import build
from verifierbench.families.tool_call.session.environment import Simulators
from verifierbench.families.tool_call.session.protocol import NOTHING
from verifierbench.families.tool_call.session.selectors import way_of
from verifierbench.families.tool_call.session.spec import Effect, Lookup, Spec, Turn, Way, frame_of
from verifierbench.families.tool_call.session.values import infer

from ..data import SOURCE_VERSION
from ..tasks import SOURCE, task_id
from .around import INTRUSIONS, LOOKS, PROBES, around
from .curation import Brought, Curated, CuratedTurn, Curation, Looked
from .data import Entry
from .environment import NAME

FREE = ("/GorillaFileSystem/current_directory",)
"""Where the user stands is for nobody to say, unless a turn asks for it; none of these does."""
APOLOGY = "I cannot do that yet."


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
            said=said(entry),
            tools=entry.tools,
            spec=spec(entry, curated, play),
            play=play,
            season=season,
        )


def said(entry: Entry) -> tuple[str, ...]:
    """What the user says in each turn; where a turn only brings tools, that it does."""
    return tuple(text or _brings(entry, number) for number, text in enumerate(entry.turns))


def spec(entry: Entry, curated: Curated, play: Any) -> Spec:
    """What the task asks for; raises `Inconsistent` where data and reading do not fit together."""
    if len(curated.turn) != len(entry.turns):
        raise Inconsistent(f"{entry.id}: it has {len(entry.turns)} turns and the reading {len(curated.turn)}")
    run, start = play([{"turns": [{"calls": list(turn)} for turn in entry.gold]}, NOTHING])
    states = [start["turns"][0]["state"], *(turn["state"] for turn in run["turns"])]
    turns = [
        _turn(
            _Told(entry, number),
            read,
            entry.gold[number],
            run["turns"][number]["results"],
            (states[number], states[number + 1]),
        )
        for number, read in enumerate(curated.turn)
    ]
    return Spec(
        turns=tuple(turns),
        tools={tool["name"]: entry.later.get(tool["name"], 0) for tool in entry.tools},
        free=FREE,
        looks=around(LOOKS, entry.classes),
        probes=around(PROBES, entry.classes),
        intrusions=around(INTRUSIONS, entry.classes),
        others=curated.others,
        apology=APOLOGY,
    )


class _Told:
    """What the user has said up to a turn, and the tools."""

    def __init__(self, entry: Entry, number: int) -> None:
        self._texts, self._tools = said(entry)[number::-1], entry.tools
        self._where = f"{entry.id}, turn {number + 1}"

    def find(self, words: str) -> Span:
        for text in self._texts:
            if span := Brief(instruction=text, tools=[]).in_instruction(words):
                return span
        raise Inconsistent(f"{self._where}: the user has not said {words!r}")

    def parameters(self, tool: str) -> dict[str, Any]:
        return Brief(instruction="", tools=self._tools).parameters(tool)


def _turn(
    told: _Told,
    read: CuratedTurn,
    calls: Sequence[dict[str, Any]],
    results: Sequence[dict[str, Any]],
    states: tuple[Any, Any],
) -> Turn:
    effects = tuple(_effect(told, one, states[1]) for one in read.effect)
    pinned = [one.at for one in read.effect]
    return Turn(
        calls=tuple(calls),
        effects=effects,
        lookups=tuple(_lookup(told, one, results) for one in read.lookup),
        frame=frame_of(*states, pinned, read.may.changed),
        waits=(told.find(read.waits),) if read.waits else (),
        ways=tuple(Way(calls=one.calls, note=one.note) for one in read.way),
        wrong=tuple(Way(calls=one.calls, note=one.note) for one in read.wrong),
    )


def _effect(told: _Told, one: Brought, after: Any) -> Effect:
    spans = (told.find(one.why),)
    if one.gone:
        return Effect(at=one.at, right=None, spans=spans)
    value = at(after, one.at)
    return Effect(at=one.at, right=_policy(one, value), spans=spans)


def _policy(one: Brought, value: Any) -> Policy:
    """How a value is compared; what nothing public settles is accepted, and no case turns on it."""
    if one.any_text:
        return Fits(_same_shape(value), (value,))
    if one.whole:
        return Exact(value)
    undecided: list[Policy] = []
    if one.open_end:
        undecided.append(Exact(value.rstrip(".")))
    if one.at_least:
        undecided.append(Fits({"type": "string", "pattern": re.escape(value)}, (value,)))
    if one.case:
        undecided.append(Wording(value))
    return OneOf((infer(value),), tuple(undecided)) if undecided else infer(value)


def _same_shape(value: Any) -> dict[str, Any]:
    """JSON Schema of values like this one, in which every text says something else."""
    match value:
        case list():
            return {"type": "array", "minItems": len(value), "maxItems": len(value), "items": _same_shape(value[0])}
        case dict():
            return {"type": "object", "properties": {key: _same_shape(part) for key, part in value.items()}}
    return {"type": "string", "pattern": r"\S"}


def _lookup(told: _Told, one: Looked, results: Sequence[dict[str, Any]]) -> Lookup:
    seen = next((result for result in results if result["name"] == one.call), None)
    if seen is None or "error" in seen:
        raise Inconsistent(f"gold looks nothing up with {one.call}")
    ways = [way_of(told.parameters(one.call), one.call, seen["arguments"], one.free)]
    if one.swap:
        first, second = one.swap
        arguments = {**seen["arguments"], first: seen["arguments"][second], second: seen["arguments"][first]}
        ways.append(way_of(told.parameters(one.call), one.call, arguments, one.free))
    for other in one.also:
        way = way_of(told.parameters(other.name), other.name, other.arguments, other.free)
        shown = {other.shows: infer(next(iter(seen["result"].values())))} if other.shows else {}
        ways.append(way_of_showing(way, shown))
    return Lookup(ways=tuple(ways), spans=(told.find(one.why),), sole=one.sole)


def way_of_showing(way: dict[str, Any], shown: Mapping[str, Policy]) -> dict[str, Any]:
    """A way that counts only where its result has these values."""
    import msgspec

    return {**way, "result": {pointer: msgspec.to_builtins(right) for pointer, right in shown.items()}}


def _brings(entry: Entry, number: int) -> str:
    names = ", ".join(name for name, since in entry.later.items() if since == number)
    return f"(Nothing new is asked. From now on there are more tools: {names}. Do now what had to wait.)"


def _player(simulators: Simulators, scenario: str) -> Any:
    def play(requests: Sequence[Any]) -> list[Any]:
        return simulators.play_all(scenario, requests)

    return play
