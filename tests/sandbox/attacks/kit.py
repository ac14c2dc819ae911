"""What attacks are written with: raw calls by number, what counts as contained, and the entry itself."""

# ruff: noqa: E501  # one attack is one entry; the tables are read across

from __future__ import annotations

import errno
import json
import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from verifierbench.core.decision import Limits, Reason, Verdict
from verifierbench.core.errors import BudgetExhausted, EnvironmentRefusal
from verifierbench.sandbox import Execution, seccomp

EXTRA = (
    "_posixsubprocess", "_thread", "ctypes", "errno", "fcntl", "gc", "marshal", "mmap", "multiprocessing",
    "multiprocessing.context", "multiprocessing.popen_fork", "resource", "select", "shutil", "signal", "socket", "subprocess",
    "threading",
)  # fmt: skip

ARCH = platform.machine()
LIMITS = Limits(seconds=5.0, memory_mb=192, output_bytes=200_000, environment_calls=5)
SMALL = Limits(seconds=10.0, memory_mb=96, output_bytes=200_000)
SHORT = Limits(seconds=0.2, memory_mb=192, output_bytes=200_000, environment_calls=5)
_SECRETS = tuple(json.dumps({"q": [f"CASE-SECRET-{10**15 + i} " * 40]}).encode() for i in range(3))
_NEEDLE = json.dumps({"k": [f"OWN-NEEDLE-{10**15} " * 40]}).encode()

# Calls made by number: (x86-64, aarch64), None where there is no such call.
NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "accept4": (288, 242), "access": (21, None), "acct": (163, 89), "add_key": (248, 217), "adjtimex": (159, 171), "alarm": (37, None),
    "arch_prctl": (158, None), "bpf": (321, 280), "capget": (125, 90), "capset": (126, 91), "chdir": (80, 49), "chroot": (161, 51),
    "clock_settime": (227, 112), "clone": (56, 220), "clone3": (435, 435), "copy_file_range": (326, 285), "creat": (85, None),
    "delete_module": (176, 106), "dup": (32, 23), "dup3": (292, 24), "epoll_create1": (291, 20), "eventfd2": (290, 19),
    "execve": (59, 221), "execveat": (322, 281), "exit": (60, 93), "faccessat2": (439, 439), "fanotify_init": (300, 262), "fchdir": (81, 50),
    "fchmod": (91, 52), "fchmodat": (268, 53), "fchownat": (260, 54), "fcntl": (72, 25), "flock": (73, 32), "fork": (57, None),
    "fsopen": (430, 430), "fstat": (5, 80), "ftruncate": (77, 46), "futimesat": (261, None), "getcpu": (309, 168), "getcwd": (79, 17),
    "getdents64": (217, 61), "getpid": (39, 172), "getppid": (110, 173), "getxattr": (191, 8), "init_module": (175, 105),
    "inotify_init1": (294, 26), "io_uring_setup": (425, 425), "ioctl": (16, 29), "ioperm": (173, None), "iopl": (172, None),
    "ioprio_set": (251, 30), "kcmp": (312, 272), "kexec_load": (246, 104), "keyctl": (250, 219), "kill": (62, 129),
    "landlock_create_ruleset": (444, 444), "linkat": (265, 37), "lseek": (8, 62), "lstat": (6, None), "mbind": (237, 235),
    "membarrier": (324, 283), "memfd_create": (319, 279), "memfd_secret": (447, 447), "migrate_pages": (256, 238), "mincore": (27, 232),
    "mkdirat": (258, 34), "madvise": (28, 233), "mlock": (149, 228), "modify_ldt": (154, None), "mount": (165, 40), "mount_setattr": (442, 442), "move_mount": (429, 429),
    "move_pages": (279, 239), "mq_open": (240, 180), "msgget": (68, 186), "name_to_handle_at": (303, 264), "newfstatat": (262, 79),
    "open": (2, None), "open_by_handle_at": (304, 265), "open_tree": (428, 428), "openat": (257, 56), "openat2": (437, 437),
    "perf_event_open": (298, 241), "personality": (135, 92), "pidfd_getfd": (438, 438), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "pipe2": (293, 59), "pivot_root": (155, 41), "prctl": (157, 167), "prlimit64": (302, 261),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "ptrace": (101, 117),
    "pwrite64": (18, 68), "quotactl": (179, 60), "readlinkat": (267, 78), "reboot": (169, 142), "renameat2": (316, 276),
    "request_key": (249, 218), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "sched_getaffinity": (204, 123),
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "seccomp": (317, 277), "semget": (64, 190), "sendfile": (40, 71),
    "sendmsg": (46, 211), "sendto": (44, 206), "set_robust_list": (273, 99), "sethostname": (170, 161), "setitimer": (38, 103), "setns": (308, 268),
    "setpgid": (109, 154), "setpriority": (141, 140), "setresuid": (117, 147), "setrlimit": (160, 164), "setsid": (112, 157),
    "settimeofday": (164, 170), "shmget": (29, 194), "signalfd4": (289, 74), "socket": (41, 198), "socketpair": (53, 199), "splice": (275, 76),
    "stat": (4, None), "statfs": (137, 43), "statx": (332, 291), "swapon": (167, 224), "symlinkat": (266, 36), "sysinfo": (99, 179),
    "syslog": (103, 116), "tee": (276, 77), "tgkill": (234, 131), "timer_create": (222, 107), "timerfd_create": (283, 85), "tkill": (200, 130),
    "truncate": (76, 45), "umount2": (166, 39), "uname": (63, 160), "unlinkat": (263, 35), "unshare": (272, 97), "userfaultfd": (323, 282),
    "utimensat": (280, 88), "vfork": (58, None), "vmsplice": (278, 75), "wait4": (61, 260),
}  # fmt: skip
NR = {name: pair[(seccomp.X86_64, seccomp.AARCH64).index(ARCH)] for name, pair in NUMBERS.items()}

