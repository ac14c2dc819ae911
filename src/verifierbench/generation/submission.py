"""What an agent handed in, taken out of its workspace and frozen.

    RUN/submissions/<alias>/verifier.py        the bytes as they stood
    RUN/submissions/<alias>/submission.json    `core.Submission`, written last

`submission.json` is written last, so its presence is what a finished submission is. The workspace belongs to the agent:
a link, a pipe or a device in the verifier's place is never followed or read, only called missing. What stands in the
file is not judged here: a verifier that cannot be parsed was submitted, and scoring says what it is worth.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verifierbench.core import MalformedInput, Submission, sha256
from verifierbench.core.files import decode, encode, read_bytes, write_atomically

from .workspace import VERIFIER

__all__ = ["LARGEST", "collect", "finished", "keep", "load", "place", "take"]

LARGEST = 1_000_000
"""Bytes a verifier may have."""


def place(run: Path, alias: str) -> Path:
    """The folder of one submission."""
    return run / "submissions" / alias


def collect(
    workspace: Path, alias: str, run: Path, trace: Sequence[dict[str, Any]] = (), seconds: float = 0.0
) -> Submission:
    """Freeze the workspace's verifier into the run."""
    return keep(run, alias, *take(workspace / VERIFIER), trace=trace, seconds=seconds)


def keep(
    run: Path, alias: str, source: bytes | None, reason: str, *, trace: Sequence[dict[str, Any]] = (), **more: Any
) -> Submission:
    """Put a verifier into the run; where there is none the trace gains an entry with the reason.

    `more` are further fields of the submission.
    """
    entries = (*trace, {"event": "missing", "reason": reason}) if source is None else tuple(trace)
    submission = Submission(
        task=alias,
        outcome="missing" if source is None else "submitted",
        verifier_hash=None if source is None else sha256(source),
        trace=entries,
        **more,
    )
    folder = place(run, alias)
    (folder / "submission.json").unlink(missing_ok=True)
    (folder / VERIFIER).unlink(missing_ok=True)
    if source is not None:
        write_atomically(folder / VERIFIER, source)
    write_atomically(folder / "submission.json", encode(submission))
    return submission


def finished(run: Path, alias: str) -> bool:
    """Whether a task's submission is complete."""
    return (place(run, alias) / "submission.json").exists()


def load(run: Path, alias: str) -> tuple[Submission, bytes | None]:
    """A finished submission and its verifier's bytes; raises `MalformedInput` where they do not belong together."""
    folder = place(run, alias)
    submission = decode(folder / "submission.json", Submission)
    if submission.task != alias:
        raise MalformedInput(folder / "submission.json", "$.task", f"is {submission.task!r} in the folder of {alias!r}")
    if submission.verifier_hash is None:
        return submission, None
    source = read_bytes(folder / VERIFIER)
    if sha256(source) != submission.verifier_hash:
        raise MalformedInput(folder / VERIFIER, "", "is not the file that was handed in (its hash differs)")
    return submission, source


def take(path: Path) -> tuple[bytes | None, str]:
    """A verifier's bytes, or None and why; opened without following links and without waiting on a pipe."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None, f"the workspace has no {VERIFIER}"
    except OSError as error:
        return None, f"{VERIFIER} cannot be opened as a plain file: {error.strerror}"
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        return None, f"{VERIFIER} is not a plain file"
    with os.fdopen(handle, "rb") as file:
        source = file.read(LARGEST + 1)
    return (source, "") if len(source) <= LARGEST else (None, f"{VERIFIER} is larger than {LARGEST:,} bytes")
