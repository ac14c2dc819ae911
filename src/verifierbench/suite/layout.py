"""What stands in each file of a suite, as bytes: the build writes it, and what stands is compared with it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any

import msgspec

from verifierbench.core import Case, MalformedInput, Record, SourceRecord, Task, canonical_hash, sha256
from verifierbench.core.files import encode, read_bytes
from verifierbench.sources.protected import notice

from .materials import shared_file
from .store import BuildEvent

LOCK = "lock.json"
SEASON = "hidden/season.json"
AUDIT = "hidden/audit.json"

_PASSING = frozenset(
    {
        LOCK,
        *(f"hidden/evidence.sqlite{end}" for end in ("", "-wal", "-shm", "-journal", ".flights")),
        *(f"hidden/audit.sqlite{end}" for end in ("", "-wal", "-shm", "-journal")),
        *(f"hidden/audit.{end}" for end in ("json", "html", "sarif", "xml", "txt")),
    }
)
"""May come and go: the lock itself, evidence that can be computed again, and what an audit writes."""


def lasting(directory: Path) -> Iterator[str]:
    """Every file a suite is made of, by its path in it, in order; without those that may come and go.

    Links and empty folders are among them: no suite is made of any, so they are seen to be too much.
    """
    found = []
    for folder, folders, names in os.walk(directory):
        place = Path(folder).relative_to(directory)
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        found += [(place / name).as_posix() for name in (*names, *links)]
        if not (folders or names):
            found.append(place.as_posix())
    return (path for path in sorted(found) if path not in _PASSING)


def irregular(directory: Path) -> tuple[str, ...]:
    """Links, pipes and whatever else is neither a plain file nor a folder: nothing of it may be read."""
    found = (
        (path, (directory / path).lstat().st_mode)
        for path in (LOCK, *lasting(directory))
        if _is_there(directory / path)
    )
    return tuple(path for path, mode in found if not (S_ISREG(mode) or S_ISDIR(mode)))


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def fingerprint(directory: Path) -> str:
    """Identity of every lasting file's bytes; raises `MalformedInput` for what is no plain file."""
    for path in irregular(directory):
        raise MalformedInput(directory / path, "", "not a plain file; a suite is made of nothing else")
    return canonical_hash({path: sha256(read_bytes(directory / path)) for path in lasting(directory)})


def public_files(task: Task) -> dict[str, bytes]:
    """A task's own files of the public half: what an agent is told, and which materials are read in parts."""
    files: dict[str, Any] = {"task.json": task.public}
    if task.apart:
        files["materials.json"] = {material.name: material.hash for material in task.apart}
    return {f"public/{task.alias}/{name}": encode(content) for name, content in files.items()}


def shared_files(tasks: Iterable[Task]) -> set[str]:
    """The files of what tasks read in parts, whose names say what they hold."""
    return {shared_file(material) for task in tasks for material in task.apart}


def notices(sources: Iterable[str]) -> dict[str, bytes]:
    """What a suite made of protected sources says to its holder, and what keeps it out of a repository."""
    said = notice(sources)
    return {"PROTECTED.txt": f"{said}.\n".encode(), ".gitignore": b"*\n"} if said else {}


def events(cases: Sequence[Case], records: Iterable[Record], checked: Iterable[SourceRecord]) -> Iterator[BuildEvent]:
    """The build ledger: every label before any decision, and the reference's before upstream's."""
    steps = [("labelled", case.id, canonical_hash([case.id, case.content_hash, case.label.value])) for case in cases]
    steps += [("reference", record.case, canonical_hash(msgspec.to_builtins(record))) for record in records]
    steps += [("source_checker", record.case, canonical_hash(msgspec.to_builtins(record))) for record in checked]
    for number, (event, case, digest) in enumerate(steps):
        yield BuildEvent(sequence=number, event=event, case=case, hash=digest)
