"""Writing a suite's files into its workshop, all of them from one description, so that they cannot disagree."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from verifierbench.core import Candidate, Record, Season, SourceRecord
from verifierbench.core.files import encode, encode_lines, write_atomically

from .layout import SEASON, events, notices, public_files
from .materials import write_tasks
from .seasons import write_private
from .store import Excluded, Manifest, suite_hash


class Contents(NamedTuple):
    """All that a suite is made from."""

    season: Season
    plugin: bytes | None
    sources: Mapping[str, str]
    """Name → exact version."""
    only: Sequence[str]
    """Patterns of the tasks it is limited to."""
    candidates: Sequence[Candidate]
    """Those that stay; records follow their order."""
    records: Sequence[Record]
    source_records: Sequence[SourceRecord]
    excluded: Sequence[Excluded]
    made_of: str


def write_suite(workshop: Path, contents: Contents) -> None:
    """Write every file but the evidence, in the place of whatever an interrupted build had written."""
    _clear(workshop)
    for path, data in notices(contents.sources).items():
        write_atomically(workshop / path, data)
    tasks = [candidate.task for candidate in contents.candidates]
    cases = [case for candidate in contents.candidates for case in candidate.cases]
    for task in tasks:
        for path, data in public_files(task).items():
            write_atomically(workshop / path, data)
    hidden, season = workshop / "hidden", contents.season
    write_private(workshop / SEASON, encode(season))
    if contents.plugin is not None and season.plugin is not None:
        write_private(hidden / season.plugin, contents.plugin)
    write_tasks(workshop, tasks)
    write_atomically(hidden / "cases.jsonl", encode_lines(cases))
    write_atomically(hidden / "records.jsonl", encode_lines(contents.records))
    write_atomically(hidden / "source_records.jsonl", encode_lines(contents.source_records))
    write_atomically(hidden / "excluded.jsonl", encode_lines(contents.excluded))
    ledger = events(cases, contents.records, contents.source_records)
    write_atomically(hidden / "build.jsonl", encode_lines(ledger))
    manifest = Manifest(
        season=season.name,
        commitment=season.commitment,
        sources=dict(contents.sources),
        only=tuple(contents.only),
        tasks=len(tasks),
        cases=len(cases),
        excluded=len(contents.excluded),
        hash=suite_hash(contents.candidates),
        made_of=contents.made_of,
    )
    write_atomically(workshop / "suite.json", encode(manifest))


def _clear(workshop: Path) -> None:
    shutil.rmtree(workshop / "public", ignore_errors=True)
    for path in (workshop / "hidden").iterdir():
        if not path.name.startswith("evidence.sqlite"):
            path.unlink()
