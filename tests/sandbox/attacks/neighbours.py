# one attack is one entry; the tables are read across

"""Reaching other cases, the public environment's rules, and the compiler."""

from __future__ import annotations

import errno

from verifierbench.core.decision import Reason

from .kit import (
    _NEEDLE,
    _SECRETS,
    ADDRESS_SPACE,
    CHANNEL,
    COMPILER,
    DEADLINE,
    FORK,
    IMPORT_ERROR,
    NO_MEMORY,
    SHORT,
    TIMED_OUT,
    Ended,
    Playground,
    Refused,
    Said,
    attack,
    failed,
    killed,
    module,
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
    "5,000 digits for its number": ('b\'{"op":"run","request":1,"id":\' + b\'9\' * 5000 + b\'}\'', "no request"),
    "NaN": (_REQUEST + "b'NaN}'", "no request"),
    "9,000 digits": (_REQUEST + "b'9' * 9000 + b'}'", "no request"),
}
for _name, (_line, _says) in _BAD_REQUESTS.items():
    attack(
        f"ask with {_name}",
        CHANNEL,
        f"os.write(6, {_line} + b'\\n'); os.read(6, 999); return 'PASS'",
        killed(_says),
        environment=Playground,
    )
for _depth in (201, 975, 90_000):
    attack(
        f"ask with nesting of {_depth:,}",
        CHANNEL,
        f"os.write(6, {_REQUEST}b'[' * {_depth} + b']' * {_depth} + b'}}\\n')\n"
        "print(os.read(6, 999).decode())\nreturn 'FAIL'",
        Said(printed="nested too deeply"),
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
