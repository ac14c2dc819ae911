"""Which hidden cases an experiment shows with their labels; whoever scores the run leaves them out.

Attacks and their matched controls are never shown: the one would teach the exploit, the other point at it, and both
are few. Of the rest at most half of each label is shown, so that every task keeps cases of both to be scored on.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest

from verifierbench.core import Case, Verdict
from verifierbench.generation.workspace import Example

__all__ = ["pick", "shown"]


def pick(cases: Iterable[Case], n: int, seed: str) -> tuple[Case, ...]:
    """At most `n` cases of one task, PASS and FAIL in turn; the same for the same cases and seed, in any order."""
    # One order for all, which says nothing of how the cases were made.
    eligible = sorted(
        (case for case in cases if not case.kind.is_attack and case.control_of is None),
        key=lambda case: (case.content_hash, case.id),
    )
    halves = [_half([case for case in eligible if case.label is label], f"{seed}:{label}") for label in Verdict]
    turns = chain.from_iterable(zip_longest(*halves))
    return tuple(case for case in turns if case is not None)[:n]


def shown(cases: Sequence[Case]) -> tuple[Example, ...]:
    """What a workspace may hold of such cases: solution and label."""
    return tuple(Example(solution=case.content, label=case.label) for case in cases)


def _half(cases: list[Case], seed: str) -> list[Case]:
    return random.Random(seed).sample(cases, len(cases) // 2)  # noqa: S311  # a reproducible choice, not a secret
