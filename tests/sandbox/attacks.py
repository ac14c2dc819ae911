"""Hostile verifiers, as data: what each tries, which mechanism must stop it, and how that mechanism shows.

An attack has only been run if its code ran: raw calls are made by number through ctypes, which the attacked box
preloads for this purpose (with the other modules in EXTRA), so that none dies because a module cannot be imported.
A refusal counts only with the errno that the filter gives; a name error or a missing file would be an accident.
"""

# ruff: noqa: E501  # one attack is one entry; the tables are read across

from __future__ import annotations

import errno
import json
import platform
import time
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
    "mkdirat": (258, 34), "mlock": (149, 228), "modify_ldt": (154, None), "mount": (165, 40), "mount_setattr": (442, 442), "move_mount": (429, 429),
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
    """A public environment to attack: it has a budget of its own, can be slow, and can answer at length."""

    def __init__(self) -> None:
        self.runs = 0

    def read(self, material: str, pointer: str) -> Any:
        if material == "long":
            return "x" * (8 << 20)
        raise EnvironmentRefusal(f"no material is called {material!r}")

    def run(self, request: Any) -> Any:
        self.runs += 1
        if request == "slow":
            time.sleep(1.3)
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

# Ending early, and forging the answer
attack("exit without an answer", FRAME, "os._exit(0)", killed("without an answer"))
module("exit on import", FRAME, "import os\nos._exit(0)\n", killed("without an answer"))
attack("exit with the status of a failed setup", FILTER, "os._exit(99)", killed("signal 31"))
attack("exit with that status in the low byte", FILTER, "libc._exit(99 + 256)", killed("signal 31"))
attack("end the thread with that status", FILTER, "raw('exit', 99)", Refused())
attack("exit with another status", STATUS, 'os.write(5, frame(b\'{"kind":"PASS"}\')); os._exit(3)', killed("status 3"))
attack(
    "guess the nonce on every descriptor",
    FRAME,
    """
for fd in range(3, 64):
    try: os.write(fd, b'0' * 16 + b' {"kind":"PASS"}\\n')
    except OSError: pass
os._exit(0)""",
    killed("not one frame"),
)
attack("write a bare PASS", FRAME, "os.write(5, b'PASS\\n'); return 'FAIL'", killed("not one frame"))
attack(
    "two frames with the stolen nonce",
    FRAME,
    "os.write(5, frame(b'{\"kind\":\"PASS\"}')); return 'FAIL'",
    killed("not one frame"),
)
attack(
    "its own verdict with the stolen nonce",
    "nothing to gain",
    'os.write(5, frame(b\'{"kind":"PASS"}\')); os._exit(0)',
    Said(Verdict.PASS),
)
attack(
    "claim a time-out of the machine",
    FRAME,
    'os.write(5, frame(b\'{"kind":"timeout"}\')); os._exit(0)',
    killed("not one frame"),
)
attack(
    "claim our failure",
    FRAME,
    'os.write(5, frame(b\'{"kind":"infrastructure"}\')); os._exit(0)',
    killed("not one frame"),
)
attack(
    "claim a budget that was not refused",
    CHANNEL,
    'os.write(5, frame(b\'{"kind":"environment_budget"}\')); os._exit(0)',
    failed(),
)
attack(
    "answer, close the pipe and stay",
    DEADLINE,
    """
os.write(5, frame(b'{"kind":"PASS"}')); os.close(5)
while True: pass""",
    killed("signal 9"),
)
attack(
    "a frame longer than allowed",
    BYTES,
    'os.write(5, frame(b\'{"kind":"PASS","detail":"\' + b\'x\' * 60000 + b\'"}\')); os._exit(0)',
    killed("answer is longer"),
)
attack("a frame nested 4,000 deep", FRAME, "os.write(5, frame(b'[' * 4000)); os._exit(0)", killed("not one frame"))
attack(
    "a frame with an absurd line",
    FRAME,
    'os.write(5, frame(b\'{"kind":"FAIL","line":%d}\' % 10 ** 40)); os._exit(0)',
    killed("not one frame"),
)
attack(
    "a frame with an unknown field",
    FRAME,
    'os.write(5, frame(b\'{"kind":"FAIL","cpu_seconds":0}\')); os._exit(0)',
    killed("not one frame"),
)
attack("flood the answer's pipe", BYTES, "while True: os.write(5, bytes(65536))", killed("answer is longer"))
attack("close every descriptor, then answer", FRAME, "os.closerange(0, 1024); return 'PASS'", killed())
attack(
    "put another file in the answer's place",
    FILTER,
    "attempt('dup2', os.dup2, 1, 5); attempt('dup', os.dup, 5); raw('dup3', 1, 5, 0)",
    Refused(),
)

