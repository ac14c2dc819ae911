"""Where a suite is made: a folder beside its place, renamed when all of it stands, so that it is whole or absent."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verifierbench.core import Unavailable, UserError

LISTED = "candidates.jsonl"
"""The scaffold that says what is being judged; it does not stay."""
JUDGED, ASKED = "judged.sqlite", "asked.sqlite"
"""Ledgers of the reference's decisions and of the sources' own checkers' answers; they do not stay either."""


@contextmanager
def beside(directory: Path) -> Iterator[Path]:
    """A workshop next to the directory, for one build at a time.

    An interrupted build leaves it, so that the next one finds its evidence and decisions; a finished one takes it
    along. It starts from the evidence of the suite it will replace.
    """
    workshop = directory.absolute().with_name(f".{directory.name}.building")
    try:
        (workshop / "hidden").mkdir(parents=True, exist_ok=True)
        earlier, evidence = directory / "hidden/evidence.sqlite", workshop / "hidden/evidence.sqlite"
        if earlier.exists() and not evidence.exists():
            shutil.copy(earlier, evidence)
        handle = os.open(workshop, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise Unavailable(f"{workshop} cannot be written: {error.strerror or error}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield workshop
    except BlockingIOError as error:
        raise UserError(f"{directory} is being built by another process; wait for it, or build elsewhere") from error
    finally:
        os.close(handle)


def put_in_place(workshop: Path, directory: Path) -> None:
    """Replace the directory; the old one stays whole until the new one stands."""
    for scaffold in (LISTED, JUDGED, ASKED):
        for path in workshop.glob(f"{scaffold}*"):
            path.unlink()
    old = workshop.with_name(f".{directory.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    try:
        if directory.exists():
            directory.rename(old)
        workshop.rename(directory)
    except OSError as error:
        raise Unavailable(f"{directory} cannot be put in place: {error.strerror or error}") from error
    shutil.rmtree(old, ignore_errors=True)
