"""Which cases are seen again: all of them, and of a suite with very many executions a sample by kind.

A case of a code task takes seconds, where others take milliseconds: beyond `MOST` of them two runs of everything would
take hours. Then gold and everything left unrepaired are seen again, and of each other kind one case in every task,
drawn by the task's name; what is said of repeatability says of how many cases.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence

from verifierbench.core import Case, CaseKind, Family, Task

MOST = 800
"""Cases of code tasks of which all are seen again."""
_ALWAYS = frozenset({CaseKind.GOLD, CaseKind.BASE})


def seen_again(tasks: Sequence[Task], cases: Iterable[Case]) -> dict[str, frozenset[str]]:
    """Task id → ids of the cases to be seen again, of a suite's tasks and cases."""
    families = {task.id: task.family for task in tasks}
    by_task: dict[str, list[Case]] = {task.id: [] for task in tasks}
    for case in cases:
        if case.task in by_task:
            by_task[case.task].append(case)
    slow = sum(len(mine) for name, mine in by_task.items() if families[name] is Family.CODE)
    sampled = slow > MOST
    return {
        name: frozenset(_sample(name, mine) if sampled and families[name] is Family.CODE else (c.id for c in mine))
        for name, mine in by_task.items()
    }


def _sample(task: str, cases: Sequence[Case]) -> list[str]:
    chance = random.Random(f"seen again {task}")  # noqa: S311  # a sample, no secret
    by_kind: dict[CaseKind, list[str]] = defaultdict(list)
    for case in cases:
        by_kind[case.kind].append(case.id)
    chosen = [mine if kind in _ALWAYS else [chance.choice(mine)] for kind, mine in sorted(by_kind.items())]
    return [name for part in chosen for name in part]
