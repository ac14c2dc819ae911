"""From an upstream entry and our reading of it to a task with its cases.

Gold's values come from the installed data, repaired by the ledger; how each is compared follows from the family's
conventions and the translated tool definition. Where data and reading do not fit together (a call too many, a value
that gold lets a solver leave out but no words document) `Inconsistent` is raised: a task is right or is not made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verifierbench.core import Candidate, Inconsistent, Season
from verifierbench.families.tool_call import Brief, Call, ListOf, OneOf, Spec, Temptation, build, due, infer
from verifierbench.sources.ledger import Defect

from . import dialect
from .curation import MAY_BE_LEFT_OUT, Curated, Curation, Due, accepted
from .data import SOURCE_VERSION, Entry

SOURCE = "bfcl"


def task_id(entry: str) -> str:
    """`parallel_26` → `bfcl/parallel_26`."""
    return f"{SOURCE}/{entry}"


def entry_id(task: str) -> str:
    """`bfcl/parallel_26` → `parallel_26`."""
    return task.removeprefix(f"{SOURCE}/")


def candidates(entries: dict[str, Entry], curation: Curation, season: Season) -> Iterator[Candidate]:
    """Every curated task, in the table's order."""
    for curated in curation.task:
        entry = entries[curated.id]
        yield build(
            id=task_id(entry.id),
            source=SOURCE,
            source_version=SOURCE_VERSION,
            brief=brief(entry),
            spec=spec(entry, curated, curation.defect),
            season=season,
        )


def brief(entry: Entry) -> Brief:
    """What a solver is told."""
    return Brief(instruction=entry.instruction, tools=[dialect.tool(definition) for definition in entry.tools])


def spec(entry: Entry, curated: Curated, defects: tuple[Defect, ...]) -> Spec:
    """The right answer; raises `Inconsistent` where data and reading do not fit together."""
    told = brief(entry)
    gold = entry.gold or []
    if len(gold) != len(curated.call):
        raise Inconsistent(f"{entry.id}: gold has {len(gold)} calls and the reading {len(curated.call)}")
    calls = [
        _call(told, (entry.id, place), one, reading, defects)
        for place, (one, reading) in enumerate(zip(gold, curated.call, strict=True))
    ]
    return Spec(
        calls=tuple(calls),
        asked=tuple(told.find(words) for words in curated.asked),
        temptations=tuple(
            Temptation(call={"name": one.name, "arguments": one.arguments}, why=one.why) for one in curated.temptation
        ),
    )


def _call(
    told: Brief, at: tuple[str, int], gold: dict[str, dict[str, list[Any]]], reading: Due, defects: tuple[Defect, ...]
) -> Call:
    ((tool, arguments),) = gold.items()
    right: dict[str, Any] = {}
    for name, choices in arguments.items():
        values = [_plain(value, told.schema(tool, name)) for value in choices]
        known, droppable = accepted(values, defects, (*at, name))
        if droppable:
            _check_default(told, tool, name, known, reading)
        if not droppable or name in reading.stated:
            right[name] = _policy(told, tool, name, known, reading)
    if extra := {*reading.stated, *reading.said, *reading.gold, *reading.ordered, *reading.undecided} - right.keys():
        raise Inconsistent(f"{at[0]}: the reading speaks of {sorted(extra)}, which call {at[1]} does not state")
    return due(told, tool, right, why=reading.why, because=reading.said, documented=reading.documented)


def _policy(told: Brief, tool: str, name: str, known: list[Any], reading: Due) -> Any:
    """How an argument is compared: the conventions' policy of each accepted value, gold's first."""
    schema = told.schema(tool, name)
    first = reading.gold.get(name, known[0])
    if first not in known:
        raise Inconsistent(f"gold of {name} is to be {first!r}, which is not accepted")
    found = []
    for value in (first, *known):
        policy = infer(schema, value)
        if name in reading.ordered:
            policy = ListOf(tuple(infer(schema.get("items", {}), item) for item in value))
        if policy not in found:
            found.append(policy)
    if len(found) == 1:
        return found[0]
    return OneOf((found[0],), tuple(found[1:])) if name in reading.undecided else OneOf(tuple(found))


def _check_default(told: Brief, tool: str, name: str, known: list[Any], reading: Due) -> None:
    """Leaving an argument out is right only where a documented default is the right value, or nothing is."""
    documented = {
        **told.schema(tool, name),
        **({"default": reading.documented[name]} if name in reading.documented else {}),
    }
    if known and documented.get("default") not in known:
        raise Inconsistent(f"gold lets {name} of {tool} be left out, and no documented default is {known!r}")


def _plain(value: Any, schema: Mapping[str, Any]) -> Any:
    """One accepted value as a solver writes it: gold gives each key of an object a list of its own.

    A key that gold lets go is left to its documented default, which gold has to list.
    """
    if not isinstance(value, dict):
        return value
    known = schema.get("properties", {})
    free = {key for key, choices in value.items() if MAY_BE_LEFT_OUT in choices}
    if undocumented := sorted(key for key in free if known.get(key, {}).get("default") not in value[key]):
        raise Inconsistent(f"gold lets keys of an object be left out that have no such default: {undocumented}")
    if any(len(choices) != 1 for key, choices in value.items() if key not in free):
        raise Inconsistent(f"gold leaves a choice inside an object: {sorted(value)}")
    return {key: choices[0] for key, choices in value.items() if key not in free}