# Confusing the code around it
module(
    "an exception that cannot be described",
    "exact slots",
    """
class M(type):
    @property
    def __name__(cls): raise SystemExit
class X(BaseException, metaclass=M):
    def __str__(self): raise X()
    __repr__ = __str__
def verify(solution, env): raise X()
""",
    failed("text cannot be shown"),
)
attack("SystemExit", FRAME, "raise SystemExit(0)", failed("SystemExit"))
attack("KeyboardInterrupt", FRAME, "raise KeyboardInterrupt", failed("KeyboardInterrupt"))
attack(
    "an exception with terminal escapes and 50 MB",
    BYTES,
    "raise ValueError('\\x1b[2J' + 'x' * (50 << 20))",
    failed("ValueError:  [2Jxxx"),
)
attack(
    "empty the caller's globals",
    FORK,
    """
names = sys._getframe(1).f_globals
for name in list(names):
    if name != '__builtins__': names[name] = None
return 'FAIL'""",
    Ended((Reason.KILLED, Reason.EXCEPTION)),
)
attack(
    "empty the globals of every caller",
    FORK,
    """
step = sys._getframe(1)
while step:
    for name in list(step.f_globals):
        if name != '__builtins__': step.f_globals[name] = lambda *a, **k: None
    step = step.f_back
return 'FAIL'""",
    Ended((Reason.KILLED, Reason.EXCEPTION, Reason.BAD_OUTPUT)),
)
attack(
    "rebind what the answer is written with",
    "references kept",
    "os.write = os._exit = json.dumps = print; return 'FAIL'",
    Said(),
)
attack(
    "poison sys.modules",
    FORK,
    """
for name in list(sys.modules):
    if name not in ('sys', 'builtins'): sys.modules[name] = None
import builtins
builtins.poisoned = True
return 'FAIL'""",
    Said(),
    times=2,
)
attack(
    "replace print, str and len for everyone",
    FORK,
    """
import builtins
builtins.str = builtins.len = builtins.print = builtins.type = lambda *a, **k: 'PASS'
return 'FAIL'""",
    Ended((Reason.BAD_OUTPUT, Reason.EXCEPTION, Reason.KILLED)),
)
attack(
    "an exit hook and a finaliser after the verdict",
    FRAME,
    """
import atexit
atexit.register(lambda: os.write(5, b'late'))
class D:
    def __del__(self): os.write(5, b'late')
global keep
keep = D()
return 'FAIL'""",
    Said(),
)
attack(
    "a trace function on the code around it",
    "nothing to gain",
    """
def spy(frame, event, argument):
    if frame.f_code.co_name == '_judge': frame.f_locals['value'] = 'PASS'
    return spy
sys.settrace(spy)
sys._getframe(1).f_trace = spy
return 'FAIL'""",
    Said(Verdict.PASS),
)
attack(
    "find the box's control socket in memory",
    FILTER,
    """
import _socket
found, step = [], sys._getframe()
while step:
    found += [value for value in step.f_locals.values() if type(value) is _socket.socket]
    step = step.f_back
seen['found'] = bool(found)
for o in found:
    attempt('send', o.send, b'F')
    attempt('descriptor', os.write, o.fileno(), b'F')
attempt('every descriptor', lambda: [os.write(fd, b'F') for fd in range(16, 64)])
""",
    Refused({"found": True, "every descriptor": errno.EBADF, "descriptor": errno.EBADF}),
)
attack(
    "walk from its globals to the prepared confinement",
    FILTER,
    """
gc.unfreeze()
filters = [o for o in gc.get_objects() if type(o).__name__ in ('Filter', 'Confinement')]
seen['found'] = min(len(filters), 1)
for o in filters:
    if type(o).__name__ == 'Filter': attempt('install another', o.install)
step = sys._getframe(0)
while step.f_back: step = step.f_back
seen['outermost'] = step.f_code.co_name
""",
    Refused({"found": 1, "outermost": "<module>"}),
)

# What verify may return
for _name, _value in {
    "None": "None", "True": "True", "1": "1", "bytes": "b'PASS'", "lower case": "'pass'", "with a newline": "'PASS\\n'", "70 MB": "'PASS' * 10 ** 7",
    "a list": "['PASS']", "a class": "str", "a module": "sys",
}.items():  # fmt: skip
    attack(f"return {_name}", TYPE, f"return {_value}", BAD_OUTPUT)
attack(
    "return a str that equals everything",
    TYPE,
    """
class S(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__
return S('PASS')""",
    BAD_OUTPUT,
)
attack(
    "return an object that claims to be a str",
    TYPE,
    """
class O:
    __class__ = str
    def __eq__(self, other): return True
return O()""",
    BAD_OUTPUT,
)
module("an asynchronous verify", TYPE, "async def verify(solution, env):\n    return 'PASS'\n", BAD_OUTPUT)
module("a generator", TYPE, "def verify(solution, env):\n    yield 'PASS'\n", BAD_OUTPUT)
module("verify is a number", "frame", "verify = 3\n", failed("TypeError"))
module("no verify", "frame", "x = 3\n", Ended((Reason.MISSING,)))
module("verify takes no argument", "frame", "def verify():\n    return 'PASS'\n", failed("TypeError"))

