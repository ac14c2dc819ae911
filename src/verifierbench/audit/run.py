"""One audit of one suite: fresh runs, every check on every task, one report.

The report of a whole audit is kept beside the suite, where `suite lock` looks for it; a single check's is not, so
that nothing partial is ever taken for the whole.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import msgspec

from verifierbench.core import Inconsistent, Task, Unavailable, canonical_hash
from verifierbench.core.files import write_atomically
from verifierbench.execution import Job, Ledger, LocalExecutor, Unit
from verifierbench.suite import Suite

from .checks import NAMES, checks
from .findings import Examined
from .formats import document, to_bytes
from .fresh import Runs, fresh_runs
from .report import Report, SuiteFacts, assemble
from .worker import examined

Progress: TypeAlias = Callable[[str, int, int], None]
"""`progress(stage, done, total)`."""

_FRESH = "repeatability"
"""The check that looks at fresh runs."""


def audit(
    directory: Path, names: tuple[str, ...] = NAMES, *, workers: int = 1, progress: Progress | None = None
) -> Report:
    """Audit a suite and return the report; raises `MalformedInput` for what is no suite, `UnknownName` for a check.

    Raises `Unavailable` where a task's environment cannot run on this machine.
    """
    say, started = progress or (lambda _stage, _done, _total: None), time.monotonic()
    chosen, suite = checks(names), Suite.load(directory)
    runs = _runs(suite, workers, say) if any(check.name == _FRESH for check in chosen) else {}
    seen = _examine(suite, tuple(check.name for check in chosen), runs, workers, say)
    facts = SuiteFacts.of(suite)
    report = assemble(facts, seen, chosen, suite.excluded, seconds=time.monotonic() - started)
    if report.complete:
        write_atomically(directory / document.PLACE, to_bytes(document.render(report)))
    return report


def _runs(suite: Suite, workers: int, say: Progress) -> Runs:
    ledger = suite.path / "hidden/audit.sqlite"
    try:
        return fresh_runs(
            suite.path,
            suite.tasks,
            ledger,
            workers=workers,
            said=lambda done, all_, _: say("running afresh", done, all_),
        )
    except PermissionError as error:
        raise Unavailable(f"{ledger} cannot be written: {error.strerror}; audit a copy of the suite") from error


def _examine(suite: Suite, names: tuple[str, ...], runs: Runs, workers: int, say: Progress) -> list[Examined]:
    units = [_unit(task, runs) for task in sorted(suite.tasks, key=lambda task: task.environment is None)]
    settings = {"suite": str(suite.path.resolve()), "checks": list(names)}
    job = Job(entry="verifierbench.audit.worker:Auditor", settings=settings, at_once=1)
    with TemporaryDirectory(prefix="verifierbench-") as scratch:
        ledger = Path(scratch) / "examined.sqlite"
        LocalExecutor(workers).run(job, units, ledger, lambda done, all_, _: say("examining", done, all_))
        with Ledger(ledger) as finished:
            results = finished.results([unit.key for unit in units])
    if len(results) < len(units):
        raise Inconsistent("the executor returned without a result for a task")
    by_key = {unit.payload["task"]: examined(results[unit.key]) for unit in units}
    return [one for task in suite.tasks for one in by_key[task.id]]


def _unit(task: Task, runs: Runs) -> Unit:
    payload: dict[str, Any] = {"task": task.id, "runs": msgspec.to_builtins(runs.get(task.id, {}))}
    return Unit(key=canonical_hash(payload), payload=payload)
