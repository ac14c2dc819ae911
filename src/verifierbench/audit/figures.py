"""Figures that a report adds up over tasks: mutants of the references, agreement of upstream's own checkers.

A mutant is a reference with one named part dropped or weakened. It is killed when some case is decided otherwise,
equivalent when evidence shows that no solution could be, and survives otherwise: a survivor is a part of the
reference that no case defends.

An upstream checker is measured like any verifier, each task weighing the same:

    BA_norm = 100 · mean over tasks of (tp / pos + tn / neg − 1)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from .findings import Examined

_BY_OPERATOR = "operator:"


class Mutants(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the references' mutants."""

    total: int = 0
    killed: int = 0
    equivalent: int = 0
    survived: int = 0
    tasks: int = 0
    """How many tasks the check examined."""
    by_operator: dict[str, int] = {}

    @property
    def configurations_per_task(self) -> float | None:
        """Mutants per task; None where no task was examined."""
        return self.total / self.tasks if self.tasks else None


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """How far one source's own checker agrees with the labels."""

    tasks: int
    """Tasks that it decided a case of."""
    cases: int
    agree: int
    explained: int
    """Disagreements that the source's ledger of defects explains."""
    ba_norm: float | None
    """In percent, over the tasks that have valid and invalid cases; None where none has."""
    ba_norm_tasks: int

    @property
    def unexplained(self) -> int:
        """Disagreements nobody has accounted for."""
        return self.cases - self.agree - self.explained


def mutants(seen: Iterable[Examined]) -> Mutants:
    """Add up what the mutation check counted in each task."""
    tasks, facts = 0, Counter[str]()
    for one in seen:
        tasks += 1
        facts.update({name: int(count) for name, count in one.facts.items()})
    return Mutants(
        total=facts["mutants"],
        killed=facts["killed"],
        equivalent=facts["equivalent"],
        survived=facts["survived"],
        tasks=tasks,
        by_operator={
            name.removeprefix(_BY_OPERATOR): count
            for name, count in sorted(facts.items())
            if name.startswith(_BY_OPERATOR)
        },
    )


def agreement(seen: Iterable[Examined], sources: Mapping[str, str]) -> dict[str, Agreement]:
    """Source → agreement, of the sources whose checker decided anything; `sources` maps a task to its source."""
    groups: dict[str, list[Mapping[str, int | float]]] = {}
    for one in seen:
        if one.facts.get("cases"):
            groups.setdefault(sources[one.task], []).append(one.facts)
    return {name: _agreement(group) for name, group in sorted(groups.items())}


def _agreement(tasks: Sequence[Mapping[str, int | float]]) -> Agreement:
    scores = [task["tp"] / task["pos"] + task["tn"] / task["neg"] - 1 for task in tasks if task["pos"] and task["neg"]]
    return Agreement(
        tasks=len(tasks),
        cases=int(sum(task["cases"] for task in tasks)),
        agree=int(sum(task["agree"] for task in tasks)),
        explained=int(sum(task["explained"] for task in tasks)),
        ba_norm=100 * sum(scores) / len(scores) if scores else None,
        ba_norm_tasks=len(scores),
    )
