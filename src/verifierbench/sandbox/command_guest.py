"""The guest that runs commands, seen from outside: started once, asked often, gone with this process.

Starting an interpreter and building a root directory costs more than most requests. A guest does both once, for
one plan (an interpreter and the directories commands may see), and forks a process per request that has namespaces,
a writable layer and a repository of its own. It never runs a command and never reads a request, so no request can
reach a later one through it. All sandboxes of a process that have the same plan share one guest, from any thread; it
ends when this process does, however it does, because it ends when its socket closes.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from verifierbench.core.errors import InfrastructureError, Overrun, Unavailable
from verifierbench.sandbox import syscalls
from verifierbench.sandbox.launch import GUEST_ENVIRONMENT, guest_command

if TYPE_CHECKING:
    from collections.abc import Iterator

START_SECONDS = 60.0
CLOSE_SECONDS = 10.0
HANG_UP_SECONDS = 30.0
_NO_NAMESPACES = (
    "code tasks need Linux namespaces, or a container engine, to run a repository's commands, and this machine "
    "gives none ({}); allow unprivileged user namespaces (sysctl kernel.apparmor_restrict_unprivileged_userns=0, "
    "user.max_user_namespaces above 0) or run as root with CAP_SYS_ADMIN"
)


class CommandGuest:
    """One running guest.

    Raises Unavailable where the machine has no namespaces, InfrastructureError where it does not start otherwise.
    """

    def __init__(self, plan: dict[str, Any]) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._errors = os.memfd_create("errors")
        order = syscalls.sealed_memfd(json.dumps(plan).encode(), "plan")
        try:
            self._process = subprocess.Popen(
                guest_command(sys.executable, "serve_commands", str(theirs.fileno())),
                stdin=order,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=(theirs.fileno(),),
                env=GUEST_ENVIRONMENT,
                cwd="/",
                start_new_session=True,  # an interrupt at the terminal is ours to handle
            )
        except OSError as error:
            self._release()
            raise InfrastructureError(f"the command sandbox did not start: {error}") from error
        finally:
            theirs.close()
            os.close(order)
        self._await_ready()

    def ask(self, request: dict[str, Any]) -> socket.socket:
        """Have a request carried out; its frames come from the socket returned. OSError if the guest is gone."""
        ours, theirs = socket.socketpair()
        body = syscalls.sealed_memfd(json.dumps(request).encode(), "request")
        try:
            rights = array.array("i", [body, theirs.fileno()])
            self._control.sendmsg([b"request"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
            os.close(body)
        return ours

    def last_words(self) -> str:
        """What it wrote to standard error; "" once it is closed."""
        try:
            return os.pread(self._errors, 2000, 0).decode("utf-8", "replace").strip()
        except OSError:
            return ""

    def close(self) -> None:
        """Hang up, and wait for it, so that its processor time reaches ours."""
        self._control.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(CLOSE_SECONDS)
        self._process.kill()
        self._process.wait()
        self._release()

    def disown(self) -> None:
        """In a fork of the process that started it: let go of what would keep it alive."""
        self._process.returncode = 0  # not ours to wait for
        self._release()

    def _await_ready(self) -> None:
        said = b""
        if syscalls.readable(self._control.fileno(), START_SECONDS):
            with contextlib.suppress(OSError):
                said = self._control.recv(4096)
        try:
            ready = json.loads(said)
        except ValueError:
            ready = {"failed": self.last_words() or "it left no message"}
        if ready:
            self.close()
        if "unavailable" in ready:
            raise Unavailable(_NO_NAMESPACES.format(ready["unavailable"]))
        if "failed" in ready:
            raise InfrastructureError(f"the command sandbox did not start: {ready['failed']}")

    def _release(self) -> None:
        self._control.close()
        if self._errors >= 0:
            os.close(self._errors)
            self._errors = -1


_lock = threading.Lock()
_guests: dict[str, CommandGuest] = {}


def guest(plan: dict[str, Any]) -> CommandGuest:
    """The guest of a plan, started if need be."""
    key = json.dumps(plan)
    with _lock:
        if key not in _guests:
            _guests[key] = CommandGuest(plan)
        return _guests[key]


def discard(gone: CommandGuest) -> None:
    """Forget a guest that does not answer, and end what is left of it."""
    with _lock:
        for key in [key for key, kept in _guests.items() if kept is gone]:
            _guests.pop(key).close()


def close_all() -> None:
    """End every guest of this process; the next request starts one anew."""
    with _lock:
        for kept in _drained():
            kept.close()


def _drained() -> Iterator[CommandGuest]:
    while _guests:
        yield _guests.popitem()[1]


def _after_fork() -> None:
    globals()["_lock"] = threading.Lock()  # another thread may have held it
    for kept in _drained():
        kept.disown()


atexit.register(close_all)
os.register_at_fork(after_in_child=_after_fork)


def converse(plan: dict[str, Any], request: dict[str, Any], seconds: float, largest: int) -> list[dict[str, Any]]:
    """Have a guest carry out a request, return its frames (at least one); every process of it is gone afterwards.

    A guest may have died since it was last asked. One that says nothing has run nothing: another is asked.
    """
    words = ""
    for _ in range(2):
        helper = guest(plan)
        with contextlib.suppress(OSError), helper.ask(request) as channel:
            if answer := _listen(channel, seconds, largest):
                return [json.loads(line) for line in answer.splitlines()]
        words = helper.last_words()
        discard(helper)
    raise InfrastructureError(f"the command sandbox gave no answer: {words}")


def _listen(channel: socket.socket, seconds: float, largest: int) -> bytes:
    """Return the whole answer; where there is none in time, or too much, leave nothing running."""
    try:
        return receive(channel.fileno(), seconds, largest)
    except BaseException:
        hang_up(channel)
        raise


def receive(fd: int, seconds: float, largest: int) -> bytes:
    """Read to the end, which comes when pid 1 is gone."""
    deadline = time.monotonic() + seconds
    answer = bytearray()
    os.set_blocking(fd, False)
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not syscalls.readable(fd, left):
            if b"\n" in answer:  # the sandbox stood: what takes so long is what was asked
                raise Overrun(f"the request was not carried out within {seconds:.0f} s")
            raise InfrastructureError(f"the command sandbox did not answer within {seconds:.0f} s")
        data = os.read(fd, 1 << 20)
        if not data:
            return bytes(answer)
        answer += data
        if len(answer) > largest:
            raise InfrastructureError(f"the command sandbox answered with more than {largest} bytes")


def hang_up(channel: socket.socket) -> None:
    """Have the guest end pid 1, and with it the namespace; wait until it has."""
    with contextlib.suppress(OSError):
        channel.shutdown(socket.SHUT_WR)
        deadline = time.monotonic() + HANG_UP_SECONDS
        while syscalls.readable(channel.fileno(), max(0.0, deadline - time.monotonic())) and _drain(channel):
            pass


def _drain(channel: socket.socket) -> bool:
    try:
        return bool(channel.recv(1 << 20))
    except BlockingIOError:
        return True
