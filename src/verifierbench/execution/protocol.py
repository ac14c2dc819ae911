"""The seam between what is to be done and where it is done.

A `Job` names, by import path, the function that opens a worker; a `Unit` is one piece of work under a key that
identifies its content. An executor promises one thing: when `run` returns, the ledger holds a result for every
unit; otherwise it raises. What a worker raises means:

    InfrastructureError   our machinery failed: the unit is tried again on a fresh worker, at most twice
    UserError             the whole run stops with that sentence
    anything else         a bug of ours: the whole run stops with the traceback

A worker that dies counts as InfrastructureError of the unit it was at. No failure is ever written as a result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import msgspec

Progress: TypeAlias = Callable[[int, int, str], None]
"""`progress(done, total, note)`: units finished, units altogether, a few words (may be empty)."""


def silent(done: int, total: int, note: str) -> None:  # the signature is `Progress`
    """Progress for who does not want to know."""


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of work."""

    key: str
    """Hash of everything the result depends on: equal keys, equal results."""
    payload: Any
    """JSON data, small: what `Worker.compute` is given."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """How to open a worker, in any process on any machine."""

    entry: str
    """`package.module:function`; called with `settings`, returns a `Worker`."""
    settings: Any
    """JSON data."""
    at_once: int = 16
    """Most units a worker holds; a crash sends back no more than these. 1 where a unit takes seconds."""
    environment: dict[str, str] = {}
    """Variables of a worker's process, over those of the process that starts it."""


class Worker(Protocol):
    """What one process does its units with; opened once, used for many."""

    def compute(self, payload: Any) -> bytes:
        """Do one unit; the bytes are its result."""

    def close(self) -> None:
        """Release processes and files."""


class Executor(Protocol):
    """A place where units run: this machine's cores, or several machines."""

    def run(self, job: Job, units: Sequence[Unit], ledger: Path, progress: Progress = silent) -> None:
        """Bring every unit's result into the ledger, computing only those it lacks.

        Raises `InfrastructureError` naming the units that could not be computed, after all others were.
        """