# Time
attack("an endless loop", DEADLINE, "while True: pass", TIMED_OUT, limits=SHORT)
attack(
    "an endless loop that ignores every signal",
    DEADLINE,
    """
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: pass""",
    TIMED_OUT,
    limits=SHORT,
)
attack(
    "one long call of C",
    DEADLINE,
    "x = 10 ** (10 ** 8); return 'PASS'",
    Ended((Reason.TIMEOUT, Reason.MEMORY)),
    limits=SHORT,
)
attack(
    "catastrophic backtracking",
    DEADLINE,
    "import re; re.match('(a+)+$', 'a' * 40 + 'b'); return 'PASS'",
    TIMED_OUT,
    limits=SHORT,
)
attack("sleep", DEADLINE, "time.sleep(60); return 'PASS'", TIMED_OUT, limits=SHORT)
attack(
    "wait for a clock that stands still",
    DEADLINE,
    "while time.monotonic() < time.monotonic() + 1: pass",
    TIMED_OUT,
    limits=SHORT,
)
attack("wait on a lock for ever", DEADLINE, "l = threading.Lock(); l.acquire(); l.acquire()", TIMED_OUT, limits=SHORT)
attack(
    "stop itself",
    FILTER,
    "attempt('stop', os.kill, 0, signal.SIGSTOP); attempt('raise', signal.raise_signal, signal.SIGSTOP)",
    Refused(),
)
attack(
    "timers",
    FILTER,
    "attempt('setitimer', signal.setitimer, 0, 1.0); raw('alarm', 1); raw('timer_create', 0, 0, 0); raw('timerfd_create', 0, 0)",
    Refused(),
)
attack(
    "hang in the finaliser of the answer",
    DEADLINE,
    """
class Out:
    def flush(self):
        while True: pass
    def write(self, text): pass
sys.stdout = Out()
return 'PASS'""",
    TIMED_OUT,
    limits=SHORT,
)

# Memory
attack("10 GB at once", ADDRESS_SPACE, "x = bytearray(10 << 30)", NO_MEMORY)
attack("10 GB by mmap", ADDRESS_SPACE, "attempt('mmap', mmap.mmap, -1, 10 << 30)", Refused({"mmap": errno.ENOMEM}))
attack(
    "a megabyte at a time", ADDRESS_SPACE, "x = []\nwhile True: x.append(bytearray(1 << 20))", NO_MEMORY, limits=SMALL
)
attack(
    "small objects for ever",
    ADDRESS_SPACE,
    "x = []\nwhile True: x.append([None] * 1000)",
    Ended((Reason.MEMORY, Reason.KILLED)),
    limits=SMALL,
)
attack(
    "memory that is caught and asked for again",
    DEADLINE,
    """
while True:
    try: x = bytearray(1 << 40)
    except MemoryError: pass""",
    TIMED_OUT,
    limits=SHORT,
)
attack(
    "a zip bomb",
    ADDRESS_SPACE,
    "import zlib; d = zlib.compress(bytes(1 << 20) * 8); x = zlib.decompressobj(); y = [zlib.decompress(d) for _ in range(60)]",
    NO_MEMORY,
    limits=SMALL,
)
attack(
    "more stack than it has",
    "RLIMIT_STACK",
    "libc.qsort.argtypes = None\nsys.setrecursionlimit(10 ** 9)\nclass A:\n    def __getattr__(self, name): return getattr(self, name + 'x')\nA().b",
    Ended((Reason.KILLED, Reason.MEMORY, Reason.TIMEOUT, Reason.EXCEPTION)),
)
attack("unbounded recursion", "recursion limit", "def f(n): return f(n + 1)\nf(0)", failed("RecursionError"))
attack(
    "unbounded recursion, the limit lifted",
    ADDRESS_SPACE,
    "sys.setrecursionlimit(10 ** 9)\ndef f(n): return [f(n + 1) for _ in (1,)]\nf(0)",
    Ended((Reason.KILLED, Reason.MEMORY, Reason.EXCEPTION)),
    limits=SMALL,
)
attack(
    "lock memory",
    FILTER,
    "raw('mlock', 0, 4096); raw('mbind', 0, 0, 0, 0, 0, 0); raw('migrate_pages', 0, 0, 0, 0); raw('move_pages', 0, 0, 0, 0, 0, 0)",
    Refused(),
)

