"""What the audit says: flaws with their evidence, and what each check saw of each task.

A flaw is about one task (or, without a task, about the suite as a whole) and proves itself: its evidence is plain
JSON, and its reproduction is a script that needs nothing but this package. A check that found nothing to look at is
told apart from one that found nothing wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from verifierbench.core import canonical_hash

from .subject import Subject


class Flaw(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong."""

    check: str
    reason: str
    """Machine-readable, one of the check's own `reasons`."""
    task: str
    """The task's id; empty where the suite as a whole is meant."""
    case: str = ""
    """The case's id, where one case is meant."""
    place: str = ""
    """The atom, clause, mutant, hash or rung, where one is meant."""
    says: str
    """One sentence for a person: what is wrong, with what, and what was seen."""
    evidence: dict[str, Any] = {}
    """Plain JSON."""
    reproduction: str = ""
    """A Python script that shows it: exits 1 while the flaw stands and 0 when it does not."""

    @property
    def id(self) -> str:
        """Stable from run to run: `<check>-<hash of what it is about>`."""
        about = [self.check, self.reason, self.task, self.case, self.place]
        return f"{self.check}-{canonical_hash(about)[:10]}"


class Examined(msgspec.Struct, frozen=True, kw_only=True):
    """What one check saw of one task."""

    check: str
    task: str
    passed: int
    """How many single assertions held; 0 with no flaws means there was nothing to look at."""
    flaws: tuple[Flaw, ...] = ()
    facts: dict[str, int | float] = {}
    """Counts that the report adds up over tasks."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One check of the audit."""

    name: str
    question: str
    """What it asks, in one sentence."""
    prose: str
    """For `explain-check`: what is compared, why it matters, what a flaw means, how to mend it, what it cannot see."""
    reasons: dict[str, str]
    """Every reason it may give, with its meaning in one sentence."""
    examine: Callable[[Subject], Examined]
    overall: Callable[[Sequence[Examined]], tuple[Flaw, ...]] | None = None
    """What must hold of all tasks together: flaws without a task."""
