"""Choosing a tier: by a fight, fail closed, with a sentence that says what is missing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from verifierbench.core.decision import Limits, Verdict
from verifierbench.core.errors import Unavailable
from verifierbench.sandbox import Tier, VerifierBox, choose_tier, probe, self_test, selftest, tiers


@pytest.fixture(autouse=True)
def _forget_verdicts() -> None:
    tiers._obstacle.cache_clear()


def test_the_best_tier_that_holds_is_chosen() -> None:
    found = probe()
    best = Tier.NAMESPACES if found.empty_world and found.pidfd_setns else Tier.SECCOMP
    assert choose_tier() is best
    assert choose_tier(Tier.SECCOMP) is Tier.SECCOMP


@pytest.mark.parametrize("tier", list(Tier))
def test_the_self_test_contains_every_attack(tier: Tier) -> None:
    assert self_test(tier) == ()
    assert len(selftest.ATTACKS) >= 10


def test_a_box_that_contains_nothing_is_seen_through(monkeypatch: pytest.MonkeyPatch) -> None:
    # Every source is replaced by one that behaves as if its attack had gone through.
    real = VerifierBox.run
    escaped = b"def verify(solution, env): return 'FAIL'"

    def run(box: VerifierBox, source: bytes, *rest: object, **more: object) -> object:
        return real(box, source if b"return 'PASS'" in source and b"libc" not in source else escaped, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(VerifierBox, "run", run)
    assert len(self_test(Tier.SECCOMP)) == len(selftest.ATTACKS)


def test_one_attack_that_gets_through_closes_the_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    through = selftest._Attack("does no harm", "def verify(solution, env): return 'FAIL'\n", Verdict.PASS)
    monkeypatch.setattr(selftest, "ATTACKS", (*selftest.ATTACKS, through))
    with pytest.raises(Unavailable, match="a verifier that does no harm was not contained"):
        choose_tier(Tier.SECCOMP)


def test_a_verdict_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    choose_tier(Tier.SECCOMP)
    monkeypatch.setattr(selftest, "self_test", lambda *_: pytest.fail("fought twice"))
    assert choose_tier(Tier.SECCOMP) is Tier.SECCOMP


def test_the_probe_tries_everything() -> None:
    found = probe()
    assert found.seccomp, found.remarks
    claims = {"user_namespaces", "pidfd_setns", "empty_world", "seccomp", "overlay", "mount_setattr"}
    assert {name for name in claims if not getattr(found, name)} == set(found.remarks)


_WITHOUT_USER_NAMESPACES = """
import sys
from verifierbench.core.decision import Limits
from verifierbench.core.errors import Unavailable
from verifierbench.sandbox import Tier, VerifierBox, choose_tier, probe, syscalls, seccomp
names = seccomp.NUMBERS
syscalls.no_new_privileges()
arch = __import__("os").uname().machine
refused = {number for number in seccomp.numbers(["unshare"], arch)}
tree = seccomp._tree([(0, seccomp.ALLOW), (min(refused), seccomp.REFUSE), (min(refused) + 1, seccomp.ALLOW)])
seccomp.Filter([seccomp.Instruction(seccomp.LOAD, 0, 0, 0), *tree]).install()
found = probe()
assert not found.user_namespaces and not found.empty_world and found.seccomp, found
assert choose_tier() is Tier.SECCOMP
try:
    choose_tier(Tier.NAMESPACES)
except Unavailable as error:
    print(error)
with VerifierBox(Tier.SECCOMP) as box:
    print(box.run(b"def verify(s, e): return 'PASS'", b"1", b"1", None, Limits()).decision.verdict)
"""


def test_without_user_namespaces_the_lower_tier_is_used_and_the_higher_refused() -> None:
    """As in a container whose profile refuses `unshare`: a filter over the whole process does the same here."""
    done = subprocess.run([sys.executable, "-c", _WITHOUT_USER_NAMESPACES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    sentence, verdict = done.stdout.splitlines()
    assert "the namespaces sandbox cannot be used here" in sentence
    assert "unshare" in sentence
    assert "docker run --security-opt" in sentence
    assert verdict == "PASS"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can lose its capabilities: sudo make test-sandbox")
def test_root_that_cannot_change_its_user_is_refused() -> None:
    code = (
        "import os\nfrom verifierbench.sandbox import Tier, VerifierBox, syscalls\n"
        "syscalls.drop_bounding_set(); syscalls.drop_capabilities()\nVerifierBox(Tier.SECCOMP)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "InfrastructureError: the verifier sandbox did not start: PermissionError" in done.stderr


def test_every_case_passes_in_a_forced_tier() -> None:
    with VerifierBox(Tier.SECCOMP) as box:
        decisions = [box.run(b"def verify(s, e): return 'PASS'", b"1", b"1", None, Limits()).decision for _ in range(3)]
    assert {decision.verdict for decision in decisions} == {Verdict.PASS}
