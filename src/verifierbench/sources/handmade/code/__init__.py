"""Handmade code tasks: small packages with a real bug each, written for this project.

A task is a folder under `tasks`, meant to be read: `issue.md`, the repository as it is (`repo`), its repair (`gold`),
other solutions (`variants/<name>`), all as plain files; `cases.py`, which the reference runs in the patched copy; and
`task.toml`, which says what is required, what must come out, and why each variant has its label.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from verifierbench.core import Candidate, Environment, Season, Task
from verifierbench.families.code.environment import CodeEnvironment
from verifierbench.families.code.operators import cases

from .reading import TASKS, draft_of, task_of

__all__ = ["candidates", "environment"]


def candidates(season: Season) -> Iterator[Candidate]:
    """Every task with its cases, in the order of their names."""
    for folder in sorted(path for path in TASKS.iterdir() if (path / "task.toml").exists()):
        yield Candidate(task=task_of(folder), cases=tuple(cases(draft_of(folder), season)))


def environment(task: Task) -> Environment:
    """Fresh copies of the task's repository."""
    return _environment(task.id)


@cache
def _environment(task_id: str) -> Environment:
    return CodeEnvironment(draft_of(TASKS / task_id.rpartition("/")[2]).repository)
