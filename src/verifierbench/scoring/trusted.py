"""Rows that are decided on the trusted side: by the reference, and by upstream's own checkers.

They are measured like any verifier and written as runs like any other; harness, model and tier are null because
nothing was contained. A source checker is never trusted: its rows say how far upstream is right.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from verifierbench.core import (
    Case,
    CaseDecision,
    Decision,
    Inconsistent,
    InfrastructureError,
    Run,
    SourceChecker,
    Task,
    Verdict,
)
from verifierbench.execution.local import RETRIES
from verifierbench.families import decide as decide_by_reference
from verifierbench.families import family
from verifierbench.sources import checker_for
from verifierbench.suite import Suite

from .folder import RunFolder
from .public import PublicEnvironments
from .score import row

T = TypeVar("T")


def score_reference(suite: Suite) -> tuple[CaseDecision, ...]:
    """The reference's decision on every case, from evidence where there is some."""
    with PublicEnvironments(suite.evidence) as environments:
        return tuple(
            row(task, case, _reference(task, case, environments)) for task in suite.tasks for case in suite.cases(task)
        )


def score_source_checker(suite: Suite) -> tuple[CaseDecision, ...]:
    """Upstream's decision on every case of the tasks whose source has a checker.

    What the build recorded stands where it was this checker on this content; the rest is asked anew.
    """
    rows: list[CaseDecision] = []
    for name in dict.fromkeys(task.source for task in suite.tasks):
        checker = checker_for(name)
        if checker is not None:
            rows += _source(suite, name, checker)
    return tuple(rows)


def write_trusted_run(path: Path, suite: Suite, name: str, rows: Iterable[CaseDecision]) -> None:
    """Write such rows as a run of their own."""
    folder = RunFolder(path)
    where = os.path.relpath(suite.path, path)
    folder.write_run(Run(name=name, harness=None, model=None, suite=where, suite_hash=suite.hash, tier=None))
    folder.write_rows(rows)


def score_trusted(suite: Suite, runs: Path) -> None:
    """Write these rows as runs below a folder: `reference`, and `source-checker` where a source has a checker.

    Where several have one, each also gets a row of its own, `source-checker-<source>`.
    """
    checked = score_source_checker(suite)
    rows = {"reference": score_reference(suite), "source-checker": checked}
    sources = dict.fromkeys(row.source for row in checked)
    if len(sources) > 1:
        rows |= {f"source-checker-{name}": tuple(row for row in checked if row.source == name) for name in sources}
    for name, decided in rows.items():
        if decided:
            write_trusted_run(runs / name, suite, name, decided)


def persistently(action: Callable[[], T]) -> T:
    """Do what may fail by our fault; try again at most twice."""
    for _ in range(RETRIES):
        try:
            return action()
        except InfrastructureError:
            continue
    return action()


def _reference(task: Task, case: Case, environments: PublicEnvironments) -> Decision:
    public = environments.of(task)
    execute = _nothing_to_run if public is None else public.execute
    finding = persistently(lambda: decide_by_reference(family(task.family), task.reference, case.content, execute))
    failed = ", ".join(atom.name for atom in finding.failed)
    return Decision(
        verdict=Verdict.PASS if finding.ok else Verdict.FAIL, detail=f"not satisfied: {failed}" if failed else ""
    )


def _source(suite: Suite, name: str, checker: SourceChecker) -> list[CaseDecision]:
    tasks = [task for task in suite.tasks if task.source == name]
    recorded = {
        (record.case, record.case_hash): record.decision
        for record in suite.source_records
        if record.checker_version == checker.version
    }

    def decide(task: Task, case: Case) -> Decision:
        known = recorded.get((case.id, case.content_hash))
        return known or persistently(lambda: checker.decide(task, case.content))

    try:
        return [row(task, case, decide(task, case)) for task in tasks for case in suite.cases(task)]
    finally:
        checker.close()


def _nothing_to_run(request: Any) -> Any:
    raise Inconsistent(f"a reference asks for a run, but its task has no environment: {request!r}")
