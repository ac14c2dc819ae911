"""The filter, as a table and as a program: on this architecture, and evaluated for the one that is not here."""

from __future__ import annotations

import errno
import platform
import re
from pathlib import Path

import pytest

from verifierbench.sandbox import seccomp
from verifierbench.sandbox.seccomp import (
    AARCH64,
    ALLOW,
    AUDIT_ARCH,
    KILL_PROCESS,
    NUMBERS,
    X86_64,
    numbers,
    program,
    refuse,
)

from .attacks import NUMBERS as ATTACKED
from .bpf import run

ARCHES = (X86_64, AARCH64)
HEADERS = {
    X86_64: (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), Path("/usr/include/asm/unistd_64.h")),
    AARCH64: (Path("/usr/include/asm-generic/unistd.h"),),
}
# Calls newer than the oldest headers around, or that generic headers hide behind a macro.
ARCHES_WITHOUT = {AARCH64: {"time", "poll", "select", "dup2"}, X86_64: set()}

# Written by hand from the kernel's own tables, independently of the module: the whole of what a verifier may call.
VERIFIER_NAMES = {
    "read", "write", "pread64", "close", "brk", "mmap", "munmap", "mremap", "mprotect",
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "restart_syscall",
    "clock_gettime", "clock_getres", "gettimeofday", "time", "times", "getrusage", "nanosleep", "clock_nanosleep",
    "poll", "ppoll", "select", "pselect6", "futex", "sched_yield",
    "getuid", "geteuid", "getgid", "getegid", "getrandom", "exit_group",
}  # fmt: skip


def header(arch: str) -> dict[str, int]:
    """Parse the C library's own list of numbers."""
    for path in HEADERS[arch]:
        if path.exists():
            found = re.findall(r"#define\s+__NR(?:3264)?_(\w+)\s+(\d+)", path.read_text())
            return {name: int(number) for name, number in found}
    pytest.skip(f"no kernel headers for {arch} (apt install linux-libc-dev)")


def verdict(names: frozenset[str], arch: str, number: int, *arguments: int) -> int:
    return run(program(names, arch), arch=AUDIT_ARCH[arch], number=number, arguments=arguments)[0]


def test_the_list_is_exactly_this() -> None:
    assert seccomp.VERIFIER == VERIFIER_NAMES


@pytest.mark.parametrize("arch", ARCHES)
def test_numbers_agree_with_the_kernel_headers(arch: str) -> None:
    known = header(arch)
    column = ARCHES.index(arch)
    ours = {name: pair[column] for name, pair in NUMBERS.items() if pair[column] is not None}
    checked = {name for name in ours if name in known}
    assert {name: ours[name] for name in checked} == {name: known[name] for name in checked}
    assert len(checked) > 0.9 * len(ours), f"the header does not know {set(ours) - checked}"


@pytest.mark.parametrize("arch", ARCHES)
def test_numbers_of_the_attacks_agree_too(arch: str) -> None:
    known = header(arch)
    column = ARCHES.index(arch)
    wrong = {
        n: pair[column]
        for n, pair in ATTACKED.items()
        if pair[column] is not None and known.get(n, pair[column]) != pair[column]
    }
    assert wrong == {}


def test_both_architectures_allow_the_same_calls() -> None:
    missing = {name for name in seccomp.VERIFIER | seccomp.ZYGOTE if NUMBERS[name][1] is None}
    assert missing == ARCHES_WITHOUT[AARCH64]
    assert all(pair[0] is not None for pair in NUMBERS.values())


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize("names", [seccomp.VERIFIER, seccomp.ZYGOTE], ids=["verifier", "zygote"])
def test_every_number_gets_the_verdict_of_the_table(names: frozenset[str], arch: str) -> None:
    allowed = numbers(names, arch)
    clone3 = numbers(["clone3"], arch)
    for number in range(1024):
        expected = ALLOW if number in allowed else refuse(errno.ENOSYS) if number in clone3 else refuse(errno.EPERM)
        assert verdict(names, arch, number) == expected, number


@pytest.mark.parametrize("arch", ARCHES)
def test_foreign_entries_kill(arch: str) -> None:
    filter_ = program(seccomp.VERIFIER, arch)
    i386, other = 0x4000_0003, AUDIT_ARCH[ARCHES[1 - ARCHES.index(arch)]]
    for foreign in (i386, other, 0, 0xFFFF_FFFF):
        assert run(filter_, arch=foreign, number=0)[0] == KILL_PROCESS
    for number in (0x4000_0000, 0x4000_0027, 0x7FFF_FFFF, 0xFFFF_FFFF):
        assert run(filter_, arch=AUDIT_ARCH[arch], number=number)[0] == KILL_PROCESS


@pytest.mark.parametrize("arch", ARCHES)
@pytest.mark.parametrize(
    ("status", "expected"),
    [(0, ALLOW), (1, ALLOW), (98, ALLOW), (99, KILL_PROCESS), (355, KILL_PROCESS), (-157, KILL_PROCESS)],
)
def test_the_status_of_a_failed_setup_is_reserved(arch: str, status: int, expected: int) -> None:
    (exit_group,) = numbers(["exit_group"], arch)
    assert verdict(seccomp.VERIFIER, arch, exit_group, status & 0xFFFF_FFFF) == expected


@pytest.mark.parametrize("arch", ARCHES)
def test_a_call_is_judged_in_few_steps(arch: str) -> None:
    # The kernel evaluates the program for some 450 numbers at each installation: once per case.
    filter_ = program(seccomp.VERIFIER, arch)
    steps = [run(filter_, arch=AUDIT_ARCH[arch], number=number)[1] for number in range(500)]
    assert max(steps) <= 16
    assert len(filter_) < 256


def test_no_path_process_socket_or_limit_is_on_the_verifiers_list() -> None:
    words = "open|stat|path|link|dir|mount|clone|fork|exec|sock|send|recv|kill|trace|^set|ctl|fd$|limit"
    suspicious = {name for name in seccomp.VERIFIER if re.search(words, name)}
    assert suspicious == set()


def test_this_machine_has_a_table() -> None:
    assert platform.machine() in AUDIT_ARCH
