"""Where a task and a case stand in a suite's files, so that a reader's editor opens the right line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from verifierbench.core import MalformedInput
from verifierbench.core.files import decode_lines
from verifierbench.suite import read_manifest

from .. import bring
from ..report import SuiteFacts

_CASES, _TASKS, _BUILT, _BROUGHT = "hidden/cases.jsonl", "hidden/tasks.jsonl", "suite.json", "suite.toml"


class Place(NamedTuple):
    """A file, relative to the suite's folder, and a line counted from 1; 0 where only the file is known."""

    file: str
    line: int


class _Line(msgspec.Struct, frozen=True):
    id: str


class Places:
    """Where the cases and tasks of one suite stand.

    Where the suite beside the report is another one by now, or is gone, files are named without their lines.
    """

    def __init__(self, suite: SuiteFacts) -> None:
        path = Path(suite.path)
        self._suite = suite
        try:
            self._found = dict(_brought(path, suite) if suite.brought else _built(path, suite))
        except MalformedInput:
            self._found = {}

    def of(self, case: str, task: str) -> Place:
        """The case's line, else the task's, else the suite's own file; either name may be empty."""
        return self._found.get(case) or self._found.get(task) or self._file(case, task)

    def _file(self, case: str, task: str) -> Place:
        if not (case or task):
            return Place(_BROUGHT if self._suite.brought else _BUILT, 1)
        if self._suite.brought:
            return Place(f"{_folder(task)}/cases.jsonl" if case else _folder(task), 0)
        return Place(_CASES if case else _TASKS, 0)


def _folder(task: str) -> str:
    return f"tasks/{task.partition('/')[2]}"


def _built(path: Path, suite: SuiteFacts) -> Iterator[tuple[str, Place]]:
    if read_manifest(path).hash == suite.hash:
        for file in (_CASES, _TASKS):
            for number, line in enumerate(decode_lines(path / file, _Line), 1):
                yield line.id, Place(file, number)


def _brought(path: Path, suite: SuiteFacts) -> Iterator[tuple[str, Place]]:
    if bring.load(path).hash != suite.hash:
        return
    for task in suite.tasks:
        folder = _folder(task.id)
        form = next(name for name in ("task.toml", "task.json") if (path / folder / name).exists())
        yield task.id, Place(f"{folder}/{form}", 1)
        for number, line in enumerate(decode_lines(path / folder / "cases.jsonl", _Line), 1):
            yield f"{task.id}#{line.id}", Place(f"{folder}/cases.jsonl", number)
