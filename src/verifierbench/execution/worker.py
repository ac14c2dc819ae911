"""The process that computes units: started fresh, fed over one socket, writing each result itself.

Messages are JSON lines. In: first `[job, ledger path]`, then one list of units per line. Out: `["ready"]`, then
`["done", key]` after each unit, and before an early end `["stopped", why, text]`. It ends when the socket does, and
the kernel kills it when its parent dies, so no run outlives the command that started it. It starts no threads: the
sandbox forks from here.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import signal
import socket
import sys
import traceback
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO, NoReturn, cast

import msgspec

from verifierbench.core import InfrastructureError, Unavailable, UserError

from .ledger import Ledger
from .protocol import Job, Unit, Worker

_PR_SET_PDEATHSIG = 1


def main(handle: int, parent: int) -> None:
    """Serve the socket `handle` for the process `parent` until it ends."""
    _die_with(parent)
    signal.signal(signal.SIGTERM, _leave)
    with socket.socket(fileno=handle) as channel, channel.makefile("rwb") as stream:
        try:
            _serve(cast("BinaryIO", stream))
        except InfrastructureError as error:
            _say(cast("BinaryIO", stream), "stopped", "infrastructure", str(error))
        except Unavailable as error:
            _say(cast("BinaryIO", stream), "stopped", "unavailable", str(error))
        except UserError as error:
            _say(cast("BinaryIO", stream), "stopped", "user", str(error))
        except Exception:  # the parent raises it, with this traceback
            _say(cast("BinaryIO", stream), "stopped", "bug", traceback.format_exc())


def open_worker(job: Job) -> Worker:
    """Import a job's entry and open it."""
    module, _, name = job.entry.partition(":")
    return cast("Worker", getattr(importlib.import_module(module), name)(job.settings))


def _serve(stream: BinaryIO) -> None:
    job, path = msgspec.json.decode(stream.readline(), type=tuple[Job, str])
    with Ledger(Path(path)) as ledger:
        worker = open_worker(job)
        try:
            _say(stream, "ready")
            for line in stream:
                for unit in msgspec.json.decode(line, type=list[Unit]):
                    _finish(worker, ledger, unit)
                    _say(stream, "done", unit.key)
        finally:
            worker.close()


def _finish(worker: Worker, ledger: Ledger, unit: Unit) -> None:
    # Another process may share this ledger: what it finished meanwhile is not computed again.
    if ledger.result(unit.key) is None:
        ledger.record(unit.key, worker.compute(unit.payload))


def _say(stream: BinaryIO, *message: Any) -> None:
    try:
        stream.write(msgspec.json.encode(message) + b"\n")
        stream.flush()
    except (BrokenPipeError, ConnectionResetError):
        sys.exit(0)  # nobody listens any more


def _die_with(parent: int) -> None:
    """Ask the kernel to kill us with our parent; where it cannot, the socket's end still stops us between units."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(0)


def _leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001  # the signature is the signal module's
    sys.exit(0)  # runs every `finally` on the way
