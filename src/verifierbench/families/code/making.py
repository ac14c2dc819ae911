"""How a case is made from any draft: what it is, and the patch that makes it.

An operator's label follows from how its patch is made; nothing is executed, and no checker is asked. A text that is
added names what it has to of the draft (`Draft.named`).
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

import msgspec

from verifierbench.core import CaseKind

from .content import make_patch, patched
from .draft import Changes, Draft

Make: TypeAlias = Callable[[Draft, Random], str]
"""The patch an operator makes."""
Change: TypeAlias = Callable[[Draft, Random], Changes]
"""The files it puts in the place of others."""


class Operator(msgspec.Struct, frozen=True, kw_only=True):
    """How a case is made from any draft."""

    kind: CaseKind
    make: Make
    clause: str = ""
    """What it violates or whose freedom it uses: a convention's id, or "" for the draft's main clause."""
    note: str
    control_of: str | None = None


def on_gold(change: Change) -> Make:
    """Gold, and some files of it replaced."""
    return lambda draft, random: make_patch(draft.repository, patched(draft.fixed, change(draft, random)))


def on_base(change: Change) -> Make:
    """Nothing repaired, and some files replaced."""
    return lambda draft, random: make_patch(draft.repository, patched(draft.repository, change(draft, random)))


def added(path: str, text: str) -> Change:
    """Write one file; both its path and its text may name what `Draft.named` has."""
    return lambda draft, _: {draft.named(path): draft.named(text)}


def appended(path: str, text: str) -> Change:
    """Put text at the end of a file, as gold leaves it where gold touches it; it is made where there is none."""

    def change(draft: Draft, _: Random) -> Changes:
        place = draft.named(path)
        return {place: draft.fixed.get(place, "") + draft.named(text)}

    return change
