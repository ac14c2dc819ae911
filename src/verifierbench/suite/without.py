"""A suite without some of its tasks: each is listed with its reason, and all that stays stands as it did."""

from __future__ import annotations

from collections.abc import Sequence

from verifierbench.core import Candidate, Inconsistent, UserError
from verifierbench.core.files import read_bytes

from .layout import LOCK
from .store import Excluded, Suite
from .whole import refuse_unless_whole
from .workshop import beside, put_in_place
from .write import Contents, write_suite


def without(suite: Suite, reasons: Sequence[Excluded]) -> Suite:
    """Move tasks out of a suite on disk, and return what it is then: another suite, with a hash of its own.

    A rebuild still finds its work done. Raises `UserError` for a locked suite, and where no task would be left;
    `MalformedInput` for one that is not whole.
    """
    if (suite.path / LOCK).exists():
        raise UserError(f"{suite.path} is locked: nothing can be moved out of it")
    season, gone = refuse_unless_whole(suite), {entry.task for entry in reasons}
    if gone - {task.id for task in suite.tasks}:
        raise Inconsistent(f"tasks to be moved out are not in the suite: {sorted(gone)}")
    kept = [Candidate(task=task, cases=suite.cases(task)) for task in suite.tasks if task.id not in gone]
    if not kept:
        raise UserError(f"no task of {suite.path} would be left")
    left = {case.id for candidate in kept for case in candidate.cases}
    contents = Contents(
        season=season,
        plugin=read_bytes(suite.path / "hidden" / season.plugin) if season.plugin is not None else None,
        sources=suite.manifest.sources,
        only=suite.manifest.only,
        candidates=kept,
        records=[record for record in suite.records if record.case in left],
        source_records=[record for record in suite.source_records if record.case in left],
        excluded=[*suite.excluded, *reasons],
        made_of=suite.manifest.made_of,
    )
    with beside(suite.path.resolve()) as workshop:
        write_suite(workshop, contents)
        put_in_place(workshop, suite.path.resolve())
    return Suite.load(suite.path)
