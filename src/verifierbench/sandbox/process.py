"""A zygote seen from outside: start it, give it an order, have the child finished, end it.

It may never be left half started: whatever goes wrong before it says that it is ready raises `InfrastructureError`
with its own words. After that every order is answered by exactly one ending, or the zygote is dead (`ZygoteDied`).
"""

from __future__ import annotations

import array
import contextlib
import os
import select
import signal
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

from verifierbench.core.errors import InfrastructureError

from .guest import wire
from .guest.start import BOOTSTRAP

PACKAGE_ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds the package; the guest finds its own modules there."""

# -I would ignore PYTHONHASHSEED; these flags and a fixed environment do the rest of what it does.
_FLAGS = ("-s", "-S", "-P", "-B")
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC0"}
_PASSED_ON = ("LD_LIBRARY_PATH",)
_START_SECONDS = 60.0
_FINISH_SECONDS = 20.0
_CLOSE_SECONDS = 5.0


class ZygoteDied(Exception):
    """It ended, or does not answer; never raised because of what a verifier did."""


class Zygote:
    """One running zygote and its control socket."""

    def __init__(self, tier: str, interpreter: str, uid: int, extra: Sequence[str] = ()) -> None:
        # A pipe, not a file: the guest may write no file, not even one that only exists in memory.
        self._errors, errors = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._process = _spawn(interpreter, theirs, tier, uid, extra, errors)
        except OSError as error:
            self._release()
            raise InfrastructureError(f"the verifier sandbox did not start: {error}") from error
        finally:
            theirs.close()
            os.close(errors)
        self.pid = self._process.pid
        """The process started; in the namespaces tier it stands before the zygote itself."""
        try:
            self._await_ready()
        except BaseException:
            self.kill()
            raise

    def _await_ready(self) -> None:
        answer = self._receive(1024, _START_SECONDS)
        if answer != wire.READY:
            said = answer.decode(errors="replace") or self._last_words()
            raise InfrastructureError(f"the verifier sandbox did not start: {said}")

    def _last_words(self) -> str:
        words = b""
        with contextlib.suppress(BlockingIOError):
            words = os.read(self._errors, 2000)
        return words.decode(errors="replace").strip() or "it left no message"

    def _receive(self, size: int, seconds: float) -> bytes:
        waiting = select.poll()
        waiting.register(self.control, select.POLLIN)
        if not waiting.poll(seconds * 1000):
            return b""
        try:
            return self.control.recv(size)
        except OSError:
            return b""

    def order(self, order: wire.Order, descriptors: Sequence[int]) -> None:
        """Have a child forked; raises ZygoteDied."""
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))
        try:
            self.control.sendmsg([wire.ORDER.pack(*order)], [rights])
        except OSError as error:
            raise ZygoteDied(str(error)) from error

    def finish(self) -> wire.Ending:
        """End the child if it still lives and return how it ended; raises ZygoteDied."""
        try:
            self.control.send(wire.FINISH)
        except OSError as error:
            raise ZygoteDied(str(error)) from error
        answer = self._receive(wire.ENDING.size, _FINISH_SECONDS)
        if len(answer) != wire.ENDING.size:
            raise ZygoteDied(f"it did not report how a case ended; {self._last_words()}")
        return wire.Ending(*wire.ENDING.unpack(answer))

    def close(self) -> None:
        """Let it end by itself, so that its processor time reaches ours; kill it where it does not."""
        self.control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_CLOSE_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End it now; its children end with it."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
        self._release()

    def _release(self) -> None:
        self.control.close()
        if self._errors >= 0:
            os.close(self._errors)
            self._errors = -1


def _spawn(
    interpreter: str, control: socket.socket, tier: str, uid: int, extra: Sequence[str], errors: int
) -> subprocess.Popen[bytes]:
    number = control.fileno()
    arguments = [str(PACKAGE_ROOT), str(number), tier, str(uid), ",".join(extra)]
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return subprocess.Popen(
        [interpreter, *_FLAGS, "-c", BOOTSTRAP, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        pass_fds=[number],
        env=_ENVIRONMENT | passed,
        cwd="/",
        start_new_session=True,
    )
