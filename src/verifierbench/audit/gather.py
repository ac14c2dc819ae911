"""From a suite on disk to the subjects of its audit.

A view is built from recorded evidence; what the evidence lacks is executed once and recorded, so that a second audit
executes nothing. Runs from a reset state are made elsewhere, in processes of their own, and handed in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from verifierbench.core import Inconsistent, Record, SourceRecord, Task
from verifierbench.families import family, view
from verifierbench.scoring import PublicEnvironments, environment_version
from verifierbench.sources import checker_for, source
from verifierbench.suite import Suite

from .judges import TreeJudge
from .ladder import ladder
from .sampling import seen_again
from .subject import Fresh, Subject

R = TypeVar("R", Record, SourceRecord)


class Gatherer:
    """Subjects of one suite; use as a context, environments stay open meanwhile."""

    def __init__(self, suite: Suite, environments: PublicEnvironments) -> None:
        self.suite, self._environments = suite, environments
        self._checkers: dict[str, bool] = {}

    def subject(self, task: Task, runs: Mapping[str, tuple[Fresh, ...]] | None = None) -> Subject:
        """Everything a check may look at of one task; raises `Unavailable` where its environment cannot run here."""
        public = self._environments.of(task)
        execute = _nothing_to_run if public is None else public.execute
        definition, cases, origin = family(task.family), self.suite.cases(task), source(task.source)
        return Subject(
            task=task,
            cases=cases,
            family=definition,
            judge=TreeJudge.of(task.reference, definition),
            views={case.id: view(definition, task.reference, case.content, execute) for case in cases},
            records=tuple(self._records.get(task.id, ())),
            source_records=tuple(self._source_records.get(task.id, ())),
            environment_version=environment_version(task),
            runs=runs or {},
            again=self._again[task.id],
            ladder=ladder(task.family),
            execute=None if public is None else public.execute,
            measured=self._measured(task.source),
            explain=lambda case, decision: origin.explain(task, case, decision),
        )

    def _measured(self, name: str) -> bool:
        if name not in self._checkers:
            checker = checker_for(name)
            self._checkers[name] = checker is not None
            if checker is not None:
                checker.close()
        return self._checkers[name]

    @cached_property
    def _again(self) -> dict[str, frozenset[str]]:
        return seen_again(self.suite.tasks, self.suite.all_cases)

    @cached_property
    def _records(self) -> dict[str, list[Record]]:
        return _by_task(self.suite.records)

    @cached_property
    def _source_records(self) -> dict[str, list[SourceRecord]]:
        return _by_task(self.suite.source_records)


def _by_task(records: Sequence[R]) -> dict[str, list[R]]:
    """Records of cases that do not exist are kept: provenance names them."""
    found: dict[str, list[R]] = defaultdict(list)
    for record in records:
        found[record.case.rpartition("#")[0]].append(record)
    return found


def _nothing_to_run(request: Any) -> Any:
    raise Inconsistent(f"a reference asks for a run, but its task has no environment: {request!r}")
