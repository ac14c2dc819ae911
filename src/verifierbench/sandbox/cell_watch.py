"""What watches over a program in a cell, on our side: what it prints, and when it has to end.

A program that prints without end is read without end, so that it never waits for us, and what it prints past a limit
is counted and dropped.
"""

from __future__ import annotations

import os
import threading
import time
from typing import IO, Literal

from verifierbench.core.errors import InfrastructureError
from verifierbench.sandbox.cell_guest.init import KILL, TERM

ANSWER_SECONDS = 30.0
"""What killing everyone in a cell may take before the cell itself is given up."""
_READ_BYTES = 1 << 16


class Output:
    """A pipe that a program writes to, and the file of ours that it ends up in."""

    def __init__(self, file: IO[bytes], limit: int) -> None:
        self.fd, self.end = os.pipe2(os.O_CLOEXEC)
        self.dropped = 0
        self._file, self._left = file, limit

    def let_go(self) -> None:
        """Close our copy of the program's end, or the pipe would never come to its own."""
        if self.end >= 0:
            os.close(self.end)
            self.end = -1

    def pump(self) -> bool:
        """Take what one read gives; False at the end."""
        data = os.read(self.fd, _READ_BYTES)
        kept = data[: self._left]
        self._file.write(kept)
        self._file.flush()
        self._left -= len(kept)
        self.dropped += len(data) - len(kept)
        return bool(data)

    def finish(self) -> None:
        """Take the rest, once every writer is dead, and say so if something was dropped."""
        while self.pump():
            pass
        if self.dropped:
            self._file.write(f"\n[{self.dropped} more bytes were dropped]\n".encode())

    def close(self) -> None:
        """Close what is open of the pipe."""
        self.let_go()
        os.close(self.fd)


class End:
    """When a program has to end, and what it is told on the way: asked first, then killed, then the cell given up."""

    def __init__(self, seconds: float, stop: threading.Event | None, grace: float) -> None:
        self._started = time.monotonic()
        self._deadline, self._stop, self._grace = self._started + seconds, stop, grace
        self._orders = [TERM, KILL]
        self.reason: Literal["timeout", "stopped"] | None = None
        """None as long as the program may run."""

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._started

    def due(self) -> bytes | None:
        """The order that is due now, if one is; InfrastructureError where the last was not obeyed."""
        if self.reason is None and self._stop is not None and self._stop.is_set():
            self.reason, self._deadline = "stopped", time.monotonic()
        if time.monotonic() < self._deadline:
            return None
        if not self._orders:
            raise InfrastructureError(f"a cell's programs could not be killed within {ANSWER_SECONDS:.0f} s")
        self.reason = self.reason or "timeout"
        order = self._orders.pop(0)
        self._deadline = time.monotonic() + (self._grace if order == TERM else ANSWER_SECONDS)
        return order
