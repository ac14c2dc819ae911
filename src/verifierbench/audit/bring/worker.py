"""An audit's work on a brought suite in processes of its own: fresh looks at cases, and whole tasks examined."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from verifierbench import __version__
from verifierbench.audit.checks import checks
from verifierbench.audit.findings import Check, Examined
from verifierbench.audit.subject import Fresh, Subject
from verifierbench.core import canonical_hash
from verifierbench.execution import Job, Ledger, LocalExecutor, Progress, Unit, silent

from .gather import OwnGatherer
from .own import OwnSuite
from .read import load

_OF_RECORDS = "provenance"
"""The check that a suite without frozen records does not exercise: records made now would agree with themselves."""


class Observer:
    """A worker that decides the cases of one task afresh; its payload is the task's id and the run's number."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self._gatherer = OwnGatherer(load(Path(settings["suite"])))

    def compute(self, payload: tuple[str, int]) -> bytes:
        """Case id → `Fresh`, as JSON; cases come in an order drawn from the run's number."""
        name, number = payload
        own = self._gatherer.suite.task(name)
        cases = random.Random(f"fresh run {number}").sample(own.cases, len(own.cases))  # noqa: S311  # an order
        subject = self._gatherer.subject(msgspec.structs.replace(own, cases=tuple(cases)))
        seen = {
            case: Fresh(view=canonical_hash(view), ok=subject.judge.decide(view).ok)
            for case, view in subject.views.items()
        }
        return msgspec.json.encode(seen)

    def close(self) -> None:
        """End the sandbox."""
        self._gatherer.close()


class Auditor:
    """A worker that examines a task; its payload is `{"task": id, "runs": its fresh runs}`."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._checks = checks(tuple(settings["checks"]))
        self._gatherer = OwnGatherer(load(Path(settings["suite"])))

    def compute(self, payload: Mapping[str, Any]) -> bytes:
        """What each check saw of it, as JSON."""
        runs = msgspec.convert(payload["runs"], dict[str, tuple[Fresh, ...]])
        subject = self._gatherer.subject(self._gatherer.suite.task(payload["task"]), runs)
        return msgspec.json.encode([self._examine(check, subject) for check in self._checks])

    def _examine(self, check: Check, subject: Subject) -> Examined:
        if check.name == _OF_RECORDS and self._gatherer.suite.records is None:
            return Examined(check=check.name, task=subject.task.id, passed=0)
        return check.examine(subject)

    def close(self) -> None:
        """End the sandbox."""
        self._gatherer.close()


def fresh_runs(
    suite: OwnSuite, ledger: Path, *, runs: int = 2, workers: int | None = None, said: Progress = silent
) -> dict[str, dict[str, tuple[Fresh, ...]]]:
    """Task id → case id → what each of `runs` looks saw, each in processes and with a hash seed of its own."""
    found: dict[str, dict[str, list[Fresh]]] = defaultdict(lambda: defaultdict(list))
    for number in range(runs):
        units = [_unit(suite, own.task.id, number) for own in suite.tasks]
        job = Job(
            entry=f"{__name__}:Observer",
            settings={"suite": str(suite.path.resolve())},
            at_once=1,
            environment={"PYTHONHASHSEED": str(number + 1)},
        )
        LocalExecutor(workers).run(job, units, ledger, said)
        with Ledger(ledger) as opened:
            results = opened.results([unit.key for unit in units])
        for unit in units:
            for case, seen in msgspec.json.decode(results[unit.key], type=dict[str, Fresh]).items():
                found[unit.payload[0]][case].append(seen)
    return {task: {case: tuple(seen) for case, seen in cases.items()} for task, cases in found.items()}


def _unit(suite: OwnSuite, task: str, number: int) -> Unit:
    return Unit(key=canonical_hash([__version__, suite.hash, task, number]), payload=(task, number))