# Output
attack("print for ever", BYTES, "while True: print('x' * 1000)", killed("printed more than 200000"))
attack("flood standard error", BYTES, "while True: os.write(2, bytes(65536))", killed("printed more than"))
attack(
    "print too much, then answer at once",
    BYTES,
    "os.write(1, bytes(60000)); os.write(1, bytes(60000)); os.write(1, bytes(60000)); os.write(2, bytes(60000)); return 'PASS'",
    killed("printed more than"),
)

# Crashes
attack("abort", STATUS, "os.abort()", killed("signal"))
attack("write through a null pointer", STATUS, "ctypes.memset(0, 1, 8)", killed("signal 11"))
attack("free what was never allocated", STATUS, "libc.free(ctypes.c_void_p(8))", killed("signal"))
attack(
    "corrupt the heap",
    STATUS,
    """
for o in gc.get_objects()[:20000]:
    ctypes.memset(id(o), 0x41, 16)
return 'FAIL'""",
    killed("signal"),
)

# Processes
attack(
    "fork in every way",
    FILTER,
    "attempt('os.fork', os.fork); raw('fork'); raw('vfork'); raw('clone', 17, 0, 0, 0, 0); raw('clone3', 0, 0); attempt('forkpty', os.forkpty)",
    Refused({"clone3": errno.ENOSYS, "forkpty": (errno.EPERM, errno.ENOENT)}),
)
attack(
    "execute a program",
    FILTER,
    "attempt('execv', os.execv, '/bin/sh', ['sh']); raw('execve', b'/bin/sh', 0, 0); raw('execveat', -100, b'/bin/sh', 0, 0, 0)",
    Refused(),
)
attack(
    "spawn",
    FILTER,
    """
import multiprocessing, subprocess
attempt('posix_spawn', os.posix_spawn, '/bin/true', ['true'], {})
attempt('subprocess', subprocess.run, ['/bin/true'])
attempt('multiprocessing', multiprocessing.get_context('fork').Process(target=print).start)
attempt('system', lambda: exec("if os.system('true'): raise OSError(1, '')"))
""",
    Refused({"subprocess": (errno.EPERM, errno.EMFILE), "multiprocessing": (errno.EPERM,)}),
)
attack(
    "threads",
    FILTER,
    "import _thread\nattempt('threading', threading.Thread(target=print).start); attempt('_thread', _thread.start_new_thread, print, ())",
    Refused({"threading": "RuntimeError", "_thread": "RuntimeError"}),
)
attack(
    "leave its session",
    FILTER,
    "attempt('setsid', os.setsid); raw('setpgid', 0, 0); raw('wait4', -1, 0, 0, 0)",
    Refused(),
)
attack(
    "signal others",
    FILTER,
    """
for pid in (-1, 0, 1, 2, os.getppid()):
    attempt('kill %d' % pid, os.kill, pid, 9)
    raw('tgkill', pid, pid, 9); raw('tkill', pid, 9); raw('rt_sigqueueinfo', pid, 9, ctypes.create_string_buffer(128))
    raw('rt_tgsigqueueinfo', pid, pid, 9, ctypes.create_string_buffer(128))
raw('pidfd_open', 1, 0); raw('pidfd_send_signal', 0, 9, 0, 0); raw('pidfd_getfd', 0, 1, 0)
""",
    Refused(),
)
attack(
    "read and write other processes",
    FILTER,
    """
b = ctypes.create_string_buffer(64)
for pid in (1, 2):
    raw('ptrace', 16, pid, 0, 0); raw('ptrace', 0x4206, pid, 0, 0); raw('ptrace', 0, 0, 0, 0, label='traceme')
    raw('process_vm_readv', pid, b, 1, b, 1, 0); raw('process_vm_writev', pid, b, 1, b, 1, 0)
raw('kcmp', 1, 2, 0, 0, 0); raw('process_madvise', 0, b, 1, 4, 0); raw('process_mrelease', 0, 0)
""",
    Refused(),
)
attack(
    "change limits and priorities",
    FILTER,
    """
for name in ('AS', 'CPU', 'FSIZE', 'NOFILE', 'NPROC', 'CORE'):
    attempt(name, resource.setrlimit, getattr(resource, 'RLIMIT_' + name), (resource.RLIM_INFINITY,) * 2)
b = (ctypes.c_ulong * 2)(1 << 40, 1 << 40)
raw('prlimit64', 0, 9, b, 0); raw('prlimit64', 1, 7, b, 0, label='parent'); raw('setrlimit', 9, b)
raw('setpriority', 0, 0, -5); raw('sched_setaffinity', 0, 8, b); raw('sched_setscheduler', 0, 1, b); raw('ioprio_set', 1, 0, 7)
""",
    Refused(dict.fromkeys(("AS", "CPU", "FSIZE", "NOFILE", "NPROC", "CORE"), (errno.EPERM, "ValueError"))),
)
attack(
    "have a signal sent by someone else's file",
    FILTER,
    """
for fd in (0, 1, 3, 5):
    for name, command in (('SETOWN', 8), ('SETSIG', 10), ('SETOWN_EX', 15), ('SETLEASE', 1024), ('NOTIFY', 1026), ('SETPIPE_SZ', 1031), ('ADD_SEALS', 1033), ('SETFL', 4), ('OFD_SETLK', 37)):
        attempt(name, fcntl.fcntl, fd, command, 1)
    for name, request in (('TIOCSTI', 0x5412), ('FIOSETOWN', 0x8901), ('SIOCSPGRP', 0x8902), ('FIOASYNC', 0x5452), ('TIOCLINUX', 0x541C), ('FIONREAD', 0x541B)):
        attempt(name, fcntl.ioctl, fd, request, bytes(8))
    attempt('flock', fcntl.flock, fd, 2 | 4)
    attempt('lockf', fcntl.lockf, fd, 1 | 4)
""",
    Refused(),
)

