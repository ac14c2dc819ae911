"""One audit of one suite: fresh runs, every check on every task, one report.

A suite that was built and one that was brought in plain files go the same way; a `Desk` says where they differ. The
report of a whole audit is kept beside the suite, where `suite lock` looks for it; that of a few checks is not, so that
nothing partial is ever taken for the whole.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, TypeAlias

import msgspec

from verifierbench.core import Inconsistent, Task, UserError, canonical_hash
from verifierbench.core.files import write_atomically
from verifierbench.execution import Job, Ledger, LocalExecutor, Progress, Unit
from verifierbench.suite import Excluded, Suite, without

from . import bring
from .bring.worker import fresh_runs as own_fresh_runs
from .checks import NAMES, checks
from .findings import Examined
from .formats import document, to_bytes
from .fresh import Runs, fresh_runs
from .report import AuditedTask, Outcome, Report, SuiteFacts, assemble
from .worker import examined

Say: TypeAlias = Callable[[str, int, int], None]
"""`say(stage, done, total)`."""

_FRESH = "repeatability"
"""The check that looks at fresh runs."""


class Desk(Protocol):
    """What an audit needs of a suite, wherever it came from."""

    @property
    def facts(self) -> SuiteFacts:
        """What a report says of it."""

    @property
    def tasks(self) -> Sequence[Task]:
        """Its tasks, in the report's order."""

    @property
    def excluded(self) -> Sequence[Excluded]:
        """Candidates that were excluded before."""

    @property
    def auditor(self) -> str:
        """Entry of the worker that examines tasks."""

    def fresh(self, ledger: Path, workers: int, said: Progress) -> Runs:
        """Every case seen again, in processes of their own."""


class _Built:
    """A suite that `suite build` made."""

    auditor = "verifierbench.audit.worker:Auditor"

    def __init__(self, directory: Path) -> None:
        self._suite = Suite.load(directory)
        self.facts, self.tasks, self.excluded = SuiteFacts.of(self._suite), self._suite.tasks, self._suite.excluded

    def fresh(self, ledger: Path, workers: int, said: Progress) -> Runs:
        return fresh_runs(self._suite.path, self.tasks, ledger, workers=workers, said=said)


class _Own:
    """A suite in plain files."""

    auditor = "verifierbench.audit.bring.worker:Auditor"
    excluded: Sequence[Excluded] = ()

    def __init__(self, directory: Path) -> None:
        self._suite = bring.load(directory)
        self.facts, self.tasks = _facts(self._suite), [own.task for own in self._suite.tasks]

    def fresh(self, ledger: Path, workers: int, said: Progress) -> Runs:
        return own_fresh_runs(self._suite, ledger, workers=workers, said=said)


def audit(directory: Path, names: tuple[str, ...] = NAMES, *, workers: int = 1, progress: Say | None = None) -> Report:
    """Audit a suite and return the report; raises `MalformedInput` for what is no suite, `UnknownName` for a check.

    Raises `Unavailable` where a task's environment cannot run on this machine, or nothing can be written.
    """
    say, started = progress or (lambda _stage, _done, _total: None), time.monotonic()
    chosen, desk = checks(names), open_desk(directory)
    papers, wanted = _papers(desk.facts), any(check.name == _FRESH for check in chosen)
    runs = desk.fresh(papers / "audit.sqlite", workers, _stage(say, "running afresh")) if wanted else {}
    seen = _examine(desk, tuple(check.name for check in chosen), runs, workers, _stage(say, "examining"))
    report = assemble(desk.facts, seen, chosen, desk.excluded, seconds=time.monotonic() - started)
    if report.complete:
        write_atomically(papers / document.NAME, to_bytes(document.render(report)))
    return report


def _papers(facts: SuiteFacts) -> Path:
    """The folder of the audit's papers, made where it is missing, and kept out of a brought suite's history."""
    if facts.brought and not facts.papers.exists():
        write_atomically(facts.papers / ".gitignore", b"*\n")
    return facts.papers


def _facts(suite: bring.OwnSuite) -> SuiteFacts:
    tasks = tuple(
        AuditedTask(id=own.task.id, source=own.task.source, family=own.task.family.value, cases=len(own.cases))
        for own in suite.tasks
    )
    path = str(suite.path.resolve())
    return SuiteFacts(path=path, name=suite.name, hash=suite.hash, season="", tasks=tasks, brought=True)


def open_desk(directory: Path) -> Desk:
    """Read a suite, built or brought; raises `UserError` for one without tasks, of which nothing can be said."""
    desk: Desk = _Own(directory) if bring.is_own(directory) else _Built(directory)
    if not desk.tasks:
        raise UserError(f"{directory} holds no task: there is nothing to audit")
    return desk


def exclude(directory: Path, report: Report, *, workers: int = 1, progress: Say | None = None) -> Report:
    """Move the tasks that a report found flaws in out of a built suite, and audit what remains.

    Raises `UserError` for a brought suite (its files are its author's), for a locked one, and where nothing would be
    left. Flaws of the suite as a whole stay.
    """
    if bring.is_own(directory):
        raise UserError(f"{directory} is written by hand: take the tasks out yourself, the report names them")
    gone = [
        Excluded(task=one.task, source=one.source, reason=one.reasons[0], evidence=_evidence(report, one))
        for one in report.outcomes
        if one.at == "audit"
    ]
    if gone:
        without(Suite.load(directory), gone)
        return audit(directory, workers=workers, progress=progress)
    return report


def _evidence(report: Report, outcome: Outcome) -> tuple[str, ...]:
    return tuple(f"{one.rule}: {one.says}" for one in report.findings if one.task == outcome.task)


def _examine(desk: Desk, names: tuple[str, ...], runs: Runs, workers: int, said: Progress) -> list[Examined]:
    units = [_unit(task, runs) for task in sorted(desk.tasks, key=lambda task: task.environment is None)]
    settings = {"suite": str(Path(desk.facts.path).resolve()), "checks": list(names)}
    job = Job(entry=desk.auditor, settings=settings, at_once=1)
    with TemporaryDirectory(prefix="verifierbench-") as scratch:
        ledger = Path(scratch) / "examined.sqlite"
        LocalExecutor(workers).run(job, units, ledger, said)
        with Ledger(ledger) as finished:
            results = finished.results([unit.key for unit in units])
    if len(results) < len(units):
        raise Inconsistent("the executor returned without a result for a task")
    by_task = {unit.payload["task"]: examined(results[unit.key]) for unit in units}
    return [one for task in desk.tasks for one in by_task[task.id]]


def _unit(task: Task, runs: Runs) -> Unit:
    payload: dict[str, Any] = {"task": task.id, "runs": msgspec.to_builtins(runs.get(task.id, {}))}
    return Unit(key=canonical_hash(payload), payload=payload)


def _stage(say: Say, name: str) -> Progress:
    return lambda done, total, _note: say(name, done, total)
