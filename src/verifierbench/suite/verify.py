"""Whether a locked suite still stands; and if not, the first thing that moved.

Every file's hash is compared first, which is quick and misses nothing. A file that moved is then looked into, the
most telling place first: a case's content or label, a clause, a record, a line; and only when all of these stand is it
said of the file as a whole. What a lock says of this machine's environments is compared last.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import MalformedInput, Season, Task, UserError
from verifierbench.core.files import encode, read_bytes
from verifierbench.families import family
from verifierbench.sources import environment_for

from .layout import LOCK, SEASON, irregular, lasting
from .lock import Keys, Lock, read_lock
from .moved import Look, Moved
from .naming import explain, order
from .seasons import read_season
from .store import Suite, read_manifest


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What a verification found."""

    moved: Moved | None
    """The first thing that moved; None where all stands."""
    notes: tuple[str, ...] = ()
    """What could not be compared, or is worth knowing, in one sentence each."""
    checked: dict[str, int] = {}
    """How much was compared: files, tasks, cases, records, environments."""

    @property
    def ok(self) -> bool:
        """Whether all stands."""
        return self.moved is None

    def with_proof(self, moved: Moved | None) -> Verified:
        """This, after a revealed season was put to the proof."""
        notes = self.notes if moved else (*self.notes, "the season is the one committed to, and makes this very suite")
        return msgspec.structs.replace(self, moved=moved, notes=notes)


def verify(directory: Path) -> Verified:
    """Compare a suite with its lock; raises `UserError` where there is no suite or no lock."""
    if not (directory / LOCK).exists():
        read_manifest(directory)
    notes: list[str] = []
    checked: dict[str, int] = {}
    moved = next(_movements(directory, notes, checked), None)
    return Verified(moved=moved, notes=tuple(notes), checked=checked)


def _movements(directory: Path, notes: list[str], checked: dict[str, int]) -> Iterator[Moved]:
    for path in irregular(directory):
        yield Moved(kind="extra file", file=path, place="", says="it is no plain file, and a suite has no others")
    try:
        lock = read_lock(directory)
    except MalformedInput as error:
        yield _unreadable("lock", LOCK, error)
        return
    try:
        season = read_season(directory / SEASON)
    except MalformedInput as error:
        yield _unreadable("season", SEASON, error)
        return
    yield from _seals(directory, lock, season)
    yield from _files(directory, lock, season)
    suite = Suite.load(directory)
    checked |= {
        "files": len(lock.files),
        "tasks": len(suite.tasks),
        "cases": len(suite.all_cases),
        "records": len(suite.records),
    }
    if not lock.audited:
        notes.append("it was locked without an audit")
    yield from _installed(suite, lock, Keys(season), notes, checked)


def _seals(directory: Path, lock: Lock, season: Season) -> Iterator[Moved]:
    """The season and the lock vouch for one another; suite.json says which of them to believe."""
    if season.commitment != lock.commitment:
        if _committed(directory) == season.commitment:
            yield Moved(kind="lock", file=LOCK, place="$.commitment", says="the lock names another season")
        yield Moved(kind="season", file=SEASON, place="", says="it is not the season that was committed to")
    if Keys(season).seal(lock) != lock.seal or read_bytes(directory / LOCK) != encode(lock):
        yield Moved(kind="lock", file=LOCK, place="", says="the lock itself was edited: its seal is broken")


def _committed(directory: Path) -> str | None:
    try:
        return read_manifest(directory).commitment
    except MalformedInput:
        return None


def _files(directory: Path, lock: Lock, season: Season) -> Iterator[Moved]:
    keys, found = Keys(season), set(lasting(directory))
    for path in sorted(lock.files.keys() - found):
        yield Moved(kind="missing file", file=path, place="", says="it is missing")
    look = Look(directory, lock, keys)
    for path in sorted(lock.files, key=order):
        if keys.file(path, read_bytes(directory / path)) != lock.files[path]:
            yield from explain(look, path)
    for path in sorted(found - lock.files.keys()):
        yield Moved(kind="extra file", file=path, place="", says="it was not there when the suite was locked")


def _installed(suite: Suite, lock: Lock, keys: Keys, notes: list[str], checked: dict[str, int]) -> Iterator[Moved]:
    """What the suite's decisions rest on besides its files: the checks and environments installed here."""
    closed: dict[str, list[str]] = {}
    locked = {task.alias: task for task in lock.tasks}
    for task in suite.tasks:
        library = task.reference.library
        if library and library != family(task.family).checks_version:
            says = f"the checks of family {task.family.value} installed here are not those it was locked with"
            yield Moved(kind="reference", file="", place=f"task {task.id}", says=says)
        expected = locked[task.alias].environment
        if expected is None:
            continue
        version = _version(task, closed)
        if version is not None:
            checked["environments"] = checked.get("environments", 0) + 1
            if keys.environment(task, version) != expected:
                says = "its environment as installed here is not the one it was locked with"
                yield Moved(kind="environment", file="", place=f"task {task.id}", says=says)
    notes += [f"the environments of {len(names)} tasks were not compared: {why}" for why, names in closed.items()]


def _version(task: Task, closed: dict[str, list[str]]) -> str | None:
    """The version of a task's environment as it is installed here; None, and noted, where it cannot be opened."""
    try:
        environment = environment_for(task)
        if environment is None:
            closed.setdefault("their source does not offer them here", []).append(task.id)
            return None
        try:
            return environment.version
        finally:
            environment.close()
    except UserError as error:
        closed.setdefault(str(error), []).append(task.id)
        return None


def _unreadable(kind: str, file: str, error: MalformedInput) -> Moved:
    return Moved(kind=kind, file=file, place=error.place, says=f"it cannot be read: {error.cause}")


def as_json(found: Verified) -> dict[str, Any]:
    """The machine contract of `suite verify --json`."""
    return {
        "schema": 1,
        "ok": found.ok,
        "moved": None if found.moved is None else {**msgspec.to_builtins(found.moved), "sentence": str(found.moved)},
        "notes": list(found.notes),
        "checked": found.checked,
    }
