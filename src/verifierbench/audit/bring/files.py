"""Files of a directory somebody else wrote: read whole or not at all, from inside that directory alone.

A name that leads out of the directory, a symbolic link on the way, a pipe, a file too large: each is refused before a
byte is used, in one sentence that names file, place and cause. Nothing here runs anything.
"""

from __future__ import annotations

import os
import posixpath
import re
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import msgspec

from verifierbench.core import MalformedInput

T = TypeVar("T")

MOST_BYTES = 16 << 20
"""The largest file that is read."""
MOST_ENTRIES = 10_000
"""Files of one material, and tasks of one suite."""

DEEPEST = 100
"""Levels of lists and objects; far below what any later step could trip over."""

_TOML_PLACE = re.compile(r" \(at (line \d+, column \d+|end of document)\)$")


class Folder:
    """A directory; every name is relative to it and stays inside."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, name: str) -> Path:
        """Where a name lies, for a sentence; the name may be nonsense."""
        return self.root / name

    def has(self, name: str) -> bool:
        """Whether something of that name is there; raises `MalformedInput` for a link or a way out."""
        return self._status(name) is not None

    def is_folder(self, name: str) -> bool:
        """Whether it is a folder."""
        status = self._status(name)
        return status is not None and stat.S_ISDIR(status.st_mode)

    def names(self, name: str) -> tuple[str, ...]:
        """What a folder holds, sorted; nothing where it is not there. Names that begin with a dot are left alone."""
        status = self._status(name)
        if status is None:
            return ()
        if not stat.S_ISDIR(status.st_mode):
            self.refuse(name, "", "must be a folder")
        found = sorted(entry.name for entry in self.path(name).iterdir() if not entry.name.startswith("."))
        if len(found) > MOST_ENTRIES:
            self.refuse(name, "", f"holds {len(found)} entries; at most {MOST_ENTRIES} are read")
        return tuple(found)

    def files(self, name: str) -> dict[str, str]:
        """Every file below a folder as text, by its path in it."""
        found: dict[str, str] = {}
        pending = [""]
        while pending:
            inner = pending.pop()
            for entry in self.names(posixpath.join(name, inner)):
                path = posixpath.join(inner, entry)
                if self.is_folder(posixpath.join(name, path)):
                    pending.append(path)
                else:
                    found[path] = self.text(posixpath.join(name, path))
            if len(found) > MOST_ENTRIES:
                self.refuse(name, "", f"holds more than {MOST_ENTRIES} files")
        return dict(sorted(found.items()))

    def text(self, name: str) -> str:
        """A file's text, UTF-8."""
        data = self.data(name)
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            self.refuse(name, f"byte {error.start}", "not UTF-8 text")

    def data(self, name: str) -> bytes:
        """A file's bytes."""
        status = self._status(name)
        if status is None:
            self.refuse(name, "", "there is no such file")
        if not stat.S_ISREG(status.st_mode):
            self.refuse(name, "", "must be an ordinary file")
        try:
            with open(os.open(self.path(name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:  # noqa: PTH123
                data = file.read(MOST_BYTES + 1)
        except OSError as error:
            self.refuse(name, "", error.strerror or str(error))
        if len(data) > MOST_BYTES:
            self.refuse(name, "", f"is larger than {MOST_BYTES >> 20} MiB")
        return data

    def toml(self, name: str, kind: type[T]) -> T:
        """A TOML document of a type."""
        try:
            found = tomllib.loads(self.text(name))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            place = _TOML_PLACE.search(str(error))
            self.refuse(name, place[1] if place else "", f"not TOML: {_TOML_PLACE.sub('', str(error))}")
        if too_deep(found):
            self.refuse(name, "", f"is nested more than {DEEPEST} levels deep")
        return self.convert(name, "", found, kind)

    def json(self, name: str, kind: type[T]) -> T:
        """A JSON document of a type."""
        return self._decode(name, "", self.data(name), kind)

    def lines(self, name: str, kind: type[T]) -> Iterator[tuple[str, T]]:
        """A JSON Lines file of a type: (place, row)."""
        for number, line in enumerate(self.data(name).split(b"\n"), 1):
            if line.strip():
                yield f"line {number}", self._decode(name, f"line {number}", line, kind)

    def convert(self, name: str, place: str, value: Any, kind: type[T]) -> T:
        """Data that was read already, as a type."""
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            self._invalid(name, place, error)

    def refuse(self, name: str, place: str, cause: str) -> NoReturn:
        """Raise the sentence about a file."""
        raise MalformedInput(self.path(name), place, cause)

    def _decode(self, name: str, place: str, data: bytes, kind: type[T]) -> T:
        try:
            if too_deep(msgspec.json.decode(data)):
                self.refuse(name, place, f"is nested more than {DEEPEST} levels deep")
            return msgspec.json.decode(data, type=kind)
        except msgspec.ValidationError as error:
            self._invalid(name, place, error)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            self.refuse(name, place, f"not JSON: {error}")

    def _invalid(self, name: str, place: str, error: msgspec.ValidationError) -> NoReturn:
        cause, _, where = str(error).partition(" - at ")
        self.refuse(name, ", ".join(filter(None, (place, where.strip("`")))), cause)

    def _status(self, name: str) -> os.stat_result | None:
        """Of the thing itself, every step on the way to it being a folder and no link; None where it is not there."""
        inner = posixpath.normpath(name)
        if not name or "\0" in name or inner.startswith(("/", "..")):
            self.refuse(name, "", "leads out of the suite's directory; a path is relative and stays inside")
        steps = [] if inner == "." else inner.split("/")
        try:
            status = self.root.stat()
            for place in range(len(steps)):
                step = "/".join(steps[: place + 1])
                status = (self.root / step).lstat()
                if stat.S_ISLNK(status.st_mode):
                    self.refuse(step, "", "is a symbolic link; a suite holds its files itself")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self.refuse(name, "", error.strerror or str(error))
        return status


def too_deep(value: Any) -> bool:
    """Whether a value is nested deeper than `DEEPEST`; never recursive itself."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            part
            for one in level
            if isinstance(one, dict | list)
            for part in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return False
    return any(isinstance(one, dict | list) for one in level)
