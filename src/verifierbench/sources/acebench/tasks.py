"""From an upstream entry and our reading of it to a task with its cases.

Gold comes from upstream's data, repaired by the ledger; how a value is compared follows from the family's conventions
and the translated tool definition. Where data and reading do not fit together `Inconsistent` is raised: a task is
right or is not made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verifierbench.core import Candidate, Inconsistent, Season, Span
from verifierbench.families.tool_call import Brief, Call, OneOf, Spec, build, due, infer
from verifierbench.families.tool_call.replies import Reply, Why, build_reply
from verifierbench.sources.ledger import LEDGER, Defect, repaired

from .conversation import DUE, brief, is_conversation
from .curation import HERE, Curated, Curation, Due
from .data import SOURCE_VERSION, Entry

SOURCE = "acebench"
WHY = {
    "special_incomplete": Why.MISSING,
    "special_error_param": Why.MALFORMED,
    "special_irrelevant": Why.UNFIT,
}
"""What a category of tasks without calls is answered by."""


def task_id(entry: str) -> str:
    """`en_normal_atom_bool_0` → `acebench/en_normal_atom_bool_0`."""
    return f"{SOURCE}/{entry}"


def candidates(entries: Mapping[str, Entry], curation: Curation, season: Season) -> Iterator[Candidate]:
    """Every curated task, in the table's order."""
    for curated in curation.task:
        yield candidate(entries[curated.id], curated, curation.defect, season)


def candidate(entry: Entry, curated: Curated, defects: tuple[Defect, ...], season: Season) -> Candidate:
    """One curated task."""
    common: dict[str, Any] = {
        "id": task_id(entry.id),
        "source": SOURCE,
        "source_version": SOURCE_VERSION,
        "brief": brief(entry),
        "season": season,
    }
    if entry.category in WHY:
        return build_reply(reply=reply(entry, curated), **common)
    return build(spec=spec(entry, curated, defects), **common)


def reply(entry: Entry, curated: Curated) -> Reply:
    """The right reply of an entry that no call answers."""
    told, why, gold = brief(entry), WHY[entry.category], entry.gold
    if why is Why.MISSING and list(gold) != [curated.tool]:
        raise Inconsistent(f"{entry.id}: gold speaks of {', '.join(gold)} and the reading of {curated.tool}")
    return Reply(
        why=why,
        asked=tuple(told.find(words) for words in curated.asked),
        tool=curated.tool,
        parameters=tuple(gold[curated.tool]) if why is Why.MISSING else (),
        values={name: value for name, (value,) in gold.items()} if why is Why.MALFORMED else {},
        guess=None if curated.guess is None else {"name": curated.guess.name, "arguments": curated.guess.arguments},
        framing=_framing(entry),
    )


def spec(entry: Entry, curated: Curated, defects: tuple[Defect, ...]) -> Spec:
    """The right calls; raises `Inconsistent` where data and reading do not fit together."""
    told, gold = brief(entry), list(entry.gold.items())
    if len(gold) != len(curated.call):
        raise Inconsistent(f"{entry.id}: gold has {len(gold)} calls and the reading {len(curated.call)}")
    calls = [
        _call(told, (entry.id, place), called(told, name), arguments, reading, defects)
        for place, ((name, arguments), reading) in enumerate(zip(gold, curated.call, strict=True))
    ]
    return Spec(calls=tuple(calls), framing=_framing(entry))


def called(told: Brief, name: str) -> str:
    """The tool a key of gold means: gold numbers the calls of one tool (`_1`, `_2`)."""
    names = {tool["name"] for tool in told.tools}
    return name if name in names else re.sub(r"_\d+$", "", name)


def _framing(entry: Entry) -> tuple[Span, ...]:
    return (Span(material="instruction", quote=DUE),) if is_conversation(entry) else ()


def _call(
    told: Brief, at: tuple[str, int], tool: str, gold: Mapping[str, Any], reading: Due, defects: tuple[Defect, ...]
) -> Call:
    right: dict[str, Any] = {}
    for name, value in gold.items():
        if known := repaired([value], defects, (*at, name), Path(HERE / LEDGER)):
            right[name] = _policy(told, tool, name, known)
    if extra := reading.said.keys() - right.keys():
        raise Inconsistent(f"{at[0]}: the reading speaks of {sorted(extra)}, which call {at[1]} does not state")
    return due(told, tool, right, why=reading.why, because=reading.said, documented=reading.documented)


def _policy(told: Brief, tool: str, name: str, known: list[Any]) -> Any:
    """How an argument is compared: the conventions' policy of each accepted value, the first being gold."""
    found = [infer(told.schema(tool, name), value) for value in known]
    return found[0] if len(found) == 1 else OneOf(tuple(found))
