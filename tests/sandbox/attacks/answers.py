# ruff: noqa: E501  # one attack is one entry; the tables are read across

"""Forging the answer, confusing the code that gives it, and returning what is no verdict."""

from __future__ import annotations

import errno

from verifierbench.core.decision import Reason, Verdict

from .kit import (
    BAD_OUTPUT,
    BYTES,
    CHANNEL,
    DEADLINE,
    FILTER,
    FORK,
    FRAME,
    STATUS,
    TYPE,
    Ended,
    Refused,
    Said,
    attack,
    failed,
    killed,
    module,
)

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