# Network and other ways to talk
attack(
    "sockets of every family",
    FILTER,
    """
for family, kind in ((2, 1), (2, 2), (2, 3), (10, 1), (16, 3), (40, 1), (1, 1), (17, 3), (38, 5), (15, 3), (44, 3)):
    attempt('%d/%d' % (family, kind), socket.socket, family, kind)
raw('socketpair', 1, 1, 0, 0); raw('accept4', 0, 0, 0, 0); raw('sendto', 5, b'x', 1, 0, 0, 0); raw('sendmsg', 5, 0, 0)
""",
    Refused(),
)
attack(
    "resolve a name",
    FILTER,
    "attempt('dns', socket.getaddrinfo, 'example.com', 80)",
    Refused({"dns": (-2, -3, errno.EPERM)}),
)
attack(
    "System V, queues, keys",
    FILTER,
    "raw('shmget', 1, 4096, 0o1666); raw('semget', 1, 1, 0o1666); raw('msgget', 1, 0o1666); raw('mq_open', b'/q', 66, 0o600, 0); raw('keyctl', 0, -3, 1); raw('add_key', b'user', b'a', b'b', 1, -3); raw('request_key', b'user', b'a', 0, -3)",
    Refused(),
)
attack(
    "files that have no path",
    FILTER,
    """
raw('memfd_create', b'x', 0); raw('memfd_secret', 0); raw('pipe2', ctypes.create_string_buffer(8), 0); raw('eventfd2', 0, 0)
raw('signalfd4', -1, ctypes.create_string_buffer(8), 8, 0); raw('epoll_create1', 0); raw('userfaultfd', 1); raw('io_uring_setup', 8, ctypes.create_string_buffer(256))
raw('vmsplice', 5, 0, 0, 0); raw('splice', 3, 0, 5, 0, 1, 0); raw('tee', 1, 5, 1, 0); raw('sendfile', 1, 3, 0, 1); raw('copy_file_range', 3, 0, 1, 0, 1, 0)
""",
    Refused(),
)

# Files
attack(
    "open files",
    FILTER,
    """
for path in ('/etc/passwd', '/proc/self/environ', '/proc/1/environ', '/dev/shm/x', '/tmp/x', 'x', '/'):
    attempt('open ' + path, open, path); attempt('write ' + path, open, path, 'w'); attempt('list ' + path, os.listdir, path)
raw('open', b'/etc/passwd', 0); raw('openat', -100, b'/etc/passwd', 0); raw('openat2', -100, b'/', ctypes.create_string_buffer(24), 24)
raw('creat', b'/tmp/x', 0o600); raw('open_by_handle_at', -100, ctypes.create_string_buffer(64), 0); raw('name_to_handle_at', -100, b'/', 0, 0, 0)
""",
    Refused(),
)
attack(
    "look at files",
    FILTER,
    """
b = ctypes.create_string_buffer(256)
for path in ('/etc/passwd', '/', '/nowhere'):
    attempt('stat ' + path, os.stat, path); attempt('access', lambda: exec("if not os.access('/', 0): raise OSError(1, '')"))
raw('stat', b'/etc/passwd', b); raw('lstat', b'/', b); raw('statx', -100, b'/', 0, 0xfff, b); raw('access', b'/', 0); raw('faccessat2', -100, b'/', 0, 0)
raw('newfstatat', -100, b'/etc/passwd', b, 0x1000, label='a path disguised by AT_EMPTY_PATH')
raw('fstat', 0, b); raw('statfs', b'/', b); raw('readlinkat', -100, b'/proc/self/exe', b, 200); raw('getcwd', b, 200); raw('getdents64', 0, b, 200); raw('getxattr', b'/', b'user.a', b, 200)
""",
    Refused(),
)
attack(
    "change files",
    FILTER,
    """
p = b'/etc/passwd'
raw('truncate', p, 0); raw('ftruncate', 3, 0); raw('fchmod', 3, 0o777); raw('fchmodat', -100, p, 0o777, 0); raw('fchownat', -100, p, 0, 0, 0)
raw('utimensat', -100, p, 0, 0); raw('futimesat', -100, p, 0); raw('renameat2', -100, p, -100, b'/x', 0); raw('unlinkat', -100, p, 0)
raw('linkat', -100, p, -100, b'/x', 0); raw('symlinkat', p, -100, b'/x'); raw('mkdirat', -100, b'/x', 0o777); raw('chdir', b'/'); raw('fchdir', 0)
raw('pwrite64', 3, b'x', 1, 0); raw('lseek', 3, 0, 0)
""",
    Refused(),
)
attack(
    "write its sealed payload through memory",
    "memfd seals",
    """
attempt('shared', lambda: mmap.mmap(3, 16, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE))
attempt('write', os.write, 3, b'x')
attempt('read-only', lambda: mmap.mmap(3, 16, mmap.MAP_SHARED, mmap.PROT_READ)[0])
""",
    Refused(
        {
            "shared": (errno.EPERM, errno.EACCES),
            "write": (errno.EPERM, errno.EFBIG),
            "read-only": (errno.EPERM, "ESCAPED"),
        }
    ),
)

