"""What a program in a cell may not ask of the kernel, beside what commands may not.

A network namespace holds every socket of the internet families, and none of some others: a vsock of a virtual
machine reaches its host from any namespace, and Bluetooth, AF_ALG or the next new family are the kernel's affair
alone. So sockets come from a short list of families. An io_uring makes sockets past any such list, and keyrings are
inherited whatever the namespace; both are refused as a kernel without them would, and programs do without.

Installed on top of the commands' filter, which kills whoever enters as another architecture: here numbers are ours.
"""

from __future__ import annotations

import ctypes
import errno
import os

from .. import seccomp, syscalls
from ..seccomp import Instruction

AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
FAMILIES = (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK)
"""Netlink is how the C library lists the interfaces of its own namespace."""
NUMBERS = {
    seccomp.X86_64: {"socket": 41, "add_key": 248, "request_key": 249, "keyctl": 250, "io_uring_setup": 425},
    seccomp.AARCH64: {"socket": 198, "add_key": 217, "request_key": 218, "keyctl": 219, "io_uring_setup": 425},
}
_JOIN_SESSION_KEYRING = 1
_NUMBER, _FIRST_ARGUMENT = 0, 16
_ALLOW = Instruction(seccomp.RETURN, 0, 0, seccomp.ALLOW)


def instructions(arch: str) -> list[Instruction]:
    """The program for an architecture."""
    absent = Instruction(seccomp.RETURN, 0, 0, seccomp.refuse(errno.ENOSYS))
    numbers = NUMBERS[arch].items()
    refused = [(Instruction(seccomp.JUMP_EQUAL, 0, 1, number), absent) for name, number in numbers if name != "socket"]
    families = [step for family in FAMILIES for step in (Instruction(seccomp.JUMP_EQUAL, 0, 1, family), _ALLOW)]
    judged = [
        Instruction(seccomp.LOAD, 0, 0, _FIRST_ARGUMENT),
        *families,
        Instruction(seccomp.RETURN, 0, 0, seccomp.refuse(errno.EAFNOSUPPORT)),
    ]
    return [
        Instruction(seccomp.LOAD, 0, 0, _NUMBER),
        *(step for pair in refused for step in pair),
        Instruction(seccomp.JUMP_EQUAL, 0, len(judged), NUMBERS[arch]["socket"]),
        *judged,
        _ALLOW,
    ]


def socket_filter() -> seccomp.Filter:
    """The filter of this machine, to be installed after the commands'."""
    return seccomp.Filter(instructions(os.uname().machine))


def leave_session_keyring() -> None:
    """Possess none of the keys our caller has; nothing to do where the kernel has none."""
    number = NUMBERS[os.uname().machine]["keyctl"]
    syscalls.libc.syscall(ctypes.c_long(number), ctypes.c_long(_JOIN_SESSION_KEYRING), None)
