"""Every hostile verifier, in both tiers, as root and as an unprivileged user."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from verifierbench.sandbox import Tier

from .arena import Arena, LocalArena, UserArena, interpreter_for
from .attacks import ATTACKS, Attack

_GUEST_UID = 1_000_000 + os.getpid() % 1_000_000
_ARENAS = [(tier, who) for who in ("root", "user") for tier in Tier]


@pytest.fixture(scope="module", params=_ARENAS, ids=[f"{tier}-{who}" for tier, who in _ARENAS])
def arena(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    tier, who = request.param
    if who == "root" and os.geteuid() != 0:
        pytest.skip("these attacks are fought as root: sudo make test-sandbox")
    opened = _as_user(tier, tmp_path_factory) if who == "user" else LocalArena(tier, sys.executable, _GUEST_UID)
    yield opened
    opened.close()


def _as_user(tier: Tier, tmp_path_factory: pytest.TempPathFactory) -> Arena:
    if os.geteuid() != 0:
        return LocalArena(tier, sys.executable, -1)
    uid = _GUEST_UID + 1
    interpreter = interpreter_for(uid)
    if interpreter is None:
        pytest.skip("no Python 3.11 or later that another user can execute (/usr/bin/python3.11 …)")
    sources = Path(tmp_path_factory.mktemp("sources"))
    for folder in (sources, *sources.parents):
        if folder.stat().st_uid == 0 and not folder.stat().st_mode & 1:
            folder.chmod(0o711)
    arena = UserArena(tier, interpreter, uid, sources)
    assert arena.identity["uid"] == uid, "the helper is not the user it should be"
    return arena


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack_is_contained(arena: Arena, attack: Attack) -> None:
    if attack.arch not in (None, platform.machine()):
        pytest.skip(f"an attack on {attack.arch}; this machine is {platform.machine()}")
    fight = arena.fight(attack.name)
    assert not fight.attack, f"{attack.by} should have stopped it: {fight.attack}"
    assert not fight.canary
    assert not fight.processes


def test_names_are_unique() -> None:
    names = [attack.name for attack in ATTACKS]
    assert len(names) == len(set(names))
