# ruff: noqa: E501  # one attack is one entry; the tables are read across

"""Taking more than is allowed: time, memory, output; and crashing."""

from __future__ import annotations

import errno

from verifierbench.core.decision import Reason

from .kit import (
    ADDRESS_SPACE,
    BYTES,
    DEADLINE,
    FILTER,
    NO_MEMORY,
    SHORT,
    SMALL,
    STATUS,
    TIMED_OUT,
    Ended,
    Refused,
    attack,
    failed,
    killed,
)

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
    "raw('mlock', 0, 4096); raw('madvise', 0, 4096, 12); raw('mbind', 0, 0, 0, 0, 0, 0); raw('migrate_pages', 0, 0, 0, 0); raw('move_pages', 0, 0, 0, 0, 0, 0)",
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
