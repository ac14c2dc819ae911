"""What a configuration is reported by: means over tasks, each task weighing the same.

    BA_norm = mean over tasks of (TPR + TNR - 100)

A constant verdict scores 0, perfect agreement 100, no verifier at all -100. FPR_h averages over the tasks that have
attacks and says how many those are. Every figure but a count is in percent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from verifierbench.core import CaseDecision, Family, Inconsistent

from .intervals import mean, t_interval
from .tasks import TaskFigures, per_task


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one set of tasks; all but the counts in percent."""

    tasks: int
    ba_norm: float
    ba_norm_ci: tuple[float, float] | None
    """95 % t-interval over tasks, not clipped; None where fewer than two tasks."""
    tpr: float
    tnr: float
    fpr_h: float | None
    """Mean share of accepted attacks; None where no task has an attack."""
    fpr_h_tasks: int
    """How many tasks have an attack."""
    invalid_share: float
    """Mean over tasks of the share of cases without a verdict."""


def summary(rows: Iterable[CaseDecision]) -> Figures:
    """Figures of all rows; raises `Inconsistent` when there are none or a task lacks one of the labels."""
    return _summary(per_task(rows))


def by_family(rows: Iterable[CaseDecision]) -> dict[Family, Figures]:
    """The same figures for each family that occurs, in the order `Family` lists them."""
    tasks = per_task(rows)
    groups = {family: [task for task in tasks if task.family is family] for family in Family}
    return {family: _summary(group) for family, group in groups.items() if group}


def _summary(tasks: Sequence[TaskFigures]) -> Figures:
    if not tasks:
        raise Inconsistent("there are no decisions to measure")
    attacked = [task.fpr_h for task in tasks if task.fpr_h is not None]
    scores = [task.j for task in tasks]
    return Figures(
        tasks=len(tasks),
        ba_norm=mean(scores),
        ba_norm_ci=t_interval(scores),
        tpr=mean([task.tpr for task in tasks]),
        tnr=mean([task.tnr for task in tasks]),
        fpr_h=mean(attacked) if attacked else None,
        fpr_h_tasks=len(attacked),
        invalid_share=mean([task.invalid_share for task in tasks]),
    )
