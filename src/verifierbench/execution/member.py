"""One worker process as its supervisor sees it: start it, hand it units, hear it, end it with all its children."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from .protocol import Job, Unit

# `-c`, not `-m`: the search path of this process is handed on explicitly and never through the environment, from
# where it would leak into every program the worker starts.
_START = "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from verifierbench.execution.worker import main; "
_COMMAND = _START + "main(int(sys.argv[2]), int(sys.argv[3]))"


class Member:
    """A started worker and the units it holds, in the order it does them."""

    def __init__(self, job: Job, ledger: Path) -> None:
        self.held: deque[Unit] = deque()
        self.ready = False
        self.stopped: tuple[str, str] | None = None
        """Why it said it ends, and its words."""
        self.heard_at = time.monotonic()
        self.channel, theirs = socket.socketpair()
        with theirs:
            arguments = [json.dumps(sys.path), str(theirs.fileno()), str(os.getpid())]
            # A session of its own: an interrupt at the terminal reaches the supervisor alone, and one signal to the
            # group ends the worker with what it started.
            self._process = subprocess.Popen(
                [sys.executable, "-c", _COMMAND, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr.fileno() if _has_descriptor(sys.stderr) else subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={**os.environ, **job.environment},
                start_new_session=True,
            )
        self._buffer = b""
        self._send([job, str(ledger)])

    def fileno(self) -> int:
        """What a selector waits on."""
        return self.channel.fileno()

    def give(self, units: Sequence[Unit]) -> None:
        """Hand over units; a worker that is already dead is noticed when it is heard."""
        self.held.extend(units)
        self.heard_at = time.monotonic()
        self._send(list(units))

    def hear(self) -> Iterator[str]:
        """Keys of units finished since the last call; raises `EOFError` when the worker has ended."""
        data = self._receive()
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        self.heard_at = time.monotonic()
        for line in lines:
            yield from self._take(msgspec.json.decode(line))
        if not data:
            raise EOFError

    def bury(self) -> str:
        """Collect a worker that ended, end what it left behind, and say how it ended."""
        self._kill_group()
        self.channel.close()
        code = self._process.wait()
        return f"the worker ended by signal {-code}" if code < 0 else f"the worker ended with status {code}"

    def dismiss(self) -> None:
        """Tell an idle worker that there is no more work."""
        with suppress(OSError):
            self.channel.shutdown(socket.SHUT_WR)

    def terminate(self) -> None:
        """Tell a busy worker to drop what it does."""
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)

    def wait(self, deadline: float) -> None:
        """Give it until a moment of the monotonic clock to end by itself; then end it."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, deadline - time.monotonic()))
        self.bury()

    def kill(self) -> None:
        """End it now."""
        self._kill_group()

    def _take(self, message: list[Any]) -> Iterator[str]:
        if message[0] == "ready":
            self.ready = True
        elif message[0] == "done":
            self.held.popleft()
            yield message[1]
        else:
            self.stopped = (message[1], message[2])

    def _receive(self) -> bytes:
        try:
            return self.channel.recv(1 << 16)
        except ConnectionResetError:
            return b""

    def _send(self, message: Any) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):
            self.channel.sendall(msgspec.json.encode(message) + b"\n")

    def _kill_group(self) -> None:
        # Only while the leader is not yet collected is the group's number surely still its own.
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)


def _has_descriptor(stream: Any) -> bool:
    try:
        stream.fileno()
    except (AttributeError, OSError, ValueError):
        return False
    return True
