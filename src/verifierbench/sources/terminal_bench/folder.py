"""A task folder as Terminal-Bench 1 lays it out, read as it is: nothing of it is built or run here.

`task.yaml` says what is asked and which of upstream's parsers reads the tests' output; `run-tests.sh` runs what lies in
`tests`; `solution.sh` (or `solution.yaml`) is the author's solution; the `Dockerfile` says what a solver finds, by what
it copies from the folder. A folder that lacks one of these, or says something else than it may, is named with the
file, the place in it and the cause, in one sentence.
"""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from verifierbench.core import MalformedInput
from verifierbench.core.files import read_bytes

TASK, RUN_TESTS, TESTS, DOCKERFILE = "task.yaml", "run-tests.sh", "tests", "Dockerfile"
SOLUTIONS = ("solution.sh", "solution.yaml")

ParserName = Literal["pytest", "swebench", "swelancer", "mlebench", "sweperf"]
PYTEST: ParserName = "pytest"

_COPY = re.compile(r"(?:COPY|ADD)\s+(.*)", re.IGNORECASE | re.DOTALL)
_WORKDIR = re.compile(r"WORKDIR\s+(\S+)", re.IGNORECASE)
_ELSEWHERE = ("--from=", "<<", "http://", "https://")
"""What a `COPY` or `ADD` says whose source is not a file of the folder."""


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """What `task.yaml` says, as far as anything here depends on it."""

    instruction: str
    parser_name: ParserName = PYTEST
    difficulty: str = "unknown"
    max_agent_timeout_sec: float = 360.0
    max_test_timeout_sec: float = 60.0


class TaskFolder:
    """One folder; raises `MalformedInput` when it is made for what every folder needs, and later for the rest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said = _said(folder / TASK)
        self._require((RUN_TESTS,), "it is what runs the tests")
        self._require(SOLUTIONS, "every task comes with its author's solution")

    @property
    def name(self) -> str:
        """The folder's own name, which is the task's."""
        return self.folder.name

    @property
    def run_tests(self) -> str:
        """The script that runs the tests."""
        return text(self.folder / RUN_TESTS)

    @property
    def solution(self) -> str:
        """The author's solution: a script, or the commands of a `solution.yaml`."""
        return text(next(self.folder / name for name in SOLUTIONS if (self.folder / name).is_file()))

    @cached_property
    def tests(self) -> dict[str, str]:
        """Path under the folder → text of every text file in `tests`."""
        if not (self.folder / TESTS).is_dir():
            raise MalformedInput(self.folder, TESTS, "there is no such folder, so nothing is tested")
        return {f"{TESTS}/{path}": content for path, content in tree(self.folder / TESTS).items()}

    @cached_property
    def copied(self) -> dict[str, str]:
        """Path under the working directory → text of every text file the `Dockerfile` puts there from the folder."""
        workdir, found = "/", dict[str, str]()
        for line, order in _orders(text(self.folder / DOCKERFILE)):
            if moved := _WORKDIR.match(order):
                workdir = posixpath.join(workdir, moved[1])
            if (copy := _COPY.match(order)) and not any(word in copy[1] for word in _ELSEWHERE):
                found |= self._copied(copy[1], line, workdir)
        inside = workdir.rstrip("/") + "/"
        return {path.removeprefix(inside): held for path, held in sorted(found.items()) if path.startswith(inside)}

    def _copied(self, said: str, line: int, workdir: str) -> dict[str, str]:
        """Absolute path → text of what one order copies."""
        *sources, target = _words(said, self.folder / DOCKERFILE, line)
        place, found = posixpath.normpath(posixpath.join(workdir, target)), dict[str, str]()
        for source in sources:
            if ".." in source.split("/"):
                raise MalformedInput(self.folder / DOCKERFILE, f"line {line}", f"copies {source}, from another folder")
            matches = sorted(self.folder.glob(source.strip("/"))) if source.strip("/.") else [self.folder]
            if not matches:
                raise MalformedInput(self.folder / DOCKERFILE, f"line {line}", f"copies {source}, which is not there")
            into = target.endswith(("/", ".")) or len(sources) + len(matches) > 2
            for match in matches:
                found |= _placed(match, place, into=into)
        return found

    def _require(self, names: tuple[str, ...], why: str) -> None:
        if not any((self.folder / name).is_file() for name in names):
            raise MalformedInput(self.folder, " or ".join(names), f"there is no such file, and {why}")


def is_task_folder(folder: Path) -> bool:
    """Whether a folder is meant as a task: it has a `task.yaml`."""
    return (folder / TASK).is_file()


def task_folders(folder: Path) -> tuple[Path, ...]:
    """The task folders in a folder, or the folder itself where it is one; in the order of their names."""
    if is_task_folder(folder):
        return (folder,)
    return tuple(sorted(path.parent for path in folder.glob(f"*/{TASK}")))


def tree(top: Path) -> dict[str, str]:
    """Relative path → text of every text file under a folder; what Python leaves behind is no part of it."""
    files = sorted(path for path in top.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(top).as_posix(): held for path in files if (held := _text_or_none(path)) is not None}


def text(path: Path) -> str:
    """A file's text, its line ends as they are; raises `MalformedInput`."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise MalformedInput(path, f"byte {error.start}", "not text in UTF-8") from error


def _said(path: Path) -> Said:
    import yaml

    try:
        found: Any = yaml.safe_load(text(path))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        cause = " ".join(str(getattr(error, "problem", None) or error).split())
        raise MalformedInput(path, f"line {mark.line + 1}" if mark else "", f"not YAML: {cause}") from error
    try:
        return msgspec.convert(found, Said)
    except msgspec.ValidationError as error:
        cause, _, place = str(error).partition(" - at ")
        raise MalformedInput(path, place.strip("`"), cause) from error


def _orders(dockerfile: str) -> Iterator[tuple[int, str]]:
    """The orders of a Dockerfile with the number of their first line; remarks go, continued lines are one."""
    order, first = "", 0
    for number, line in enumerate(dockerfile.splitlines(), 1):
        if line.lstrip().startswith("#"):
            continue
        first = first if order else number
        order += line.strip().removesuffix("\\") + " "
        if not line.rstrip().endswith("\\"):
            yield first, order.strip()
            order = ""


def _words(said: str, dockerfile: Path, line: int) -> list[str]:
    """Sources and target, in either of the two ways to write them, without what is said of owners and modes."""
    try:
        words: Any = json.loads(said) if said.startswith("[") else shlex.split(said)
    except ValueError as error:
        raise MalformedInput(dockerfile, f"line {line}", f"cannot be read: {error}") from error
    plain = [str(word) for word in words if not str(word).startswith("--")]
    if len(plain) < 2:
        raise MalformedInput(dockerfile, f"line {line}", "names no source, or no target")
    return plain


def _placed(source: Path, place: str, *, into: bool) -> dict[str, str]:
    """Absolute path → text; a folder's content is copied, never the folder."""
    if source.is_dir():
        return {posixpath.join(place, path): held for path, held in tree(source).items()}
    held = _text_or_none(source)
    return {} if held is None else {posixpath.join(place, source.name) if into else place: held}


def _text_or_none(path: Path) -> str | None:
    try:
        found = read_bytes(path).decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in found else found
