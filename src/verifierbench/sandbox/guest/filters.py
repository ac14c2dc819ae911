"""Which system calls workers and commands may make, where that depends on an argument.

A worker may make a verifier's calls and those that upstream packages need to compute: threads, pipes, event loops on
descriptors that they make themselves. Still no path, no network, no new process, no other process's affairs. Some
calls are judged by an argument: `clone` only makes threads, and `fcntl` and `ioctl` have a short list of commands
each, because some of their others send signals to strangers.

A command may make every call but one, on another process: see `command_filter`.
"""

from __future__ import annotations

import os

from .. import seccomp
from ..seccomp import Instruction

_EXTRA: dict[str, tuple[int | None, int | None]] = {
    "writev": (20, 66),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "socketpair": (53, 199),
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "shutdown": (48, 210),
    "getsockname": (51, 204),
    "getpeername": (52, 205),
    "getsockopt": (55, 209),
    "setsockopt": (54, 208),
    "eventfd2": (290, 19),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_wait": (232, None),
    "epoll_pwait": (281, 22),
    "getcwd": (79, 17),
    "getppid": (110, 173),
    "uname": (63, 160),
    "sched_getaffinity": (204, 123),
    "set_robust_list": (273, 99),
    "rseq": (334, 293),
    "exit": (60, 93),
}
_OF_SERVER = ("clone", "wait4", "kill", "prctl")
"""What the trusted process needs besides: to fork a request's process, confine it, end it and reap it."""

_CLONE_THREAD = 0x0001_0000
_FCNTL_COMMANDS = (0, 1, 2, 3, 4, 1030)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC."""
_IOCTL_COMMANDS = (0x5401, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS (isatty), FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""
_NUMBERS = {
    seccomp.X86_64: {"clone": 56, "fcntl": 72, "ioctl": 16, "prlimit64": 302},
    seccomp.AARCH64: {"clone": 220, "fcntl": 25, "ioctl": 29, "prlimit64": 261},
}
_JUMP_IF_BIT = 0x45
_NUMBER, _ARCH, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
_X32_BIT = 0x4000_0000
_ALLOW = Instruction(seccomp.RETURN, 0, 0, seccomp.ALLOW)
_REFUSE = Instruction(seccomp.RETURN, 0, 0, seccomp.REFUSE)
_KILL = Instruction(seccomp.RETURN, 0, 0, seccomp.KILL_PROCESS)


def server_filter() -> seccomp.Filter:
    """Return the filter of the process that forks one process per request."""
    return _worker_filter(_OF_SERVER, clone_any=True)


def request_filter() -> seccomp.Filter:
    """Return the filter of the process that handles a request; installed on top of the server's."""
    return _worker_filter((), clone_any=False)


def command_filter() -> seccomp.Filter:
    """Return the filter of commands: everything but setting the limits of other processes.

    Pid 1 runs as the same user, and that is the one thing its equal could do to it: without descriptors or memory it
    would fail, and a failure of ours would be retried.
    """
    arch = os.uname().machine
    judged = _by_argument(_NUMBERS[arch]["prlimit64"], _FIRST_ARGUMENT, _allow(0))
    return seccomp.Filter([*_head(arch), *judged, _ALLOW])


def _worker_filter(names: tuple[str, ...], *, clone_any: bool) -> seccomp.Filter:
    arch = os.uname().machine
    column = (seccomp.X86_64, seccomp.AARCH64).index(arch)
    extra = sorted(call[column] or 0 for call in _EXTRA.values() if call[column] is not None)
    allowed = [instruction for number in extra for instruction in _allow(number)]
    rest = seccomp.program([*seccomp.VERIFIER, *names], arch, reserve_status=False)
    return seccomp.Filter([*_head(arch), *_judged(_NUMBERS[arch], clone_any=clone_any), *allowed, *rest])


def _head(arch: str) -> list[Instruction]:
    """Kill who enters as another architecture, where numbers mean other calls; load the call's number."""
    return [
        Instruction(seccomp.LOAD, 0, 0, _ARCH),
        Instruction(seccomp.JUMP_EQUAL, 1, 0, seccomp.AUDIT_ARCH[arch]),
        _KILL,
        Instruction(seccomp.LOAD, 0, 0, _NUMBER),
        Instruction(seccomp.JUMP_GREATER_EQUAL, 0, 1, _X32_BIT),
        _KILL,
    ]


def _allow(operand: int) -> list[Instruction]:
    return [Instruction(seccomp.JUMP_EQUAL, 0, 1, operand), _ALLOW]


def _judged(numbers: dict[str, int], *, clone_any: bool) -> list[Instruction]:
    threads = [Instruction(_JUMP_IF_BIT, 0, 1, _CLONE_THREAD), _ALLOW]
    judged = [] if clone_any else _by_argument(numbers["clone"], _FIRST_ARGUMENT, threads)
    for name, commands in (("fcntl", _FCNTL_COMMANDS), ("ioctl", _IOCTL_COMMANDS)):
        tests = [instruction for command in commands for instruction in _allow(command)]
        judged += _by_argument(numbers[name], _SECOND_ARGUMENT, tests)
    return judged


def _by_argument(number: int, argument: int, tests: list[Instruction]) -> list[Instruction]:
    """Judge one call by the low half of one argument; every other call passes on to what follows."""
    body = [Instruction(seccomp.LOAD, 0, 0, argument), *tests, _REFUSE]
    return [Instruction(seccomp.JUMP_EQUAL, 0, len(body), number), *body]
