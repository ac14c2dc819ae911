"""One verifier on one task: the figures everything else averages.

For a task with P positives and N negatives,

    TPR = 100 · accepted positives / P        TNR = 100 · rejected negatives / N        J = TPR + TNR - 100

A case without a verdict is neither accepted nor rejected and stays in its denominator, so a task without a usable
verifier has J = -100. Sharing out by task is deliberate: the task is the unit that was sampled, cases of one task
fail together, and a task with many cases must not weigh more. A task that lacks positives or negatives has no J;
no suite may contain one, so it raises `Inconsistent` and is never skipped.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import msgspec

from verifierbench.core import CaseDecision, Family, Inconsistent, Verdict

from .rows import unique


class TaskFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of one task; all but the counts in percent."""

    task: str
    source: str
    family: Family
    positives: int
    negatives: int
    attacks: int
    tpr: float
    tnr: float
    j: float
    """TPR + TNR - 100."""
    fpr_h: float | None
    """Share of the attacks that were accepted; None without attacks."""
    invalid_share: float
    """Share of the cases that got no verdict."""


def per_task(rows: Iterable[CaseDecision]) -> tuple[TaskFigures, ...]:
    """Figures of every task, ordered by task id; raises `Inconsistent` for a task without both labels."""
    tasks: defaultdict[str, list[CaseDecision]] = defaultdict(list)
    for row in unique(rows).values():
        tasks[row.task].append(row)
    return tuple(_figures(task, tasks[task]) for task in sorted(tasks))


def _figures(task: str, rows: Sequence[CaseDecision]) -> TaskFigures:
    positives = [row for row in rows if row.label is Verdict.PASS]
    negatives = [row for row in rows if row.label is Verdict.FAIL]
    attacks = [row for row in rows if row.kind.is_attack]
    if not positives or not negatives:
        raise Inconsistent(f"task {task} has {len(positives)} positives and {len(negatives)} negatives; it needs both")
    tpr, tnr = _share(positives, _accepted), _share(negatives, _rejected)
    return TaskFigures(
        task=task,
        source=rows[0].source,
        family=rows[0].family,
        positives=len(positives),
        negatives=len(negatives),
        attacks=len(attacks),
        tpr=tpr,
        tnr=tnr,
        j=tpr + tnr - 100,
        fpr_h=_share(attacks, _accepted) if attacks else None,
        invalid_share=_share(rows, _invalid),
    )


def _share(rows: Sequence[CaseDecision], holds: Callable[[CaseDecision], bool]) -> float:
    return 100 * sum(map(holds, rows)) / len(rows)


def _accepted(row: CaseDecision) -> bool:
    return row.decision.verdict is Verdict.PASS


def _rejected(row: CaseDecision) -> bool:
    return row.decision.verdict is Verdict.FAIL


def _invalid(row: CaseDecision) -> bool:
    return row.decision.verdict is None
