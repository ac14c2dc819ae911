"""The trusted process inside: it locks itself down, then forks one confined child per order.

It never runs a verifier's code and never reads a payload: an order is six numbers, and the descriptors that come
with it are handed to the child unread. So no case can change it, and nothing of one case is in the memory a later
one inherits. It ends when its box closes the control socket, and its children with it.
"""

from __future__ import annotations

import _socket
import array
import fcntl
import gc
import os
import resource
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from .. import seccomp, syscalls
from . import child, determinism, lockdown, modules, wire

_FD_BYTES = array.array("i").itemsize
_ANCILLARY = _socket.CMSG_SPACE(5 * _FD_BYTES)


def main(control: int, tier: str, uid: int, importable: frozenset[str]) -> NoReturn:
    """Lock down, say so, and serve until the box is gone."""
    control = _private(control)
    socket = _socket.socket(fileno=control)
    try:
        serve = _prepare(tier, uid, importable)
    except Exception as error:  # whatever it is, the box must hear why there is no sandbox
        socket.send(f"{type(error).__name__}: {error}".encode()[:1000])
        os._exit(1)
    socket.send(wire.READY)
    serve(socket)
    os._exit(0)


def _private(fd: int) -> int:
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, wire.FIRST_PRIVATE_FD)
    os.close(fd)
    return moved


def _prepare(tier: str, uid: int, importable: frozenset[str]) -> Callable[[_socket.socket], None]:
    determinism.make_deterministic()
    arch = os.uname().machine
    confined = child.Confinement(tier, seccomp.Filter(seccomp.program(seccomp.VERIFIER, arch)))
    own = seccomp.Filter(seccomp.program(seccomp.ZYGOTE, arch, reserve_status=False))
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)  # type: ignore[union-attr]
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    lockdown.lock_down(tier, uid=uid)
    fork = _fork_in_new_pid_namespace() if tier == lockdown.NAMESPACES else os.fork
    modules.close(importable)
    gc.collect()
    gc.freeze()
    own.install()
    return lambda socket: _serve(socket, fork, confined)


def _fork_in_new_pid_namespace() -> Callable[[], int]:
    """Return a fork whose child is process 1 of a pid namespace of its own.

    The namespace of this process's children is first set back to its own: namespaces would nest otherwise, and the
    one of an ended case cannot be forked into. A pidfd stands for it, because there is no /proc here.
    """
    myself = _private(os.pidfd_open(os.getpid()))

    def fork() -> int:
        syscalls.setns(myself, syscalls.CLONE_NEWPID)
        syscalls.unshare(syscalls.CLONE_NEWPID)
        return os.fork()

    return fork


def _serve(socket: _socket.socket, fork: Callable[[], int], confined: child.Confinement) -> None:
    while True:
        message, ancillary, _, _ = socket.recvmsg(wire.ORDER.size, _ANCILLARY)
        if not message:
            return
        descriptors = sum(len(data) for _, _, data in ancillary) // _FD_BYTES
        try:
            pid = fork()
        except OSError as error:
            pid = -error.errno if error.errno else -1
        if pid == 0:
            child.run(wire.Order(*wire.ORDER.unpack(message)), descriptors, confined)
        os.closerange(wire.PAYLOAD_FD, wire.PAYLOAD_FD + descriptors)
        if not _finish(socket, pid):
            return


def _finish(socket: _socket.socket, pid: int) -> bool:
    """Wait for the box's word, end the child, report its ending; False when the box is gone."""
    present = bool(socket.recv(1))
    if pid < 0:
        ending = wire.Ending(-1, -pid, 0.0)
    else:
        before = _processor_time_of_children()
        os.kill(pid, signal.SIGKILL)
        status = os.waitpid(pid, 0)[1]
        ending = wire.Ending(status, 0, _processor_time_of_children() - before)
    if present:
        socket.send(wire.ENDING.pack(*ending))
    return present


def _processor_time_of_children() -> float:
    # Not `os.wait4`: it imports `resource` at each call, and nothing can be imported any more.
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
