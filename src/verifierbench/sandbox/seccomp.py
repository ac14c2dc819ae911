"""Which system calls a confined process may make, and the BPF program that refuses the rest.

An allow-list by name for two architectures. A call is allowed by its number alone; the one argument ever looked at
is the status of `exit_group`, because one status is reserved (see `SETUP_FAILED`). No call that takes a path, makes
a process, opens a socket, names another process or changes a limit is on the verifier's list: what is not on it
fails with EPERM, and a call through a foreign entry (i386, x32, another architecture) kills the process.

The program is a balanced tree of comparisons: the kernel evaluates it for every call number when it is installed,
which happens once per case. Standard library only: the guest imports this file.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Iterable
from typing import NamedTuple

from . import syscalls

X86_64, AARCH64 = "x86_64", "aarch64"
AUDIT_ARCH = {X86_64: 0xC000_003E, AARCH64: 0xC000_00B7}
_X32_BIT = 0x4000_0000

# name: (x86-64, aarch64); None where the architecture has no such call.
NUMBERS: dict[str, tuple[int | None, int | None]] = {
    # bytes through descriptors that are already open
    "read": (0, 63),
    "write": (1, 64),
    "pread64": (17, 67),
    "close": (3, 57),
    # memory, bounded by RLIMIT_AS; no madvise, which could ask for pages to be merged with those of others
    "brk": (12, 214),
    "mmap": (9, 222),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "mprotect": (10, 226),
    # signals to itself: handlers, masks, the alternative stack
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
    # time
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    "getrusage": (98, 165),
    "nanosleep": (35, 101),
    "clock_nanosleep": (230, 115),
    # waiting
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "futex": (202, 98),
    "sched_yield": (24, 124),
    # who am I (but no process number: it counts the cases before this one), and chance
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getrandom": (318, 278),
    "exit_group": (231, 94),
    # what only a zygote needs: to know itself, to fork, to confine the child, to reap it
    "getpid": (39, 172),
    "gettid": (186, 178),
    "clone": (56, 220),
    "wait4": (61, 260),
    "kill": (62, 129),
    "setns": (308, 268),
    "unshare": (272, 97),
    "recvmsg": (47, 212),
    "recvfrom": (45, 207),
    "sendto": (44, 206),
    "dup2": (33, None),
    "dup3": (292, 24),
    "close_range": (436, 436),
    "prlimit64": (302, 261),
    "capset": (126, 91),
    "prctl": (157, 167),
    "set_robust_list": (273, 99),
    "rseq": (334, 293),
    "exit": (60, 93),
    # answered with "no such call", so that the C library falls back to one it may be refused
    "clone3": (435, 435),
}

_FIRST_OF_ZYGOTE = list(NUMBERS).index("getpid")
VERIFIER: frozenset[str] = frozenset(list(NUMBERS)[:_FIRST_OF_ZYGOTE])
"""Calls of a process that runs untrusted code: computing, and bytes on open descriptors."""
ZYGOTE: frozenset[str] = frozenset(NUMBERS) - {"clone3"}
"""Calls of the trusted process that forks verifiers: no path, no socket and no exec either."""

SETUP_FAILED = 99
"""Exit status of a child that could not be confined. The filter kills whoever uses it, so it cannot be forged."""

ALLOW = 0x7FFF_0000
KILL_PROCESS = 0x8000_0000


def refuse(number: int) -> int:
    """Return the filter verdict that makes a call fail with this errno."""
    return 0x0005_0000 | number


REFUSE = refuse(errno.EPERM)


class Instruction(NamedTuple):
    """One classic BPF instruction: jumps are counted from the instruction after it."""

    code: int
    if_true: int
    if_false: int
    operand: int


LOAD, AND, JUMP_EQUAL, JUMP_GREATER_EQUAL, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER_OFFSET, _ARCH_OFFSET, _FIRST_ARGUMENT_OFFSET = 0, 4, 16


def numbers(names: Iterable[str], arch: str) -> frozenset[int]:
    """Numbers of these calls on an architecture; calls it does not have are left out."""
    column = (X86_64, AARCH64).index(arch)
    return frozenset(number for name in names if (number := NUMBERS[name][column]) is not None)


def program(names: Iterable[str], arch: str, *, reserve_status: bool = True) -> list[Instruction]:
    """Build the filter that allows exactly `names`; with `reserve_status`, exits with SETUP_FAILED are killed."""
    decisions = dict.fromkeys(numbers(names, arch), ALLOW)
    decisions |= dict.fromkeys(numbers(["clone3"], arch), refuse(errno.ENOSYS))
    (exit_group,) = numbers(["exit_group"], arch)
    head = [
        Instruction(LOAD, 0, 0, _ARCH_OFFSET),
        Instruction(JUMP_EQUAL, 1, 0, AUDIT_ARCH[arch]),
        Instruction(RETURN, 0, 0, KILL_PROCESS),
        Instruction(LOAD, 0, 0, _NUMBER_OFFSET),
        Instruction(JUMP_GREATER_EQUAL, 0, 1, _X32_BIT),
        Instruction(RETURN, 0, 0, KILL_PROCESS),
    ]
    if reserve_status:
        head += _exit_check(exit_group)
    return head + _tree(_intervals(decisions))


def _exit_check(exit_group: int) -> list[Instruction]:
    # The kernel keeps the low byte of a status: 355 would read as 99 too.
    return [
        Instruction(JUMP_EQUAL, 0, 5, exit_group),
        Instruction(LOAD, 0, 0, _FIRST_ARGUMENT_OFFSET),
        Instruction(AND, 0, 0, 0xFF),
        Instruction(JUMP_EQUAL, 0, 1, SETUP_FAILED),
        Instruction(RETURN, 0, 0, KILL_PROCESS),
        Instruction(RETURN, 0, 0, ALLOW),
    ]


def _intervals(decisions: dict[int, int]) -> list[tuple[int, int]]:
    """Return (first number, verdict) runs covering 0 and up, in order."""
    runs = [(0, decisions.get(0, REFUSE))]
    for number in range(1, max(decisions) + 2):
        verdict = decisions.get(number, REFUSE)
        if verdict != runs[-1][1]:
            runs.append((number, verdict))
    return runs


def _tree(runs: list[tuple[int, int]]) -> list[Instruction]:
    if len(runs) == 1:
        return [Instruction(RETURN, 0, 0, runs[0][1])]
    middle = len(runs) // 2
    below, above = _tree(runs[:middle]), _tree(runs[middle:])
    if len(below) > 255:
        raise ValueError("a jump of classic BPF spans at most 255 instructions")
    return [Instruction(JUMP_GREATER_EQUAL, len(below), 0, runs[middle][0]), *below, *above]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


class Filter:
    """An assembled filter, ready to be installed with one call; made before the fork, used after it."""

    def __init__(self, instructions: list[Instruction]) -> None:
        code = b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)
        self._buffer = ctypes.create_string_buffer(code, len(code))
        address = ctypes.cast(self._buffer, ctypes.c_void_p)
        self._program = _Program(len(instructions), address)
        self._reference = ctypes.byref(self._program)

    def install(self) -> None:
        """Apply it to this process and its descendants, for good; needs `no_new_privileges` before."""
        syscalls.prctl(syscalls.PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, self._reference)


_SECCOMP_MODE_FILTER = 2
