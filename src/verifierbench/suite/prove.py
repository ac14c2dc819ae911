"""Proof that a suite was made as its season says: the commitment is the published one, and a rebuild gives the same.

Nothing is executed: candidates are made anew from the sources, and labels never depend on a checker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from verifierbench.core import Candidate, Case, Season, Unavailable
from verifierbench.sources import source

from .collect import collect
from .moved import Moved
from .plugin import open_plugin
from .seasons import read_season
from .store import Suite, candidate_hash, suite_hash


def prove(directory: Path, season_file: Path, say: Callable[[str, int, int], None]) -> Moved | None:
    """Whether a revealed season made this suite: None, or the first thing that is another.

    Raises `Unavailable` where a source is not installed here in the version the suite was made from, and
    `MalformedInput` for a season file, or a plug-in beside it, that cannot be used.
    """
    suite, season = Suite.load(directory), read_season(season_file)
    if season.commitment != suite.manifest.commitment:
        says = f"season {season.name!r} as revealed is not the one that was committed to"
        return Moved(kind="season", file="suite.json", place="$.commitment", says=says)
    _refuse_other_versions(suite)
    plugin = open_plugin(season, season_file.parent)
    candidates, withheld = collect(tuple(suite.manifest.sources), season, say, plugin, suite.manifest.only)
    if suite_hash(candidates) != suite.manifest.made_of:
        return next(_differences(suite, season, candidates))
    kept_back = {entry.task for entry in withheld}
    if kept_back != {entry.task for entry in suite.excluded if entry.reason == "withheld"}:
        return Moved(kind="excluded list", file="hidden/excluded.jsonl", place="", says="other tasks were held back")
    return None


def _refuse_other_versions(suite: Suite) -> None:
    for name, version in suite.manifest.sources.items():
        status = source(name).status()
        if not status.ready:
            raise Unavailable(f"the suite is made of source {name!r}, which is not ready: {status.needs}")
        if status.version != version:
            raise Unavailable(f"the suite is made of {name} {version}; here it is {status.version}: install that one")


def _differences(suite: Suite, season: Season, candidates: Iterable[Candidate]) -> Iterator[Moved]:
    tasks = {task.id: Candidate(task=task, cases=suite.cases(task)) for task in suite.tasks}
    excluded = {entry.task: entry.reason for entry in suite.excluded}
    made = {candidate.task.id for candidate in candidates}
    for candidate in candidates:
        name = candidate.task.id
        if name not in tasks and excluded.get(name, "withheld") == "withheld":
            told = "says is held back" if name in excluded else "lacks"
            yield _moved(f"season {season.name!r} makes task {name}, which the suite {told}")
        if name in tasks and candidate_hash(candidate) != candidate_hash(tasks[name]):
            what = _difference(tasks[name], candidate)
            yield _moved(f"season {season.name!r} makes task {name} otherwise: {what}")
    for name in tasks:
        if name not in made:
            yield _moved(f"season {season.name!r} does not make task {name}")
    yield _moved("a candidate that did not stay is made otherwise")


def _difference(then: Candidate, now: Candidate) -> str:
    before, after = then.task.stored, now.task.stored
    for field in before.__struct_fields__:
        if getattr(before, field) != getattr(after, field):
            return f"another {field.replace('_', ' ')}"
    had, has = {case.id: case for case in then.cases}, {case.id: case for case in now.cases}
    for name in sorted(had.keys() | has.keys()):
        if name not in has or name not in had:
            return f"{'without' if name in had else 'with'} case {name}"
        if _plain(had[name]) != _plain(has[name]):
            return f"another case {name}"
    return "the same parts, written otherwise"


def _plain(case: Case) -> bytes:
    return msgspec.json.encode(case)


def _moved(says: str) -> Moved:
    return Moved(kind="rebuild", file="", place="", says=says)
