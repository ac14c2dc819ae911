"""The published half of the contract: the page says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from verifierbench.sandbox import seccomp, selftest
from verifierbench.sandbox.published import FROZEN_TIME, OUTPUT_KEPT, PRELOADED, REQUEST_BYTES

PAGE = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text()


def test_the_page_lists_the_preloaded_modules() -> None:
    paragraph = PAGE[PAGE.index("\nModules: ") :].split("\n\n")[0]
    assert re.findall(r"`([\w.]+)`", paragraph) == list(PRELOADED)


def test_the_page_states_the_numbers() -> None:
    assert f"an allow-list of {len(seccomp.VERIFIER)} calls" in PAGE
    assert len(selftest.ATTACKS) == 13
    assert "thirteen real attacks" in PAGE
    assert "2026-01-01T00:00:00Z" in PAGE
    assert FROZEN_TIME == 56 * 365 * 86400 + 14 * 86400, "56 years since 1970, 14 of them leap years"
    assert f"{OUTPUT_KEPT:,} bytes" in PAGE
    assert REQUEST_BYTES == 4 << 20
