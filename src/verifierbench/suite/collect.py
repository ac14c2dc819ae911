"""Every candidate of some sources as a season wants them: validated, with its additions, without what it holds back.

What a season holds back is left out before anything else looks at it, and counted: a task that is held back, and a
task that has lost all cases of one label, are listed with the reason `withheld`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple, TypeAlias

import msgspec

from verifierbench.core import Candidate, Inconsistent, Season, Task, Unavailable, UserError
from verifierbench.sources import source

from .plugin import Plugin
from .store import Excluded
from .validate import validate

Progress: TypeAlias = Callable[[str, int, int], None]
"""`progress(stage, done, total)`."""


class Collected(NamedTuple):
    """What a suite is made of."""

    candidates: tuple[Candidate, ...]
    withheld: tuple[Excluded, ...]


def collect(
    sources: Sequence[str], season: Season, say: Progress, plugin: Plugin | None = None, only: Sequence[str] = ()
) -> Collected:
    """Every candidate of the named sources and of the season's plug-in, under the aliases the season draws.

    `only` are patterns as file names have in a shell; where there are any, tasks whose id matches none are left alone.

    Raises `MalformedInput` for a candidate that breaks a rule, `Unavailable` for a source that is not ready, and
    `UserError` where the season holds back a task that a named source does not have: that is a misspelt name.
    """
    if plugin is None and season.plugin is not None:
        raise UserError(f"season {season.name!r} has a plug-in, {season.plugin}: hand it over with the season's file")
    met: set[str] = set()
    operators: set[str] = set()
    kept: list[Candidate] = []
    withheld: list[Excluded] = []
    for candidate in _all(sources, season, say, plugin):
        if candidate.task.id in met:
            raise Inconsistent(f"two tasks are called {candidate.task.id}")
        met.add(candidate.task.id)
        operators |= {case.operator for case in candidate.cases}
        if only and not any(fnmatchcase(candidate.task.id, pattern) for pattern in only):
            continue
        held = _held_back(candidate, season)
        if held is None:
            kept.append(_drawn(_without_operators(candidate, season), season))
            validate(kept[-1])
        else:
            withheld.append(held)
    _refuse_unknown(sources, season, met)
    _refuse_unmatched(only, met)
    _tell_unmet([name for name in season.withheld_operators if name not in operators], say)
    _refuse_twins([candidate.task for candidate in kept])
    return Collected(tuple(kept), tuple(withheld))


def _all(sources: Sequence[str], season: Season, say: Progress, plugin: Plugin | None) -> Iterator[Candidate]:
    for name in dict.fromkeys(sources):
        status = source(name).status()
        if not status.ready:
            raise Unavailable(f"source {name!r} is not ready: {status.needs}")
        count = 0
        for count, candidate in enumerate(source(name).candidates(season), 1):
            yield candidate if plugin is None else plugin.extend(candidate, season)
            say(f"reading {name}", count, 0)
        say(f"reading {name}", count, count)
    if plugin is not None:
        yield from plugin.candidates(season)


def _held_back(candidate: Candidate, season: Season) -> Excluded | None:
    """Why the season leaves a task out, if it does."""
    task, left = candidate.task, _without_operators(candidate, season).cases
    if task.id in season.withheld_tasks:
        return _withheld(task, "the season holds the task back")
    missing = {case.label for case in candidate.cases} - {case.label for case in left}
    if missing:
        labels = " or ".join(sorted(label.value for label in missing))
        return _withheld(task, f"no {labels} case is left without the operators the season holds back")
    return None


def _without_operators(candidate: Candidate, season: Season) -> Candidate:
    """A candidate without the cases of operators that are held back, and without controls of attacks that went."""
    gone = {case.id for case in candidate.cases if case.operator in season.withheld_operators}
    left = tuple(case for case in candidate.cases if case.id not in gone and case.control_of not in gone)
    return msgspec.structs.replace(candidate, cases=left)


def _withheld(task: Task, why: str) -> Excluded:
    return Excluded(task=task.id, source=task.source, reason="withheld", evidence=(why,))


def _drawn(candidate: Candidate, season: Season) -> Candidate:
    task = msgspec.structs.replace(candidate.task, drawn_alias=season.alias(candidate.task.id))
    return msgspec.structs.replace(candidate, task=task)


def _refuse_unknown(sources: Sequence[str], season: Season, met: set[str]) -> None:
    for name in season.withheld_tasks:
        if name not in met and name.partition("/")[0] in sources:
            raise UserError(f"season {season.name!r} holds back {name!r}, which none of its sources has")


def _refuse_unmatched(only: Sequence[str], met: set[str]) -> None:
    for pattern in only:
        if not any(fnmatchcase(name, pattern) for name in met):
            raise UserError(f"no task of these sources matches {pattern!r}; `suite show` lists the ids of a suite")


def _tell_unmet(operators: Sequence[str], say: Progress) -> None:
    """Name operators that made nothing: misspelt perhaps, or of other sources, or not drawn in this season."""
    if operators:
        say(f"held-back operators without a case here ({', '.join(operators)})", len(operators), len(operators))


def _refuse_twins(tasks: Sequence[Task]) -> None:
    """Refuse two tasks under one alias: one would be written over the other."""
    by_alias = {task.alias: task.id for task in tasks}
    for task in tasks:
        if by_alias[task.alias] != task.id:
            raise UserError(f"the season gives {task.id} and {by_alias[task.alias]} one alias: make another season")
