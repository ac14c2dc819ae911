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
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifierbench.core.errors import InfrastructureError
from verifierbench.sandbox import syscalls

if TYPE_CHECKING:
    from collections.abc import Iterator

START_SECONDS = 60.0
CLOSE_SECONDS = 10.0
GUEST_FOLDER = Path(__file__).resolve().parent
_FLAGS = ("-S", "-P", "-B")
# Our modules may lie beside upstream packages with their answers: stand-ins for the packages above `guest` point at
# its files alone. Nothing is imported before the recorder listens.
_BOOTSTRAP = """\
import sys
before = list(sys.modules), list(sys.path_importer_cache)
for name, folder in (("", ""), (".sandbox", ""), (".sandbox.guest", "/guest")):
    package = type(sys)("verifierbench" + name)
    package.__path__ = [sys.argv[1] + folder] if name else []
    sys.modules[package.__name__] = package
from verifierbench.sandbox.guest import warm
warm.record(*before)
from verifierbench.sandbox.guest import serve_commands
(serve_commands.resume if sys.argv[3:] else serve_commands.main)(*sys.argv[2:])
"""


class CommandGuest:
    """One running guest; raises InfrastructureError where it does not start."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # Pipes, as the standard streams of commands are: a warm start hands the open streams down.
        self._errors, errors = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        order = syscalls.sealed_memfd(json.dumps(plan).encode(), "plan")
        try:
            self._process = subprocess.Popen(
                [_interpreter(plan), *_FLAGS, "-c", _BOOTSTRAP, str(GUEST_FOLDER), str(theirs.fileno())],
                stdin=order,
                stdout=errors,
                stderr=errors,
                pass_fds=(theirs.fileno(),),
                env=plan["environment"],
                cwd="/",
                start_new_session=True,  # an interrupt at the terminal is ours to handle
            )
        except OSError as error:
            self._release()
            raise InfrastructureError(f"the command sandbox did not start: {error}") from error
        finally:
            theirs.close()
            os.close(errors)
            os.close(order)
        self.unavailable = self._await_ready()
        """What the machine lacks; "" where it lacks nothing, and it serves."""

    def ask(self, request: bytes) -> socket.socket:
        """Have a request carried out; its frames come from the socket returned. OSError if the guest is gone."""
        ours, theirs = socket.socketpair()
        body = syscalls.sealed_memfd(request, "request")
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
        """What it wrote to standard error."""
        try:
            return os.read(self._errors, 2000).decode("utf-8", "replace").strip()
        except OSError:  # nothing, or it has been closed
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

    def _await_ready(self) -> str:
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
        if "failed" in ready:
            raise InfrastructureError(f"the command sandbox did not start: {ready['failed']}")
        return str(ready.get("unavailable", ""))

    def _release(self) -> None:
        self._control.close()
        if self._errors >= 0:
            os.close(self._errors)
            self._errors = -1


def _interpreter(plan: dict[str, Any]) -> str:
    """Commands' own where it can run a guest, and a warm start is then possible; else ours."""
    return str(plan["python"]) if plan["warm"] else sys.executable


_lock = threading.Lock()
_guests: dict[str, CommandGuest] = {}


def guest(plan: dict[str, Any]) -> CommandGuest:
    """The guest of a plan, started if need be; one for which the machine lacks something is not kept."""
    key = json.dumps(plan)
    with _lock:
        if key in _guests:
            return _guests[key]
        made = CommandGuest(plan)
        if not made.unavailable:
            _guests[key] = made
        return made


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