# Namespaces, privileges, the kernel
attack(
    "namespaces and mounts",
    FILTER,
    """
for name, flag in (('user', 0x10000000), ('mount', 0x20000), ('pid', 0x20000000), ('net', 0x40000000), ('files', 0x400)):
    raw('unshare', flag, label=name)
raw('setns', 0, 0); raw('mount', b'none', b'/tmp', b'tmpfs', 0, 0); raw('umount2', b'/', 2); raw('chroot', b'/'); raw('pivot_root', b'/', b'/')
raw('open_tree', -100, b'/', 1); raw('fsopen', b'tmpfs', 0); raw('move_mount', 0, b'', 0, b'', 0); raw('mount_setattr', -100, b'/', 0, 0, 32)
""",
    Refused(),
)
attack(
    "privileges",
    FILTER,
    """
raw('setresuid', 0, 0, 0); raw('capset', ctypes.create_string_buffer(8), ctypes.create_string_buffer(24)); raw('capget', ctypes.create_string_buffer(8), 0)
for name, option in (('pdeathsig', 1), ('dumpable', 4), ('keepcaps', 8), ('seccomp', 22), ('securebits', 28), ('subreaper', 36), ('speculation', 53), ('name', 15), ('ptracer', 0x59616d61)):
    attempt('prctl ' + name, lambda: exec('if libc.prctl(%d, 1, 0, 0, 0) < 0: raise OSError(ctypes.get_errno(), "")' % option, globals()))
raw('seccomp', 1, 0, 0); raw('personality', 0x0040000); raw('arch_prctl', 0x1001, 0); raw('modify_ldt', 0, 0, 0); raw('landlock_create_ruleset', 0, 0, 1)
""",
    Refused(),
)
attack(
    "the kernel's rarer doors",
    FILTER,
    """
b = ctypes.create_string_buffer(256)
raw('bpf', 0, b, 64); raw('perf_event_open', b, 0, -1, -1, 0); raw('inotify_init1', 0); raw('fanotify_init', 0, 0)
raw('init_module', 0, 0, b''); raw('delete_module', b'x', 0); raw('kexec_load', 0, 0, 0, 0); raw('reboot', 0, 0, 0, 0); raw('swapon', b'/', 0); raw('quotactl', 0, 0, 0, 0)
raw('sethostname', b'x', 1); raw('settimeofday', b, 0); raw('clock_settime', 0, b); raw('adjtimex', b); raw('syslog', 2, b, 10); raw('acct', 0)
raw('iopl', 3); raw('ioperm', 0, 1, 1)
""",
    Refused(),
)
attack(
    "learn about the machine and its neighbours",
    FILTER,
    """
b = ctypes.create_string_buffer(512)
raw('sysinfo', b); raw('uname', b); raw('getcpu', b, b, 0); raw('sched_getaffinity', 0, 64, b); raw('mincore', 0, 4096, b); raw('membarrier', 0, 0, 0)
raw('getpid'); raw('getppid')
""",
    Refused(),
)
# Since Linux 6.14 filters do not see uretprobe and uprobe (335, 336 on x86-64); called by hand they end the caller.
_UNFILTERED = (335, 336) if ARCH == seccomp.X86_64 else ()
attack(
    "every call that is not on the list",
    FILTER,
    f"""
allowed = {sorted(seccomp.numbers(seccomp.VERIFIER, ARCH) | set(_UNFILTERED))!r}
for number in range(0, 700):
    if number not in allowed:
        ctypes.set_errno(0)
        result = libc.syscall(ctypes.c_long(number), 0, 0, 0, 0, 0, 0)
        if result != -1 or ctypes.get_errno() != 1: seen[str(number)] = (result, ctypes.get_errno())
        seen['refused'] = seen.get('refused', 0) + 1
seen['refused'] = seen['refused'] > 600
""",
    Refused({"435": ([-1, errno.ENOSYS],), "refused": True}),
)
attack(
    "the 32-bit entry",
    FILTER,
    """
page = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex('b814000000cd80c3'))
ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
return 'FAIL'""",
    killed("signal 31"),
    arch=seccomp.X86_64,
)
attack(
    "x32 call numbers",
    FILTER,
    "libc.syscall(ctypes.c_long(0x40000000 + 39)); return 'FAIL'",
    killed("signal 31"),
    arch=seccomp.X86_64,
)
attack(
    "call numbers beyond 32 bits",
    FILTER,
    "raw('getppid')\nctypes.set_errno(0)\nr = libc.syscall(ctypes.c_long((1 << 32) + 41), 2, 1, 0)\nseen['wide'] = ctypes.get_errno() if r == -1 else 'ESCAPED'",
    Refused({"wide": (errno.EPERM, errno.ENOSYS)}),
)

