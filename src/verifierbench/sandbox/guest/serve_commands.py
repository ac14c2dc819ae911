"""The process that stands for a whole plan: it builds the root directory once and forks a pid 1 per request.

Three processes, from the outside in. The first enters the namespaces and waits: for the second to end, or for the
caller to hang up. The second builds the root directory of the plan and serves: it passes the two descriptors of a
request to a fork that is pid 1 of a pid namespace of its own, and reaps it. It reads no request and runs no
command. The third is `run_commands`.

The caller hears the end of an answer when the request's whole pid namespace is gone, because the second process
keeps the answer's socket open until it has reaped it; a caller that stops listening has it killed.
"""

from __future__ import annotations

import array
import ctypes
import errno
import gc
import json
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from typing import Any, NoReturn

from .. import syscalls as sc
from . import command, run_commands, warm
from .rootfs import GUEST, OLD, build_root
from .run_commands import USER_INSIDE

M_ARENA_MAX = -8
SELF_TEST = "import sys, unittest; sys.exit(42 + sys.flags.safe_path)"
SELF_TEST_STATUS = 43
_RIGHTS = 2 * array.array("i").itemsize


def main(control: str) -> NoReturn:
    """Enter the namespaces, leave the work to their pid 1, and wait."""
    channel = socket.socket(fileno=int(control))
    try:
        plan = read_plan()
        proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        enter(plan, proc)
    except OSError as error:
        channel.send(json.dumps({"unavailable": str(error)}).encode())
        os._exit(0)
    pid = os.fork()
    if pid == 0:
        build_and_serve(channel, plan, proc)
    wait(channel, pid)
    os._exit(0)


def read_plan() -> dict[str, Any]:
    """The plan, from standard input."""
    text = os.pread(0, os.fstat(0).st_size, 0)
    plan: dict[str, Any] = json.loads(text)
    return plan


def enter(plan: dict[str, Any], proc: int) -> None:
    """Root needs no user namespace to build a root directory; anyone else may mount in a new one alone."""
    if plan["privileged"]:
        return sc.unshare(sc.CLONE_NEWNS | sc.CLONE_NEWPID)
    uid, gid = os.getuid(), os.getgid()
    if uid == 0 and not sc.is_privileged() and not in_user_namespace():
        # As the machine's real root the limit on processes would not hold.
        raise OSError(errno.EPERM, "root without CAP_SYS_ADMIN, CAP_SETUID and CAP_SETGID")
    sc.unshare(sc.CLONE_NEWUSER | sc.CLONE_NEWNS | sc.CLONE_NEWPID)
    return sc.write_id_maps(proc, inner=USER_INSIDE, uid=uid, gid=gid)


def in_user_namespace() -> bool:
    """Whether uid 0 here is another uid outside."""
    with open("/proc/self/uid_map") as file:  # noqa: PTH123
        return file.read().split()[:2] != ["0", "0"]


def wait(channel: socket.socket, pid: int) -> None:
    """Wait for the serving process to end, or end it when the caller has hung up."""
    poll = select.poll()
    poll.register(channel, 0)  # a hang-up is reported unasked; what is sent is for the other process
    poll.register(sc.pidfd_open(pid), select.POLLIN)
    poll.poll()
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)  # returns when everything below it is gone


def build_and_serve(channel: socket.socket, plan: dict[str, Any], proc: int) -> NoReturn:
    """Be the serving process; never returns.

    For warm starts the interpreter starts again inside: then its own file is, as everything there, read-only, and
    its addresses are those of every other start.
    """
    try:
        sc.die_with_parent()
        build_root(plan)
        if plan["warm"]:
            start_again(channel.fileno(), proc)
        serve(channel, plan, proc)
    except BaseException as error:
        channel.send(json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode()[:4000])
    finally:
        os._exit(1)


def start_again(channel: int, proc: int) -> NoReturn:
    """Execute the interpreter that commands have, with the same bootstrap and the guest's files from the stage."""
    with suppress(OSError):  # containers may forbid it
        sc.fix_addresses()
    for fd in (channel, proc):
        os.set_inheritable(fd, True)
    bootstrap = sys.orig_argv[sys.orig_argv.index("-c") + 1]
    flags = sys.orig_argv[1 : sys.orig_argv.index("-c")]
    os.execv("/interpreter/python", ["python", *flags, "-c", bootstrap, GUEST, str(channel), str(proc)])  # noqa: S606


def resume(control: str, proc: str) -> NoReturn:
    """Be the serving process, started again inside."""
    channel = socket.socket(fileno=int(control))
    for fd in (control, proc):
        os.set_inheritable(int(fd), False)
    try:
        command.ARGUMENTS = place_of_arguments()
        one_arena()
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(warm.settle()))
        plan = read_plan()
        plan["warm"] = can_start_warm(plan["environment"])
        serve(channel, plan, int(proc))
    except BaseException as error:
        channel.send(json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode()[:4000])
    finally:
        os._exit(1)


def place_of_arguments() -> tuple[int, int]:
    """Where this process's arguments lie in its memory, as the kernel knows it."""
    with open(f"{OLD}/proc/self/stat", "rb") as file:  # noqa: PTH123
        fields = file.read().rpartition(b")")[2].split()
    return int(fields[45]), int(fields[46])  # fields 48 and 49 of proc(5)


def can_start_warm(environment: dict[str, str]) -> bool:
    """Try it: an interpreter whose `main` cannot be gone through again ends otherwise."""
    limits = {"memory_mb": 1024, "file_mb": 1, "processes": 1024}
    request = {"limits": limits, "environment": environment}
    try:
        pid = command.start_warm(["python", "-P", "-S", "-s", "-B", "-c", SELF_TEST], request, (0, 1, 2))
    except (AttributeError, OSError):  # not glibc
        return False
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == SELF_TEST_STATUS


def one_arena() -> None:
    """Have threads share the allocator's first arena: another would count against a command's address space."""
    with suppress(AttributeError):  # not glibc
        sc.libc.mallopt(M_ARENA_MAX, 1)


def serve(channel: socket.socket, plan: dict[str, Any], proc: int) -> None:
    """Say that it stands, and serve until the caller hangs up."""
    leave_signals_to_the_kernel()
    kept = {name: plan[name] for name in ("privileged", "uid", "environment", "warm")}
    plan.clear()  # the rest names places of the host, and forks of this process become commands
    gc.collect()
    gc.freeze()
    channel.send(b"{}")
    Server(channel, kept, proc).serve()


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
