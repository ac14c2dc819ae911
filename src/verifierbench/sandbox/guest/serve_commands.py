"""The process that stands for a whole plan: it builds the root directory once and forks a pid 1 per request.

Three processes, from the outside in. The first enters the namespaces and waits for the second to end. The second
builds the root directory of the plan and serves: it passes the two descriptors of a request to a fork that is pid 1
of a pid namespace of its own, and reaps it. It reads no request and runs no command, and it ends, and with it every
process below it, when the caller hangs up. The third is `run_commands`.

The caller hears the end of an answer when the request's whole pid namespace is gone, because the second process
keeps the answer's socket open until it has reaped it; a caller that stops listening has it killed.
"""

from __future__ import annotations

import array
import errno
import json
import os
import select
import signal
import socket
from contextlib import suppress
from typing import Any, NoReturn

from .. import syscalls as sc
from . import run_commands
from .rootfs import build_root

_RIGHTS = 2 * array.array("i").itemsize


def main(control: str) -> NoReturn:
    """Enter the namespaces, leave the work to their pid 1, and wait."""
    channel = socket.socket(fileno=int(control))
    try:
        plan = run_commands.read_json(0)
        proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        enter(plan, proc)
    except OSError as error:
        channel.send(json.dumps({"unavailable": str(error)}).encode())
        os._exit(0)
    pid = os.fork()
    if pid == 0:
        build_and_serve(channel, plan, proc)
    channel.close()
    os.waitpid(pid, 0)  # returns when everything below it is gone
    os._exit(0)


def enter(plan: dict[str, Any], proc: int) -> None:
    """Root needs no user namespace to build a root directory; anyone else may mount in a new one alone."""
    if plan["privileged"]:
        return sc.unshare(sc.CLONE_NEWNS | sc.CLONE_NEWPID)
    uid, gid = os.getuid(), os.getgid()
    if uid == 0 and not sc.is_privileged() and not in_user_namespace():
        # As the machine's real root the limit on processes would not hold.
        raise OSError(errno.EPERM, "root without CAP_SYS_ADMIN, CAP_SETUID and CAP_SETGID")
    sc.unshare(sc.CLONE_NEWUSER | sc.CLONE_NEWNS | sc.CLONE_NEWPID)
    return sc.write_id_maps(proc, inner=run_commands.INNER_UID, uid=uid, gid=gid)


def in_user_namespace() -> bool:
    """Whether uid 0 here is another uid outside."""
    with open("/proc/self/uid_map") as file:  # noqa: PTH123
        return file.read().split()[:2] != ["0", "0"]


def build_and_serve(channel: socket.socket, plan: dict[str, Any], proc: int) -> NoReturn:
    """Be the serving process: say that it stands, and serve until the caller hangs up; never returns."""
    try:
        sc.die_with_parent()
        build_root(plan)
        leave_signals_to_the_kernel()
        channel.send(b"{}")
        Server(channel, plan, proc).serve()
    except BaseException as error:
        channel.send(json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode()[:4000])
    finally:
        os._exit(1)


def leave_signals_to_the_kernel() -> None:
    """Give up Python's handlers: of signals from its own namespace pid 1 receives those alone that it handles."""
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)


class Server:
    """Forks, kills and reaps; of a request it knows the socket of its answer and its process."""

    def __init__(self, channel: socket.socket, plan: dict[str, Any], proc: int) -> None:
        self._channel, self._plan, self._proc = channel, plan, proc
        self._myself = sc.pidfd_open(os.getpid())
        self._poll = select.poll()
        self._poll.register(channel, select.POLLIN)
        self._running: dict[int, tuple[int, int]] = {}
        """Descriptor of a process → its pid and the socket of its answer."""
        self._answers: dict[int, int] = {}
        """Socket of an answer → the process that gives it."""

    def serve(self) -> None:
        """Serve until the caller hangs up."""
        while True:
            for fd, _ in self._poll.poll():
                if fd in self._running:
                    self._reap(fd)
                elif fd in self._answers:
                    self._poll.unregister(fd)
                    os.kill(self._answers[fd], signal.SIGKILL)
                elif fd == self._channel.fileno() and not self._accept():
                    return

    def _accept(self) -> bool:
        message, ancillary, _, _ = self._channel.recvmsg(16, socket.CMSG_SPACE(_RIGHTS))
        if not message:
            return False
        descriptors = array.array("i")
        for _, _, data in ancillary:
            descriptors.frombytes(data)
        request, answer = descriptors
        self._start(request, answer)
        os.close(request)
        return True

    def _start(self, request: int, answer: int) -> None:
        try:
            # Back to our own first: namespaces would nest, and that of an ended request cannot be forked into.
            sc.setns(self._myself, sc.CLONE_NEWPID)
            sc.unshare(sc.CLONE_NEWPID)
            pid = os.fork()
        except OSError as error:
            run_commands.report(answer, {"failed": str(error)})
            return os.close(answer)
        if pid == 0:
            run_commands.become_init(self._plan, self._proc, request, answer)
        process = sc.pidfd_open(pid)
        self._running[process], self._answers[answer] = (pid, answer), pid
        self._poll.register(process, select.POLLIN)
        return self._poll.register(answer, select.POLLRDHUP)

    def _reap(self, process: int) -> None:
        pid, answer = self._running.pop(process)
        os.waitpid(pid, 0)
        del self._answers[answer]
        for fd in (process, answer):
            with suppress(KeyError):
                self._poll.unregister(fd)
            os.close(fd)