# From one case to another
attack(
    "leave a mark in the interpreter",
    FORK,
    """
import builtins
marked = getattr(builtins, 'mark', None) or getattr(json, 'mark', None) or os.environ.get('MARK')
builtins.mark = json.mark = True
os.environ['MARK'] = '1'
return 'PASS' if marked else 'FAIL'""",
    Said(),
    times=3,
)
attack(
    "leave a position in a shared file",
    "descriptor closed",
    """
attempt('code', os.read, 4, 10)
attempt('seek', os.lseek, 4, 0, os.SEEK_CUR); attempt('seek null', os.lseek, 0, 7, os.SEEK_SET)
""",
    Refused({"code": errno.EBADF}),
    times=2,
)
# The pattern cannot match itself, only what another case left: 16 digits this verifier does not know.
_FIND = """
import re
gc.unfreeze()
theirs, own = (re.compile((name + '-([0-9]{16})').encode()) for name in ('CASE-SECRET', 'OWN-NEEDLE'))
"""
attack(
    "find an earlier case among the objects",
    "sealed payloads",
    _FIND
    + """
def text(o):
    try: return repr(o)[:20000].encode(errors='replace')
    except Exception: return b''
objects = [text(o) for o in gc.get_objects() if type(o) in (dict, list, tuple, set)]
stolen = [found for o in objects for found in theirs.findall(o)]
known = [found for o in objects for found in own.findall(o)]
return 'FAIL' if len(objects) > 1000 and known and not stolen else 'PASS'""",
    Said(),
    before=_SECRETS,
    solution=_NEEDLE,
)
attack(
    "find an earlier case in raw memory",
    "sealed payloads",
    _FIND
    + """
libc.sbrk.restype = ctypes.c_void_p
top = libc.sbrk(0) & ~0xfffff
regions = {id(o) & ~0xfffff for o in gc.get_objects()} | {top - (k << 20) for k in range(-1, 48)}
pages, known, stolen = 0, set(), set()
for page in sorted(page for base in regions for page in range(base, base + (1 << 20), 4096)):
    if libc.write(1, ctypes.c_void_p(page), ctypes.c_size_t(1)) == 1:
        pages += 1
        known |= set(own.findall(ctypes.string_at(page, 4096)))
        stolen |= set(theirs.findall(ctypes.string_at(page, 4096)))
return 'FAIL' if pages > 1000 and known and not stolen else 'PASS'""",
    Said(),
    before=_SECRETS,
    solution=_NEEDLE,
)

