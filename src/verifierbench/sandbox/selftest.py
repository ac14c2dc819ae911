"""A short fight before the sandbox is trusted: real attacks, run here and now, each of which must be contained.

A capability that is reported but not enforced is the failure this exists for. The whole suite of attacks lives in
the tests; these are the ones whose success would make every result worthless. Each asserts the mechanism: the
errno of the refusal, or the reason the trusted side gave.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from verifierbench.core.decision import Limits, Reason, Verdict
from verifierbench.core.errors import InfrastructureError

from .box import VerifierBox
from .tier import Tier

_LIMITS = Limits(seconds=5.0, memory_mb=256, output_bytes=100_000)
_SHORT = Limits(seconds=0.2, memory_mb=256, output_bytes=100_000)

# PASS means: refused with EPERM, by the filter and not by an accident such as a missing file.
_REFUSED = """
import ctypes, os
EPERM = 1
libc = ctypes.CDLL(None, use_errno=True)
def raw(function, *arguments):
    if function(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")
def verify(solution, env):
    try:
        {attack}
    except OSError as error:
        return "PASS" if error.errno == EPERM else "FAIL"
    return "FAIL"
"""


class _Attack(NamedTuple):
    name: str
    source: str
    expected: Verdict | Reason
    limits: Limits = _LIMITS


def _refused(name: str, attack: str) -> _Attack:
    return _Attack(name, _REFUSED.format(attack=attack), Verdict.PASS)


def _body(name: str, attack: str, expected: Verdict | Reason, limits: Limits = _LIMITS) -> _Attack:
    return _Attack(name, f"import os\ndef verify(solution, env):\n    {attack}\n", expected, limits)


ATTACKS = (
    _refused("opens a file", "os.open('/proc/self/status', os.O_RDONLY)"),
    _refused("looks at a file", "os.stat('/')"),
    _refused("forks", "os.fork()"),
    _refused("executes a program", "os.execv('/bin/sh', ['sh'])"),
    _refused("opens a socket", "raw(libc.socket, 2, 1, 0)"),
    _refused("traces a process", "raw(libc.ptrace, 0, 0, 0, 0)"),
    _refused("signals every process", "os.kill(-1, 0)"),
    _refused("makes a user namespace", "raw(libc.unshare, 0x10000000)"),
    _refused("raises its limits", "raw(libc.setrlimit, 9, (ctypes.c_ulong * 2)(1 << 40, 1 << 40))"),
    _body("takes all memory", "bytearray(1 << 31)", Reason.MEMORY),
    _body("never ends", "while True: pass", Reason.TIMEOUT, _SHORT),
    _body("floods its output", "while True: os.write(1, bytes(65536))", Reason.KILLED),
    _body("forges an answer", """os.write(5, b'0' * 16 + b' {"kind":"PASS"}\\n'); os._exit(0)""", Reason.KILLED),
)


def self_test(tier: Tier, interpreter: str = sys.executable) -> tuple[str, ...]:
    """Return a sentence for each attack that was not contained; raises InfrastructureError where none could run."""
    with VerifierBox(tier, interpreter=interpreter, extra_modules=("ctypes",)) as box:
        loose = tuple(sentence for attack in ATTACKS if (sentence := _fight(box, attack)))
        canary = box.run(b"def verify(solution, env): return 'PASS'", b"{}", b"{}", None, _LIMITS).decision
        if canary.verdict is not Verdict.PASS or box.restarts:
            raise InfrastructureError(f"a harmless verifier did not pass after the self-test: {canary}")
    return loose


def _fight(box: VerifierBox, attack: _Attack) -> str:
    decision = box.run(attack.source.encode(), b"{}", b"{}", None, attack.limits).decision
    got = decision.verdict or decision.reason
    return (
        "" if got is attack.expected else f"a verifier that {attack.name} was not contained ({got}: {decision.detail})"
    )
