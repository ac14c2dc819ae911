"""From sources to a suite: collect, label, decide, write.

The order is the point. Every label is hashed into the build ledger before the reference runs, and the reference's
decisions are recorded before any upstream checker runs. A candidate whose reference disagrees with its labels, or whose
environment this machine cannot run, is excluded with its reason, never dropped in silence; so is what the season holds
back.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from verifierbench.core import MalformedInput, Season, UserError
from verifierbench.sources import source

from .asking import ask
from .collect import Progress, collect
from .judge import UNAVAILABLE, judge, version_here
from .layout import LOCK
from .plugin import Plugin
from .store import Suite, read_manifest, suite_hash
from .workshop import beside, put_in_place
from .write import Contents, write_suite


def build(
    directory: Path,
    sources: Sequence[str],
    season: Season,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    replace: bool = False,
    plugin: Plugin | None = None,
    only: Sequence[str] = (),
) -> Suite:
    """Build a suite in a directory and return it; a directory that already holds the same suite is left as it is.

    `plugin` is the season's, where it has one (`open_plugin`); `only` are patterns of the ids of the tasks wanted.

    Another suite there is only replaced where `replace` says so, because the runs made on it could not be scored any
    more. Raises `MalformedInput` for a candidate that breaks a rule, `UserError` when the place is taken,
    `Unavailable` when a source is not installed or the disk refuses.
    """
    say = progress or (lambda _stage, _done, _total: None)
    directory = directory.resolve()
    _refuse_occupied(directory)
    candidates, withheld = collect(sources, season, say, plugin, only)
    made_of = suite_hash(candidates)
    if _holds(directory, made_of, season.commitment, replace=replace):
        return Suite.load(directory)
    with beside(directory) as workshop:
        judged = judge(candidates, workshop, workers, lambda n, m: say("deciding", n, m))
        kept = [entry.candidate for entry in judged if entry.excluded is None]
        checked = ask(kept, workshop, workers, say)
        suite = Contents(
            season=season,
            plugin=plugin.source if plugin is not None else None,
            sources={name: source(name).status().version for name in sources},
            only=only,
            candidates=kept,
            records=[record for entry in judged if entry.excluded is None for record in entry.records],
            source_records=checked,
            excluded=[*(entry.excluded for entry in judged if entry.excluded is not None), *withheld],
            made_of=made_of,
        )
        write_suite(workshop, suite)
        put_in_place(workshop, directory)
    return Suite.load(directory)


def _refuse_occupied(directory: Path) -> None:
    """Say at once, not after minutes of reading sources, that a place is no place for a suite."""
    if directory.exists() and not directory.is_dir():
        raise UserError(f"{directory} is a file; name a directory")
    if directory.exists() and any(directory.iterdir()) and not (directory / "suite.json").exists():
        raise UserError(f"{directory}: not empty and not a suite; name another directory")


def _holds(directory: Path, made_of: str, commitment: str, *, replace: bool) -> bool:
    if not (directory / "suite.json").exists():
        return False
    try:
        manifest = read_manifest(directory)
    except MalformedInput:
        if replace:  # what cannot be read, such as a suite of an earlier version, is another suite
            return False
        raise
    if (manifest.made_of, manifest.commitment) == (made_of, commitment):
        return _stands(directory, replace=replace)
    if not replace:
        raise UserError(
            f"{directory} holds another suite, which runs may rest on; name another directory, or --replace it"
        )
    return False


def _stands(directory: Path, *, replace: bool) -> bool:
    if _is_whole(directory):
        return True
    if (directory / LOCK).exists() and not replace:
        raise UserError(f"{directory} is locked and would be built anew; `suite verify` it first, or --replace it")
    return False


def _is_whole(directory: Path) -> bool:
    """Whether the suite stands as this machine would build it, and nothing is left out that it might be able to run."""
    try:
        suite = Suite.load(directory)
    except MalformedInput:
        return False
    tasks = {case.id: case.task for case in suite.all_cases}
    decided = {tasks[record.case]: record.environment_version for record in suite.records}
    here = ((version_here(task), decided.get(task.id)) for task in suite.tasks)
    moved = any(now is not None and now != then for now, then in here)
    return not moved and all(excluded.reason != UNAVAILABLE for excluded in suite.excluded)
