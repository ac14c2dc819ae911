"""What was asked of the desk, one line a request, appended and flushed before the agent hears the answer.

    RECORD/desk.jsonl        `DeskEntry`
    RECORD/versions.jsonl    `Version`: what stood in verifier.py, and when it was seen
    RECORD/versions/<hash>.py

A process that is killed leaves at most a last line cut short; a reader drops it. An entry names solutions by hash and
never holds an environment's answer, so the record stays small whatever is asked.
"""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import BinaryIO, Generic, Literal, TypeAlias, TypeVar

import msgspec

from verifierbench.core import Decision, Inconsistent, MalformedInput

__all__ = [
    "DESK",
    "VERSIONS",
    "DeskEntry",
    "Journal",
    "Outcome",
    "Tool",
    "Version",
    "now",
    "read_desk",
    "read_versions",
]

DESK, VERSIONS = "desk.jsonl", "versions.jsonl"

Tool: TypeAlias = Literal["runpublic", "selftest", "submit"]
Outcome: TypeAlias = Literal["answered", "refused", "undecided", "malformed", "blocked", "failed"]
"""`answered`: with an observation, a verdict or a receipt. `refused`: by the environment, in its own words.
`undecided`: the verifier gave no verdict. `malformed`: unusable, nothing was run. `blocked`: past the budget, in whole
or in part. `failed`: by our fault, and not charged."""

T = TypeVar("T", bound=msgspec.Struct)


class DeskEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One request and what became of it."""

    n: int
    """From 1, in the order they were served."""
    at: str
    """ISO 8601, UTC, when it was taken up."""
    tool: Tool
    outcome: Outcome
    seconds: float
    executions: int = 0
    """Charged for this request."""
    used: int
    left: int
    blocked: int = 0
    """Executions of this request that were refused for the budget."""
    verifier: str | None = None
    """SHA-256 of verifier.py as it was run or handed in."""
    solution: str | None = None
    """SHA-256 of the solution, or of the request, as its content's bytes."""
    decision: Decision | None = None
    vary: str | None = None
    """The JSON pointer at which a second solution differed."""
    varied: str | None = None
    """SHA-256 of that second solution."""
    varied_decision: Decision | None = None
    says: str = ""
    """What a person reads of it: a refusal's words, a complaint, a warning; of an observation its hash."""


class Version(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """verifier.py as it was seen once."""

    hash: str
    at: str
    bytes: int
    why: Literal["changed", "selftest", "submit", "end"]
    kept: bool = True
    """Whether its bytes lie in the record."""


class Journal(Generic[T]):
    """A JSON Lines file of one attempt, written as things happen."""

    def __init__(self, path: Path) -> None:
        """Begin it; raises `Inconsistent` where another attempt left one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._file: BinaryIO = path.open("xb")
        except FileExistsError:
            raise Inconsistent(f"{path} is the record of an earlier attempt: each has a folder of its own") from None

    def append(self, entry: T) -> None:
        """Add a line; it is with the operating system when this returns."""
        self._file.write(msgspec.json.encode(entry) + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_desk(record: Path) -> tuple[DeskEntry, ...]:
    """The entries of an attempt's desk, none where there was no desk; raises `MalformedInput`."""
    return _read(record / DESK, DeskEntry)


def read_versions(record: Path) -> tuple[Version, ...]:
    """What was seen of verifier.py in an attempt; raises `MalformedInput`."""
    return _read(record / VERSIONS, Version)


def now() -> str:
    """The time, as entries hold it."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")


def _read(path: Path, kind: type[T]) -> tuple[T, ...]:
    if not path.exists():
        return ()
    # What follows the last line feed was being written when the writer was killed.
    lines = path.read_bytes().split(b"\n")[:-1]
    return tuple(_line(path, number, line, kind) for number, line in enumerate(lines, 1))


def _line(path: Path, number: int, line: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise MalformedInput(path, f"line {number}", str(error)) from error
