"""Pid 1 of a cell: starts one program at a time, reaps everybody, and leaves nobody behind.

Orders arrive on the control socket, one packet each; the descriptors of `run` travel with it:

    run   + sealed file {"argv", "environment", "cwd"}, stdout, stderr     answered when the program is over
    term                                                                   SIGTERM to the program's process group
    kill                                                                   SIGKILL to everyone but this process

The one answer is {"status": wait status}, and by then no process but this one is left: what a program detached ends
with it. The end of the socket, or of the caller, is the end of this process, and so of the cell.

The programs cannot signal this process (it is pid 1, and handles SIGCHLD alone, whose sender it does not ask), nor
read or trace it (not dumpable), nor change its limits (their filter).
"""

# Every import costs a guest time, and pathlib is a dear one.

from __future__ import annotations

import json
import os
import resource
import select
import signal
import socket
import warnings  # noqa: F401  # os.execvpe imports it, when this interpreter's files are out of reach
from contextlib import suppress
from typing import Any, NoReturn

from .. import syscalls as sc
from ..guest import filters as command_filters
from ..guest.command import NO_SUCH_COMMAND, kill_all
from ..guest.run_commands import read_json
from .filters import socket_filter

RUN, TERM, KILL = b"run", b"term", b"kill"
_DESCRIPTORS = 3
_OPEN_FILES = 16_384
"""Programs with many threads and pipes raise their soft limit to the hard one; none needs a million."""


class Init:
    """Serves one caller; at most one program at a time."""

    def __init__(self, channel: socket.socket, caller: int, plan: dict[str, Any]) -> None:
        self._channel, self._caller, self._limits = channel, caller, plan["limits"]
        self._program = 0
        self._woken, wake = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> None:
        """Serve until the caller hangs up or is gone."""
        poll = select.poll()
        for fd in (self._channel.fileno(), self._caller, self._woken):
            poll.register(fd, select.POLLIN)
        while True:
            ready = {fd for fd, _ in poll.poll()}
            if self._caller in ready:
                return
            if self._woken in ready:
                os.read(self._woken, 1 << 12)
                self._reap()
            if self._channel.fileno() in ready and not self._obey():
                return

    def _obey(self) -> bool:
        message, descriptors, _, _ = socket.recv_fds(self._channel, 16, _DESCRIPTORS, socket.MSG_CMSG_CLOEXEC)
        if message == RUN:
            self._start(*descriptors)
        elif message == TERM and self._program:
            self._ask_to_end()
        elif message == KILL and self._program:
            self._finish(kill_all(self._program))
        for fd in descriptors:
            os.close(fd)
        return bool(message)

    def _ask_to_end(self) -> None:
        try:
            os.killpg(self._program, signal.SIGTERM)
        except ProcessLookupError:  # it does not lead its group yet
            with suppress(ProcessLookupError):
                os.kill(self._program, signal.SIGTERM)

    def _start(self, order: int, out: int, err: int) -> None:
        asked = read_json(order)
        pid = os.fork()
        if pid == 0:
            execute(asked, self._limits, out, err)
        self._program = pid

    def _reap(self) -> None:
        """Reap whoever is dead; when the program is among them, end the rest."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self._program:
                kill_all(pid)
                self._finish(status)

    def _finish(self, status: int) -> None:
        self._program = 0
        self._channel.send(json.dumps({"status": status}).encode())


def execute(asked: dict[str, Any], limits: dict[str, int], out: int, err: int) -> NoReturn:
    """Become the program: between fork and exec."""
    command = asked["argv"]
    try:
        os.setsid()
        os.umask(0o022)
        for number, fd in enumerate((os.open("/dev/null", os.O_RDONLY), out, err)):
            os.dup2(fd, number)
        sc.close_range(3)
        os.chdir(asked["cwd"])
        set_limits(limits)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD):  # Python's ways, not to be inherited
            signal.signal(number, signal.SIG_DFL)
        command_filters.command_filter().install()
        socket_filter().install()
        os.execvpe(command[0], command, asked["environment"])  # noqa: S606
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(NO_SUCH_COMMAND)


def set_limits(limits: dict[str, int]) -> None:
    """Limit what one process may use; descendants inherit it.

    Not the address space: engines of JavaScript and WebAssembly reserve more of it than machines have memory.
    """
    table = {
        resource.RLIMIT_FSIZE: limits["file_mb"] << 20,
        resource.RLIMIT_NPROC: limits["processes"],
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
    }
    for kind, value in table.items():
        hard = resource.getrlimit(kind)[1]
        ceiling = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (ceiling, ceiling))
