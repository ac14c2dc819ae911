"""What a running verifier's process is, read from outside: no capability, no privilege, no descriptor too many.

The attacks cannot show these: the filter refuses whatever would use them. Here the environment callback looks at the
child in /proc while the child waits for its answer.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from verifierbench.core.decision import Limits, Reason, Verdict
from verifierbench.sandbox import Tier, VerifierBox
from verifierbench.sandbox.guest.lockdown import GUEST_UID

from .arena import descendants

LIMITS = Limits(seconds=20.0, memory_mb=300)
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root may look that closely: sudo make test-sandbox")


class Look:
    """Look at the one process of the box that was not there before."""

    def __init__(self, box: VerifierBox) -> None:
        self._box, self._before = box, descendants(box.process_id, -1)
        self.status: dict[str, str] = {}
        self.limits: dict[str, list[str]] = {}
        self.closely: dict[str, Any] = {}

    def read(self, material: str, pointer: str) -> Any:
        raise NotImplementedError

    def run(self, request: Any) -> Any:
        (pid,) = descendants(self._box.process_id, -1) - self._before
        proc = Path("/proc") / str(pid)
        self.status = dict(line.split(":\t", 1) for line in (proc / "status").read_text().splitlines() if ":\t" in line)
        if os.geteuid() == 0:
            names = ("user", "pid", "mnt", "net", "ipc", "uts", "cgroup")
            self.limits = {line[:26].strip(): line[26:].split() for line in (proc / "limits").read_text().splitlines()}
            self.closely = {
                "descriptors": sorted(int(fd.name) for fd in (proc / "fd").iterdir()),
                "root": list((proc / "root").iterdir()),
                "shared": {n for n in names if (proc / "ns" / n).readlink() == Path(f"/proc/self/ns/{n}").readlink()},
            }
        return None


@pytest.fixture(scope="module", params=list(Tier))
def look(request: pytest.FixtureRequest) -> Iterator[tuple[Tier, Look]]:
    with VerifierBox(request.param) as box:
        seen = Look(box)
        source = b"def verify(solution, env):\n    env.run(0)\n    return 'PASS'\n"
        decision = box.run(source, b"1", b"1", seen, LIMITS).decision
        assert decision.verdict is Verdict.PASS, decision
        yield request.param, seen


def test_it_has_no_capability_and_can_gain_none(look: tuple[Tier, Look]) -> None:
    status = look[1].status
    sets = {name: int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")}
    assert set(sets.values()) == {0}, sets
    assert status["NoNewPrivs"] == "1"
    if os.geteuid() == 0 or look[0] is Tier.NAMESPACES:
        assert int(status["CapBnd"], 16) == 0


def test_filters_are_on(look: tuple[Tier, Look]) -> None:
    assert look[1].status["Seccomp"] == "2"
    assert int(look[1].status["Seccomp_filters"]) >= 2, "the zygote's and its own"


def test_it_is_alone_and_nobody(look: tuple[Tier, Look]) -> None:
    tier, seen = look
    expected = GUEST_UID if os.geteuid() == 0 else os.geteuid()
    assert set(seen.status["Uid"].split()) == {str(expected)}
    assert seen.status["Threads"] == "1"
    inner = seen.status["NSpid"].split()
    # Ours, the zygote's namespace, and one of its own in which it is process 1.
    assert (len(inner), inner[-1]) == ((3, "1") if tier is Tier.NAMESPACES else (1, inner[-1]))


@AS_ROOT
def test_it_shares_no_namespace(look: tuple[Tier, Look]) -> None:
    tier, seen = look
    assert seen.closely["shared"] == (
        set() if tier is Tier.NAMESPACES else {"user", "pid", "mnt", "net", "ipc", "uts", "cgroup"}
    )


@AS_ROOT
def test_its_root_is_empty(look: tuple[Tier, Look]) -> None:
    tier, seen = look
    assert bool(seen.closely["root"]) is (tier is Tier.SECCOMP), (
        "where there is no mount namespace, only the filter hides files"
    )


@AS_ROOT
def test_it_holds_six_descriptors(look: tuple[Tier, Look]) -> None:
    # /dev/null, its output twice, the payload, the answer, the environment; the code's was closed.
    assert look[1].closely["descriptors"] == [0, 1, 2, 3, 5, 6]


@AS_ROOT
def test_its_limits(look: tuple[Tier, Look]) -> None:
    limits = look[1].limits
    expected = {
        "Max cpu time": "20",
        "Max file size": "0",
        "Max core file size": "0",
        "Max processes": "0",
        "Max open files": "64",
        "Max locked memory": "0",
        "Max address space": str(300 << 20),
        "Max pending signals": "64",
        "Max msgqueue size": "0",
        "Max stack size": str(min(8 << 20, _hard_stack())),
    }
    assert {name: limits[name][:2] for name in expected} == {name: [value, value] for name, value in expected.items()}


def _hard_stack() -> int:
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    return 8 << 20 if hard == resource.RLIM_INFINITY else hard


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look at every process")
def test_its_own_user_cannot_look_into_it() -> None:
    with VerifierBox(Tier.SECCOMP) as box, pytest.raises(PermissionError):
        list(Path(f"/proc/{box.process_id}/fd").iterdir())


class Sluggish:
    """An environment that answers only once the child that asked has ended."""

    def __init__(self, box: VerifierBox) -> None:
        self._box, self._before = box, descendants(box.process_id, -1)
        self.ended = False

    def read(self, material: str, pointer: str) -> Any:
        raise NotImplementedError

    def run(self, request: Any) -> Any:
        limit = time.monotonic() + 30
        while not self.ended and time.monotonic() < limit:
            self.ended = not descendants(self._box.process_id, -1) - self._before
            time.sleep(0.02)


@pytest.mark.parametrize("tier", list(Tier))
def test_computing_while_its_clock_stands_still_is_bounded_too(tier: Tier) -> None:
    """Environment time is not counted, so a verifier that computes meanwhile is ended by its processor time."""
    ask = b"""os.write(6, b'{"id":1,"op":"run","request":0}\\n')"""
    source = b"import os\ndef verify(solution, env):\n    %b\n    while True: pass\n" % ask
    with VerifierBox(tier) as box:
        environment = Sluggish(box)
        decision = box.run(source, b"1", b"1", environment, Limits(seconds=0.5)).decision
    assert environment.ended, "the child outlived its processor time"
    assert (decision.reason, decision.detail) == (Reason.TIMEOUT, "1 s of processor time are used up")
