"""An agent's cell: programs of strangers at work in folders of ours, with no way out but the doors we listen on.

A cell is a process tree with mount, pid, network, ipc, host name and user namespaces of its own. Of this machine it
sees /usr, the interpreter's base installation without its installed packages, and the plan's mounts. Its network is a
loopback; each door is a socket that listens on it and is accepted on here, so that whoever serves a door decides what
the cell can reach. None of our environment variables, keys or files that the plan does not name may be found inside,
however the cell's programs look. What can be seen of the host are the paths of the mounts' sources (in
/proc/self/mountinfo): folders are to have names that tell nothing.

Nothing outlives a cell: its pid 1 ends when this object is closed and when this process ends, however it does, and
the kernel then kills whatever the programs detached. Exit statuses are reported and mean nothing.

Not limited: memory as a whole, for which only control groups would do (the kernel kills a cell first when memory is
short), and what is written to writable mounts as a whole.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import msgspec

from verifierbench.core.errors import InfrastructureError, Unavailable
from verifierbench.sandbox import syscalls
from verifierbench.sandbox.cell_guest.init import RUN
from verifierbench.sandbox.cell_guest.root import AGENT_HOME
from verifierbench.sandbox.cell_plan import ENVIRONMENT, MOST_DOORS, PATH, CellLimits, CellPlan, Mount, order
from verifierbench.sandbox.cell_watch import End, Output
from verifierbench.sandbox.folders import hand_over
from verifierbench.sandbox.launch import GUEST_ENVIRONMENT, guest_command

__all__ = ["AGENT_HOME", "ENVIRONMENT", "PATH", "Cell", "CellExit", "CellLimits", "CellPlan", "Mount"]

START_SECONDS = 60.0
CLOSE_SECONDS = 10.0
_TICK_SECONDS = 0.1
_NO_NAMESPACES = (
    "an agent's programs run in Linux namespaces, and this machine gives none ({}); allow unprivileged user "
    "namespaces (sysctl kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces above 0) or run as "
    "root with CAP_SYS_ADMIN"
)


class CellExit(msgspec.Struct, frozen=True, kw_only=True):
    """How a program ended; nothing it started is left."""

    ended: Literal["exit", "signal", "timeout", "stopped"]
    """By itself, by a signal that was not ours, because its time was up, or because we were asked to stop it."""
    status: int | None
    """Its exit status, if it had one; 127 where there is no such program."""
    signal: str = ""
    """The name of the signal that killed it, ours included."""
    seconds: float
    dropped: tuple[int, int] = (0, 0)
    """Bytes of standard output and of standard error past the limit."""


class Cell:
    """One running cell; a context manager.

    Raises Unavailable where the machine has no namespaces, MalformedInput for a plan that cannot hold, and
    InfrastructureError where it does not start otherwise.
    """

    def __init__(self, plan: CellPlan) -> None:
        told = order(plan)
        self._plan = plan
        self._busy = threading.Lock()
        self.doors: tuple[socket.socket, ...] = ()
        """Listening sockets, one per port of the plan. `close` closes them: end what accepts on them before."""
        for mount in plan.mounts:
            if mount.writable:
                hand_over(mount.outside.resolve())
        self._errors = os.memfd_create("errors")
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._process = _spawn(told, theirs, self._errors)
        except OSError as error:
            self._release()
            raise InfrastructureError(f"the cell did not start: {error}") from error
        finally:
            theirs.close()
        try:
            self._await_ready()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(
        self,
        argv: Sequence[str],
        environment: Mapping[str, str],
        stdout: Path,
        stderr: Path,
        seconds: float,
        stop: threading.Event | None = None,
        grace: float = 5.0,
    ) -> CellExit:
        """Run one program in the plan's `cwd`: to its end, for at most `seconds`, or until `stop` is set.

        It is then sent SIGTERM, and `grace` seconds later SIGKILL. `stdout` and `stderr` are files of ours, written
        anew. In the end everything else that runs in the cell is killed too. Raises InfrastructureError where the
        cell goes down meanwhile, or is closed; after any exception the cell is of no more use.
        """
        merged = {**ENVIRONMENT, **self._plan.environment, **environment}
        asked = {"argv": list(argv), "environment": merged, "cwd": self._plan.cwd}
        with self._busy, contextlib.ExitStack() as kept:
            outputs = []
            for path in (stdout, stderr):
                outputs.append(Output(kept.enter_context(path.open("wb")), self._plan.limits.output_bytes))
                kept.callback(outputs[-1].close)
            end = End(seconds, stop, grace)
            try:
                self._start(asked, outputs)
                status = self._watch(outputs, end)
            except BaseException:  # an interrupt, say: what still runs could not be told from a later program
                self._hang_up()
                raise
            for output in outputs:
                output.finish()
        return _exit(status, end, (outputs[0].dropped, outputs[1].dropped))

    def close(self) -> None:
        """Kill everything inside and wait until it is gone; may be called from any thread, and again."""
        self._hang_up()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(CLOSE_SECONDS)
        self._process.kill()
        self._process.wait()
        with self._busy:
            self._release()

    def _hang_up(self) -> None:
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)

    def _start(self, asked: dict[str, Any], outputs: Sequence[Output]) -> None:
        body = syscalls.sealed_memfd(json.dumps(asked).encode(), "order")
        try:
            socket.send_fds(self._control, [RUN], [body, *(output.end for output in outputs)])
        except OSError as error:
            raise self._gone() from error
        finally:
            os.close(body)
            for output in outputs:
                output.let_go()

    def _watch(self, outputs: Sequence[Output], end: End) -> int:
        """Write down what is printed until the program is over, and see to it that it ends; its wait status."""
        control = self._control.fileno()
        poll = select.poll()
        reading = {output.fd: output for output in outputs}
        for fd in (control, *reading):
            poll.register(fd, select.POLLIN)
        while True:
            ready = [fd for fd, _ in poll.poll(_TICK_SECONDS * 1000)]
            for fd in reading.keys() & ready:
                if not reading[fd].pump():
                    poll.unregister(fd)
            if control in ready:
                return self._answer()
            if due := end.due():
                self._tell(due)

    def _tell(self, message: bytes) -> None:
        try:
            self._control.send(message)
        except OSError as error:
            raise self._gone() from error

    def _answer(self) -> int:
        said = b""
        with contextlib.suppress(OSError):
            said = self._control.recv(4096)
        try:
            return int(json.loads(said)["status"])
        except (ValueError, KeyError):
            raise self._gone(said.decode(errors="replace")) from None

    def _gone(self, words: str = "") -> InfrastructureError:
        return InfrastructureError(f"the cell is no more: {words or self._last_words() or 'it was closed or killed'}")

    def _await_ready(self) -> None:
        said, descriptors = b"", list[int]()
        if syscalls.readable(self._control.fileno(), START_SECONDS):
            with contextlib.suppress(OSError):
                said, descriptors, _, _ = socket.recv_fds(self._control, 4096, MOST_DOORS, socket.MSG_CMSG_CLOEXEC)
        self.doors = tuple(socket.socket(fileno=fd) for fd in descriptors)
        try:
            ready = json.loads(said)
        except ValueError:
            ready = {"failed": self._last_words() or "it left no message"}
        if "unavailable" in ready:
            raise Unavailable(_NO_NAMESPACES.format(ready["unavailable"]))
        if "failed" in ready:
            raise InfrastructureError(f"the cell did not start: {ready['failed']}")

    def _last_words(self) -> str:
        try:
            return os.pread(self._errors, 2000, 0).decode("utf-8", "replace").strip()
        except OSError:
            return ""

    def _release(self) -> None:
        self._control.close()
        for door in self.doors:
            door.close()
        if self._errors >= 0:
            os.close(self._errors)
            self._errors = -1


def _spawn(told: dict[str, Any], control: socket.socket, errors: int) -> subprocess.Popen[bytes]:
    """Start the process whose child becomes pid 1; it has a fixed environment and no descriptor but these."""
    body = syscalls.sealed_memfd(json.dumps(told).encode(), "plan")
    try:
        return subprocess.Popen(
            guest_command(sys.executable, "start", str(control.fileno()), folder="cell_guest"),
            stdin=body,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            pass_fds=(control.fileno(),),
            env=GUEST_ENVIRONMENT,
            cwd="/",
            start_new_session=True,  # an interrupt at the terminal is ours to handle
        )
    finally:
        os.close(body)


def _exit(status: int, end: End, dropped: tuple[int, int]) -> CellExit:
    code, killed_by = None, ""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        killed_by = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    else:
        code = os.WEXITSTATUS(status)
    ended = end.reason or ("signal" if killed_by else "exit")
    return CellExit(ended=ended, status=code, signal=killed_by, seconds=end.seconds, dropped=dropped)
