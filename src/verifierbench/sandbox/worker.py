"""A persistent, guarded process for a source's environment or for an upstream checker.

Upstream packages evaluate strings that solutions contain, so they run where they can do nothing: in their own
interpreter (which may be another virtual environment's), with the standard library and the search path they are
given, locked down once they are loaded. Each request is handled by a fork of the loaded state, so no request can
change what a later one is told. A script is a file that defines

    def load(arguments): ...      # imports and reads all it will need; returns JSON, such as versions
    def handle(request): ...      # JSON to JSON; raises `Refusal(text)` (a name it is given) for a bad request

Neither may expect a file, a process or a network after `load`. Clocks show one constant instant, while
stopwatches (`time.monotonic` and its like) run. Times are wall clock, in seconds.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from verifierbench.core.errors import EnvironmentRefusal, InfrastructureError, MalformedInput, Overrun, Unavailable
from verifierbench.core.hashing import content_bytes
from verifierbench.sandbox.guest import frames
from verifierbench.sandbox.guest.lockdown import GUEST_UID
from verifierbench.sandbox.launch import GUEST_ENVIRONMENT, guest_command

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from verifierbench.core.hashing import JSON
    from verifierbench.sandbox.tier import Tier

GRACE_SECONDS = 10.0
"""How much longer than a request may take we wait for the worker to say that it took longer."""
CLOSE_SECONDS = 10.0


class GuardedWorker:
    """One script, loaded and locked down; serves one request at a time, from any thread.

    Raises Unavailable where the interpreter or the tier cannot be had, InfrastructureError where loading fails or
    takes more than `seconds_to_start`. A worker that died is started again by the next request.
    """

    def __init__(
        self,
        script: Path,
        *,
        python: str = sys.executable,
        search_path: Sequence[Path] = (),
        tier: Tier,
        arguments: JSON = None,
        seconds_to_start: float = 60.0,
        memory_mb: int = 4096,
    ) -> None:
        if not script.is_file():
            raise MalformedInput(script, "", "there is no such worker script")
        self._python = python
        self._seconds_to_start = seconds_to_start
        self._order = content_bytes(
            {
                "script": str(script.resolve()),
                "search_path": [str(path.resolve()) for path in search_path],
                "arguments": arguments,
                "tier": str(tier),
                "uid": GUEST_UID,
                "memory_bytes": memory_mb << 20,
            }
        )
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self.ready: JSON = None
        """What the script's `load` returned."""
        with self._lock:
            self._running()

    def request(self, value: JSON, seconds: float) -> JSON:
        """Return what the script's `handle` returns for `value`.

        Raises EnvironmentRefusal where the script refuses the request, it is not JSON or its answer is too long,
        Overrun where it needs more than `seconds`, InfrastructureError where the script fails or dies.
        """
        try:
            body = content_bytes(value)
        except (TypeError, ValueError, RecursionError) as error:
            raise EnvironmentRefusal(f"the request is not JSON: {error}") from error
        with self._lock:
            message = self._exchange(frames.Message(frames.REQUEST, body, seconds), seconds + GRACE_SECONDS)
        if message.kind == frames.TOO_LONG:
            raise EnvironmentRefusal(f"the answer is larger than {frames.LONGEST} bytes")
        if message.kind == frames.TOO_LATE:
            raise Overrun(f"the execution took longer than {seconds:g} s")
        if message.kind != frames.ANSWER:
            raise InfrastructureError(f"the worker gave no answer: {message.body.decode()}")
        return _judge(message.body)

    def close(self) -> None:
        """End the worker; it may be used again, which starts it anew."""
        with self._lock:
            self._stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _exchange(self, message: frames.Message, seconds: float) -> frames.Message:
        try:
            return self._running().exchange(message, seconds)
        except (OSError, EOFError, ValueError) as error:
            self._stop()
            raise InfrastructureError(f"the worker is gone: {error}") from error
        except BaseException:  # interrupted between question and answer: they would not match again
            self._stop()
            raise

    def _running(self) -> _Process:
        if self._process is None:
            process = _Process(self._python)
            try:
                self.ready = self._load(process)
            except BaseException:
                process.close(loaded=False)
                raise
            self._process = process
        return self._process

    def _load(self, process: _Process) -> JSON:
        try:
            said = process.exchange(frames.Message(frames.LOAD, self._order), self._seconds_to_start)
        except (OSError, EOFError, ValueError) as error:
            raise InfrastructureError(f"the worker did not start: {error} {process.log()}") from error
        if said.kind == frames.UNCONFINED:
            raise Unavailable(
                f"the worker cannot be confined on this machine ({said.body.decode()}); "
                "run `verifierbench doctor` to see which tiers it has"
            )
        if said.kind != frames.READY:
            raise InfrastructureError(f"the worker could not load: {said.body.decode()} {process.log()}")
        ready: JSON = json.loads(said.body)
        return ready

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close(loaded=True)


class _Process:
    """The interpreter and our end of its socket."""

    def __init__(self, python: str) -> None:
        self._errors = os.memfd_create("errors", os.MFD_CLOEXEC)
        self._socket, theirs = socket.socketpair()
        with theirs:
            try:
                self._popen = subprocess.Popen(
                    guest_command(python, "serve", str(theirs.fileno())),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self._errors,
                    pass_fds=(theirs.fileno(),),
                    env=GUEST_ENVIRONMENT,
                    cwd="/",
                    start_new_session=True,  # an interrupt at the terminal is ours to handle
                )
            except OSError as error:
                self._socket.close()
                os.close(self._errors)
                message = f"the Python interpreter {python} does not run ({error}); name one that does"
                raise Unavailable(message) from error

    def exchange(self, message: frames.Message, seconds: float) -> frames.Message:
        """Send a message and receive the reply; OSError (a timeout included), EOFError or ValueError if none comes."""
        deadline = time.monotonic() + seconds

        def read(count: int) -> bytes:
            # Zero would mean "do not wait" and raise something else than a time-out.
            self._socket.settimeout(max(1e-6, deadline - time.monotonic()))
            return self._socket.recv(count)

        try:
            self._socket.settimeout(seconds)
            self._socket.sendall(frames.pack(message))
            return frames.receive(read)
        except TimeoutError as error:
            raise TimeoutError(f"no word from it within {seconds:g} s") from error

    def log(self) -> str:
        """Return the end of what it wrote to standard error while loading."""
        size = os.fstat(self._errors).st_size
        return os.pread(self._errors, 2000, max(0, size - 2000)).decode("utf-8", "replace").strip()

    def close(self, *, loaded: bool) -> None:
        """Hang up, which ends it and what it started; one that has not loaded does not listen, and is killed."""
        self._socket.close()
        if loaded:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(CLOSE_SECONDS)
        with contextlib.suppress(
            ProcessLookupError, PermissionError
        ):  # it is gone, or only its confined heirs are left
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        os.close(self._errors)


def _judge(body: bytes) -> JSON:
    """Return the result in an answer, or raise what it says; upstream code may have written it."""
    try:
        answer: Any = json.loads(body)
        ((kind, value),) = answer.items()
    except (ValueError, RecursionError, AttributeError) as error:
        raise InfrastructureError("the worker's answer is not one") from error
    if kind == "result":
        result: JSON = value
        return result
    if kind == "refusal":
        raise EnvironmentRefusal(str(value))
    raise InfrastructureError(f"the worker's script failed: {value}")