# The public environment
attack(
    "run beyond the budget, caught",
    CHANNEL,
    """
done = 0
try:
    while True: env.run(done); done += 1
except env.BudgetExhausted as refusal: print('stopped at', done, refusal)
return 'FAIL'""",
    Said(printed="stopped at 5"),
    environment=Playground,
)
attack(
    "run beyond the budget, uncaught",
    CHANNEL,
    "while True: env.run(1)",
    Ended((Reason.ENVIRONMENT_BUDGET,)),
    environment=Playground,
)
attack(
    "raise the exception of the budget itself",
    CHANNEL,
    "raise BudgetExhausted('really')",
    failed("BudgetExhausted"),
    environment=Playground,
)
attack(
    "run beyond the budget, around the client",
    CHANNEL,
    """
for n in range(1, 9):
    os.write(6, b'{"id":%d,"op":"run","request":0}\\n' % n); answer = os.read(6, 999)
print(answer.decode())
return 'FAIL'""",
    Said(printed='"error":"budget"'),
    environment=Playground,
)
_REQUEST = 'b\'{"id":1,"op":"run","request":\' + '
# name: (an expression of the line sent, words of the refusal)
_BAD_REQUESTS = {
    "not JSON": ("b'labels, please'", "no request"),
    "another operation": ("""b'{"id":1,"op":"labels"}'""", "no request"),
    "no operation": ("""b'{"id":1}'""", "no request"),
    "a path for an operation": ("""b'{"id":1,"op":"../../labels"}'""", "no request"),
    "a boolean for its number": ("""b'{"id":true,"op":"run","request":1}'""", "no request"),
    "a number out of turn": ("""b'{"id":7,"op":"run","request":1}'""", "was due"),
    "an unknown field": ("""b'{"id":1,"op":"run","request":1,"label":1}'""", "no request"),
    "a material that is no string": ("""b'{"id":1,"op":"read","material":{},"pointer":""}'""", "no request"),
    "invalid UTF-8": ("""b'{"id":1,"op":"read","material":"\\xff","pointer":""}'""", "no request"),
    "two requests at once": (_REQUEST + """b'1}' + b'\\n{"id":2,"op":"run","request":1}'""", "more than one"),
    "NaN": (_REQUEST + "b'NaN}'", "no request"),
    "9,000 digits": (_REQUEST + "b'9' * 9000 + b'}'", "cannot be read"),
    "nesting of 90,000": (_REQUEST + "b'[' * 90000 + b']' * 90000 + b'}'", "recursion"),
}
for _name, (_line, _says) in _BAD_REQUESTS.items():
    attack(
        f"ask with {_name}",
        CHANNEL,
        f"os.write(6, {_line} + b'\\n'); os.read(6, 999); return 'PASS'",
        killed(_says),
        environment=Playground,
    )
attack(
    "a request without end",
    CHANNEL,
    "while True: os.write(6, bytes(65536))",
    killed("longer than"),
    environment=Playground,
)
attack(
    "never read the answer",
    DEADLINE,
    'os.write(6, b\'{"id":1,"op":"read","material":"long","pointer":""}\\n\')\nwhile True: pass',
    TIMED_OUT,
    environment=Playground,
    limits=SHORT,
)
attack(
    "hold the channel open", DEADLINE, "os.read(6, 1); return 'PASS'", TIMED_OUT, environment=Playground, limits=SHORT
)
attack("close the channel, then ask", CHANNEL, "os.close(6); env.run(1)", failed("OSError"), environment=Playground)
attack(
    "compute while the environment's time is not counted",
    "RLIMIT_CPU",
    """
signal.signal(signal.SIGXCPU, signal.SIG_IGN)
os.write(6, b'{"id":1,"op":"run","request":"slow"}\\n')
while True: pass""",
    Ended((Reason.TIMEOUT,)),
    environment=Playground,
    limits=Limits(seconds=0.3, memory_mb=192, environment_calls=5),
)
attack("ask where there is nothing", CHANNEL, "env.run(1)", failed("EnvError: this case has no public environment"))

# Sources
module(
    "200,000 parentheses",
    COMPILER,
    b"x = " + b"(" * 200_000 + b")" * 200_000,
    Ended((Reason.IMPORT_ERROR, Reason.MEMORY)),
)
module(
    "300,000 signs",
    COMPILER,
    b"x = " + b"-" * 300_000 + b"1",
    Ended((Reason.IMPORT_ERROR, Reason.MEMORY, Reason.KILLED)),
)
module("zero bytes in an unknown encoding", COMPILER, b"# -*- coding: foo -*-\n\x00\xff", IMPORT_ERROR)
module("an encoding that would be imported", COMPILER, b"# -*- coding: zip -*-\nx = 1\n", IMPORT_ERROR)
module(
    "8 MB of statements",
    COMPILER,
    b"x=1\n" * 2_000_000,
    Ended((Reason.TIMEOUT, Reason.MEMORY, Reason.KILLED)),
    limits=SHORT,
)
module("a number of 10,000 digits", COMPILER, b"x = " + b"9" * 10_000, IMPORT_ERROR)
module("marshalled code for a source", COMPILER, b"C\xe3\x00\x00\x00\x00", IMPORT_ERROR)
module(
    "a constant that folds to gigabytes",
    COMPILER,
    b"def verify(s, e):\n    return (1 << 9999999999)\n",
    Ended((Reason.MEMORY, Reason.EXCEPTION, Reason.IMPORT_ERROR)),
)
module("an endless loop on import", DEADLINE, b"while True: pass\n", TIMED_OUT, limits=SHORT)
module("all memory on import", ADDRESS_SPACE, b"x = bytearray(1 << 40)\n", NO_MEMORY)
module(
    "a module that is not on the list",
    "closed importer",
    b"import sqlite3\n",
    Ended((Reason.IMPORT_ERROR,), ("not among the modules",)),
)
