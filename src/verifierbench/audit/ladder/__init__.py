"""The ladder: plain verifiers with a known fault, written once against the public contract and frozen.

A lax one accepts too much, an over-strict one rejects too much. An attack bites when a lax rung with J > 0 on the
task's other cases accepts it; a positive bites when an over-strict rung rejects it. A rung that compares with the gold
solution uses the name `GOLD`, which is put before its source here, on the trusted side: no agent ever sees it.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import Family, content_bytes


class Side(StrEnum):
    """On which side a rung errs."""

    LAX = "lax"
    STRICT = "strict"


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """One verifier of the ladder."""

    name: str
    side: Side
    source: str

    def verifier(self, gold: Any) -> bytes:
        """The source as it is run for one task, given the task's gold solution."""
        if "GOLD" not in self.source:
            return self.source.encode()
        text = content_bytes(gold).decode()
        return f"import json\nGOLD = json.loads({text!r})\n{self.source}".encode()


@cache
def ladder(family: Family) -> tuple[Rung, ...]:
    """Every rung of a family, lax ones first, by name."""
    root = Path(__file__).parent / family.value
    return tuple(
        Rung(name=file.stem, side=side, source=file.read_text())
        for side in Side
        for file in sorted((root / side.value).glob("*.py"))
    )