PRELUDE = f"""
import ctypes, errno, fcntl, gc, json, mmap, os, resource, signal, socket, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
NR = {NR!r}
seen = {{}}
def attempt(name, call, *arguments):
    try:
        call(*arguments)
    except OSError as error:
        seen[name] = error.errno
    except Exception as error:
        seen[name] = type(error).__name__
    else:
        seen[name] = "ESCAPED"
def raw(name, *arguments, label=None):
    if NR[name] is None:
        return
    def call():
        ctypes.set_errno(0)
        if libc.syscall(ctypes.c_long(NR[name]), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]) < 0:
            raise OSError(ctypes.get_errno(), name)
    attempt(label or name, call)
def steal_nonce():
    return os.pread(3, 16, 0)
def frame(text):
    return steal_nonce() + b" " + text + b"\\n"
"""


@dataclass(frozen=True)
class Refused:
    """The attack's own attempts all failed, with EPERM from the filter unless said otherwise here."""

    otherwise: dict[str, Any] = field(default_factory=dict)

    def unmet(self, ran: Execution) -> str:
        decision = ran.decision
        if decision.verdict is not Verdict.FAIL:
            return f"it did not run to its end: {decision}, {ran.output[-300:]}"
        seen = json.loads(ran.output.splitlines()[-1])
        if not seen:
            return "it attempted nothing"
        wrong = {name: got for name, got in seen.items() if got not in self._allowed(name)}
        absent = set(self.otherwise) - set(seen)
        return f"not refused as expected: {wrong}" if wrong else f"not attempted: {absent}" if absent else ""

    def _allowed(self, name: str) -> tuple[Any, ...]:
        expected = self.otherwise.get(name, errno.EPERM)
        return expected if isinstance(expected, tuple) else (expected,)


@dataclass(frozen=True)
class Ended:
    """The trusted side gave one of these reasons, and said why in these words."""

    reasons: tuple[Reason, ...]
    says: tuple[str, ...] = ("",)

    def unmet(self, ran: Execution) -> str:
        decision = ran.decision
        if decision.reason in self.reasons and any(words in decision.detail for words in self.says):
            return ""
        return f"expected {self.reasons} saying {self.says}, got {decision}"


@dataclass(frozen=True)
class Said:
    """It ran to its end, and its verdict stands."""

    verdict: Verdict = Verdict.FAIL
    printed: str = ""

    def unmet(self, ran: Execution) -> str:
        met = ran.decision.verdict is self.verdict and self.printed in ran.output
        return "" if met else f"expected {self.verdict} and {self.printed!r} printed, got {ran}"


class Playground:
    """A public environment to attack: it has a budget of its own, and can answer at length."""

    def __init__(self) -> None:
        self.runs = 0

    def read(self, material: str, pointer: str) -> Any:
        if material == "long":
            return "x" * (8 << 20)
        raise EnvironmentRefusal(f"no material is called {material!r}")

    def run(self, request: Any) -> Any:
        self.runs += 1
        if request == "broke":
            raise BudgetExhausted("nothing left")
        return {"seen": request}


@dataclass(frozen=True)
class Attack:
    """One hostile verifier. `by` names the mechanism that must contain it."""

    name: str
    by: str
    source: bytes
    want: Refused | Ended | Said
    limits: Limits = LIMITS
    environment: Callable[[], Any] | None = None
    before: tuple[bytes, ...] = ()
    """Solutions that harmless cases were given just before."""
    solution: bytes = b'{"k":1}'
    times: int = 1
    arch: str | None = None
    """Only meaningful on this architecture."""


ATTACKS: list[Attack] = []


def _lines(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.strip("\n").split("\n"))


def attack(name: str, by: str, body: str, want: Refused | Ended | Said, **more: Any) -> None:
    """Add an attack whose `verify` has this body; one that is to be refused reports by itself."""
    end = '    print("\\n" + json.dumps(seen))\n    return "FAIL"\n' if isinstance(want, Refused) else ""
    source = PRELUDE + "def verify(solution, env):\n" + _lines(body) + end
    ATTACKS.append(Attack(name, by, source.encode(), want, **more))


def module(name: str, by: str, source: bytes | str, want: Refused | Ended | Said, **more: Any) -> None:
    """Add an attack that is a whole file."""
    ATTACKS.append(Attack(name, by, source if isinstance(source, bytes) else source.encode(), want, **more))


def killed(*says: str) -> Ended:
    return Ended((Reason.KILLED,), says or ("",))


def failed(*says: str) -> Ended:
    return Ended((Reason.EXCEPTION,), says or ("",))


TIMED_OUT = Ended((Reason.TIMEOUT,), ("of its own time are used up",))
NO_MEMORY = Ended((Reason.MEMORY,))
BAD_OUTPUT = Ended((Reason.BAD_OUTPUT,))
IMPORT_ERROR = Ended((Reason.IMPORT_ERROR,))
FILTER, FRAME, STATUS = "seccomp filter", "frame check", "wait status"
DEADLINE, ADDRESS_SPACE, BYTES = "deadline and SIGKILL", "RLIMIT_AS", "byte count"
TYPE, CHANNEL, COMPILER, FORK = "exact type", "channel check", "confined compiler", "a process per case"
