"""What moved, and what it is compared with: a suite as it stands, its lock, and the season's keys."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from verifierbench.core import MalformedInput, Task
from verifierbench.core.files import decode_lines, read_bytes

from .lock import Keys, Lock, LockedCase
from .materials import stored_tasks

T = TypeVar("T")


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is not as it was locked."""

    kind: str
    """`case content`, `label`, `clause`, `reference`, `record`, `public half`, `extra file`, …"""
    file: str
    """The file's path in the suite; empty where this machine is meant."""
    place: str
    """A line, a JSON path or a name; may be empty."""
    says: str

    def __str__(self) -> str:
        """One sentence with file, place and kind."""
        where = ", ".join(filter(None, (self.file, self.place)))
        return f"{where}: {self.says} ({self.kind})" if where else f"{self.says} ({self.kind})"


class Look:
    """A suite that is looked into, and what it is compared with."""

    def __init__(self, directory: Path, lock: Lock, keys: Keys) -> None:
        self.directory, self.lock, self.keys = directory, lock, keys
        self.alias_of = {case.id: task.alias for task in lock.tasks for case in task.cases}
        """A case's keyed name → its task's alias."""
        self.cases: dict[str, LockedCase] = {case.id: case for task in lock.tasks for case in task.cases}

    def lines(self, path: str, form: type[T]) -> Iterator[tuple[str, T]]:
        """The entries of a JSON Lines file, each with its place; raises `MalformedInput`."""
        for number, entry in enumerate(decode_lines(self.directory / path, form), 1):
            yield f"line {number}", entry

    def untouched(self, path: str) -> bytes | None:
        """The bytes of a file that is as it was locked; None where it is not, or is not there."""
        file = self.directory / path
        data = read_bytes(file) if file.exists() else b""
        return data if self.keys.file(path, data) == self.lock.files.get(path) else None

    @cached_property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks as they are written down, without what they read in parts."""
        return tuple(stored_tasks(self.directory))

    def called(self, name: str) -> str:
        """The id of a case by its keyed name: what is missing from one file is still named by another."""
        return self._told.get(name, "whose id no file tells any more")

    @cached_property
    def _told(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for path in ("hidden/build.jsonl", "hidden/records.jsonl", "hidden/cases.jsonl"):
            found |= {self.keys.name(case): case for case in _ids(self.directory / path)}
        return found


def difference(then: Any, now: Any, place: str = "$") -> str | None:
    """The JSON path of the first difference between two documents; None where there is none."""
    if type(then) is not type(now):
        return place
    if isinstance(then, dict):
        if list(then) != list(now):
            changed = sorted(then.keys() ^ now.keys())
            return f"{place}.{changed[0]}" if changed else place
        return _first(difference(then[name], now[name], f"{place}.{name}") for name in then)
    if isinstance(then, list):
        if len(then) != len(now):
            return place
        return _first(difference(a, b, f"{place}[{n}]") for n, (a, b) in enumerate(zip(then, now, strict=True)))
    return None if then == now else place


def _first(places: Iterator[str | None]) -> str | None:
    return next((place for place in places if place is not None), None)


def _ids(path: Path) -> Iterator[str]:
    """Case ids that a hidden file tells, as far as it can be read."""
    try:
        for entry in decode_lines(path, dict):
            yield str(entry.get("case", entry.get("id", "")))
    except MalformedInput:
        return
