"""Materials that are read in parts: each content is stored once, under its hash, for all tasks that have it.

    DIR/public/materials/<sha256>.json    the content's exact bytes, whose SHA-256 is the file's name
    DIR/public/<alias>/materials.json     name → hash, for a task that has such materials
    DIR/hidden/tasks.jsonl                tasks, with a digest in the place of each such content

A database of some megabytes may belong to every task of a source, so nothing here may grow with their number: a
content is written once, and read, compared with its name and parsed once, into one object that all tasks share.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import Inconsistent, MalformedInput, Material, Task, content_bytes, sha256
from verifierbench.core.files import decode_lines, encode_lines, read_bytes, write_atomically

TASKS = "hidden/tasks.jsonl"

_DIGEST = re.compile("[0-9a-f]{64}")


def shared_file(material: Material) -> str:
    """Where the content of a material that is read in parts stands in its suite."""
    return f"public/materials/{material.hash}.json"


def write_materials(directory: Path, tasks: Sequence[Task]) -> None:
    """Write what tasks read in parts; raises `Inconsistent` for a digest that is not its content's."""
    written: set[str] = set()
    for task, material in _distinct(tasks):
        data = content_bytes(material.content)
        if sha256(data) != material.hash:
            raise Inconsistent(f"{task.id}: the digest of material {material.name!r} is not its content's")
        if material.hash not in written:
            write_atomically(directory / shared_file(material), data)
            written.add(material.hash)


def write_tasks(directory: Path, tasks: Sequence[Task]) -> None:
    """Write tasks and what they read in parts; raises `Inconsistent` for a digest that is not its content's."""
    write_materials(directory, tasks)
    write_atomically(directory / TASKS, encode_lines(task.stored for task in tasks))


def read_tasks(directory: Path) -> tuple[Task, ...]:
    """The tasks of a suite with all contents; raises `MalformedInput` naming the file that is missing or different."""
    shelf = Shelf(directory)
    return tuple(shelf.filled(task) for task in stored_tasks(directory))


def stored_tasks(directory: Path) -> Iterator[Task]:
    """The tasks of a suite as they are written down: enough for everything but a look into what is read in parts."""
    return decode_lines(directory / TASKS, Task)


class Shelf:
    """The shared contents of one suite, each read when a task first asks for it."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._materials: dict[Material, Material] = {}
        self._contents: dict[str, Any] = {}

    def filled(self, task: Task) -> Task:
        """A stored task with all contents; raises `MalformedInput`."""
        if not task.apart:
            return task
        materials = tuple(m if m.inline else self._filled(task, m) for m in task.materials)
        return msgspec.structs.replace(task, materials=materials)

    def _filled(self, task: Task, material: Material) -> Material:
        if not _DIGEST.fullmatch(material.digest):
            place = f"task {task.id}, material {material.name}"
            raise MalformedInput(self._directory / TASKS, place, "has no digest to find its content by")
        stored = material.stored
        if stored not in self._materials:
            content = self._content(self._directory / shared_file(stored), stored.digest)
            self._materials[stored] = msgspec.structs.replace(stored, content=content)
        return self._materials[stored]

    def _content(self, path: Path, digest: str) -> Any:
        if digest not in self._contents:
            data = read_bytes(path)
            if sha256(data) != digest:
                raise MalformedInput(path, "", "its content is not the one that it is named after")
            self._contents[digest] = _parsed(path, data)
        return self._contents[digest]


def _parsed(path: Path, data: bytes) -> Any:
    # The reader that `content_bytes` is the writer of: numbers and lone surrogates come back as they were.
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise MalformedInput(path, "", f"not JSON: {error}") from error


def _distinct(tasks: Sequence[Task]) -> Iterator[tuple[Task, Material]]:
    """Materials that are read in parts, those that share content and hash but once, with the first task of each."""
    met: set[tuple[int, str]] = set()
    for task in tasks:
        for material in task.apart:
            if (id(material.content), material.hash) not in met:
                met.add((id(material.content), material.hash))
                yield task, material
