"""A harness at work in a cell of its own, with a scripted model behind its door."""

from __future__ import annotations

import contextlib
import resource
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from verifierbench.core import Unavailable
from verifierbench.generation.harnesses import HOME, WORKSPACE, Brief, Dialect, Harness
from verifierbench.generation.harnesses.install import NODE, places
from verifierbench.sandbox.cell import PATH, Cell, CellExit, CellPlan, Mount

PORT = 8080
TOKEN = "token-of-this-attempt"


@dataclass(frozen=True)
class Driven:
    """How it went."""

    exit: CellExit
    workspace: Path
    stdout: str
    stderr: str
    cpu: float

    @property
    def told(self) -> str:
        """What to show when an assertion fails."""
        return f"{self.exit}\n--- stdout\n{self.stdout[-3000:]}\n--- stderr\n{self.stderr[-3000:]}"


def make_brief(dialect: Dialect, model: str = "scripted-1", **changes: Any) -> Brief:
    told: dict[str, Any] = {
        "model": model,
        "dialect": dialect,
        "url": f"http://127.0.0.1:{PORT}",
        "token": TOKEN,
        "prompt": "Read TASK.md and leave verifier.py in this folder.",
        "effort": "medium",
        "output_tokens": 31_000,
        "context_tokens": 180_000,
    }
    return Brief(**{**told, **changes})


def installed(harness: Harness) -> dict[str, Path]:
    """Its places; skips the test where it is not installed, saying how to install it."""
    try:
        return places(harness)
    except Unavailable as missing:
        pytest.skip(str(missing))


def drive(
    harness: Harness, brief: Brief, model_port: int, folder: Path, seconds: float = 120.0, stop_at: str | None = None
) -> Driven:
    """One attempt, from an empty home to the harness's end, or until a file is in the workspace."""
    shown = installed(harness)
    launch = harness.launch(brief)
    home, workspace = folder / "home", folder / "work"
    for place in (home, workspace):
        place.mkdir(parents=True)
    for path, text in launch.files.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(text)
    (workspace / "TASK.md").write_text("# Write a verifier\n")
    plan = CellPlan(
        mounts=(
            Mount(outside=home, inside=HOME, writable=True),
            Mount(outside=workspace, inside=WORKSPACE, writable=True),
            *(Mount(outside=outside, inside=inside) for inside, outside in shown.items()),
        ),
        ports=(PORT,),
        environment={"PATH": f"{NODE}/bin:/opt/tools:{PATH}"},
        cwd=WORKSPACE,
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with Cell(plan) as cell, relaying(cell.doors[0], model_port), watching(stop_at and workspace / stop_at) as stop:
        ended = cell.run(launch.argv, launch.environment, folder / "stdout", folder / "stderr", seconds, stop)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Driven(
        ended,
        workspace,
        (folder / "stdout").read_text(errors="replace"),
        (folder / "stderr").read_text(errors="replace"),
        round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2),
    )


@contextmanager
def watching(file: Path | str | None) -> Iterator[threading.Event | None]:
    """An event that is set once a file is there."""
    if not file:
        yield None
        return
    stop, over = threading.Event(), threading.Event()

    def look() -> None:
        while not over.wait(0.1):
            if Path(file).exists():
                stop.set()

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield stop
    finally:
        over.set()
        thread.join()


@contextmanager
def relaying(door: socket.socket, port: int) -> Iterator[None]:
    """Whoever connects to the door talks to a port of this machine."""
    over = threading.Event()

    def accept() -> None:
        door.settimeout(0.1)
        while not over.is_set():
            with contextlib.suppress(TimeoutError):
                inner = door.accept()[0]
                inner.setblocking(True)
                outer = socket.create_connection(("127.0.0.1", port))
                for pair in ((inner, outer), (outer, inner)):
                    threading.Thread(target=_copy, args=pair, daemon=True).start()

    thread = threading.Thread(target=accept)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Until either side ends; the thread that reads a socket closes it."""
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    for it in (source, target):
        with contextlib.suppress(OSError):
            it.shutdown(socket.SHUT_RDWR)
    source.close()
