"""One verifier against one task, in this process: for authors at work, not for ranked results.

What is run, and how it is judged, is what scoring does; only the ledger and the other processes are missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from verifierbench.core import Case, CaseDecision, Limits, Task
from verifierbench.sandbox import Tier, VerifierBox, choose_tier

from .bench import Bench
from .public import PublicEnvironments
from .score import row
from .trusted import persistently

if TYPE_CHECKING:
    from verifierbench.sandbox import Execution


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A case, what was decided, and what the verifier printed and executed."""

    case: Case
    row: CaseDecision
    output: str
    trail: tuple[int, ...]
    """When explained: the last executed lines of verifier.py, oldest first."""


def open_bench(evidence: Path, tier: Tier | None = None) -> Bench:
    """A bench in this process, in the best tier that holds here or in the one that is asked for."""
    return Bench(VerifierBox(choose_tier(tier)), PublicEnvironments(evidence))


def check(
    verifier: bytes,
    task: Task,
    cases: Iterable[Case],
    *,
    evidence: Path,
    tier: Tier | None = None,
    limits: Limits | None = None,
    explain: bool = False,
) -> Iterator[Checked]:
    """Decide cases one by one, in the order given; `explain` adds the deciding line and the executed lines."""
    with open_bench(evidence, tier) as bench:
        for case in cases:
            seen = _run(bench, verifier, task, case, limits or Limits(), explain)
            yield Checked(case=case, row=row(task, case, seen.decision), output=seen.output, trail=seen.trail)


def _run(bench: Bench, verifier: bytes, task: Task, case: Case, limits: Limits, explain: bool) -> Execution:
    return persistently(lambda: bench.run(verifier, task, case.content, limits, explain=explain))
