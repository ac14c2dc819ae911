"""What stands in each file of a suite, as bytes: the build writes it, and what stands is compared with it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from verifierbench.core import Case, Record, SourceRecord, Task, canonical_hash
from verifierbench.core.files import encode

from .store import BuildEvent

LOCK = "lock.json"
SEASON = "hidden/season.json"
AUDIT = "hidden/audit.json"

_PASSING = (LOCK, "hidden/evidence.sqlite*", "hidden/audit.*")
"""May come and go: the lock itself, evidence that can be computed again, and what an audit writes."""


def lasting(directory: Path) -> Iterator[str]:
    """Every file a suite is made of, by its path in it, in order; without those that may come and go."""
    found = []
    for folder, _, names in os.walk(directory):
        place = Path(folder).relative_to(directory)
        found += [(place / name).as_posix() for name in names]
    return (path for path in sorted(found) if not any(fnmatchcase(path, passing) for passing in _PASSING))


def public_files(task: Task) -> dict[str, bytes]:
    """The public half of one task: what an agent is told, and the materials that are read in parts."""
    apart = {material.name: material.content for material in task.materials if not material.inline}
    files: dict[str, Any] = {"task.json": task.public} | {f"materials/{name}.json": it for name, it in apart.items()}
    return {f"public/{task.alias}/{name}": encode(content) for name, content in files.items()}


def events(cases: Sequence[Case], records: Iterable[Record], checked: Iterable[SourceRecord]) -> Iterator[BuildEvent]:
    """The build ledger: every label before any decision, and the reference's before upstream's."""
    steps = [("labelled", case.id, canonical_hash([case.id, case.content_hash, case.label.value])) for case in cases]
    steps += [
        ("reference", record.case, canonical_hash([record.case_hash, record.reference_hash, record.verdict.value]))
        for record in records
    ]
    steps += [
        ("source_checker", record.case, canonical_hash([record.case_hash, record.checker_version]))
        for record in checked
    ]
    for number, (event, case, digest) in enumerate(steps):
        yield BuildEvent(sequence=number, event=event, case=case, hash=digest)
