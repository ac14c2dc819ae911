"""Cases seen again (`sampling` says which): in fresh processes, from a reset state, in another order each time.

A run shares nothing with another but the suite on disk. It has processes of its own, with a hash seed of their own;
each piece of work opens its task's environment anew and never looks at recorded evidence; tasks and cases come in an
order shuffled by the run's number. Within a piece a request that several cases share is executed once. What the clock
stopped, or our machinery failed to do, is tried again by the executor and never counts as a difference.

Results go to a ledger under the hash of all they depend on, so that a second audit of the same suite runs nothing.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from verifierbench import __version__
from verifierbench.core import (
    JSON,
    Case,
    Environment,
    EnvironmentRefusal,
    Family,
    Inconsistent,
    InfrastructureError,
    Task,
    canonical_bytes,
    canonical_hash,
)
from verifierbench.core.files import decode_lines
from verifierbench.environments.cached import canonical, observe, timed_out
from verifierbench.execution import Job, Ledger, LocalExecutor, Progress, Unit, silent
from verifierbench.families import family, view
from verifierbench.scoring import environment_version
from verifierbench.sources import environment_for
from verifierbench.suite import read_tasks

from .judges import TreeJudge
from .sampling import seen_again
from .subject import Fresh

_CASES = "hidden/cases.jsonl"
_AT_ONCE = {Family.CODE: 6, Family.STATE: 40, Family.TOOL_CALL: 100}
"""Cases in one piece of work, else 40: a second or two, so that no core idles long at the end."""

Runs = dict[str, dict[str, tuple[Fresh, ...]]]
"""Task id → case id → what each run saw."""


def digest(seen: JSON) -> str:
    """What `Fresh.view` holds of a view."""
    return canonical_hash(seen)


def fresh_runs(
    suite: Path,
    tasks: Sequence[Task],
    ledger: Path,
    *,
    runs: int = 2,
    workers: int | None = None,
    said: Progress = silent,
) -> Runs:
    """Observe the cases of some of a suite's tasks `runs` times, computing only what the ledger lacks.

    `said` counts pieces of work over all runs. Raises `Unavailable` where an environment cannot run here, and
    `InfrastructureError` where it keeps failing.
    """
    cases = _cases(suite, tasks)
    versions = {task.id: environment_version(task) for task in tasks}
    shuffled = [_units(number, tasks, cases, versions) for number in range(runs)]
    total, before = sum(map(len, shuffled)), 0
    for number, units in enumerate(shuffled):
        # One call each: the executor ends its processes with it.
        LocalExecutor(workers).run(_job(suite, number), units, ledger, _counted(said, before, total))
        before += len(units)
    return _collected([unit for units in shuffled for unit in units], ledger)


class Observer:
    """A worker that looks at cases afresh; its payload is a task's id and some of its cases' ids, in order."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        suite = Path(settings["suite"])
        self._tasks = {task.id: task for task in read_tasks(suite)}
        self._cases = {case.id: case for case in decode_lines(suite / _CASES, Case)}

    def compute(self, payload: tuple[str, list[str]]) -> bytes:
        """Case id → `Fresh`, as JSON."""
        name, cases = payload
        task = self._tasks[name]
        environment = environment_for(task) if task.environment else None
        try:
            seen = observed(task, [self._cases[case] for case in cases], environment)
            return msgspec.json.encode(dict(seen))
        finally:
            if environment is not None:
                environment.close()

    def close(self) -> None:
        """Nothing to release: environments are closed with their piece of work."""


def observed(task: Task, cases: Sequence[Case], environment: Environment | None) -> Iterator[tuple[str, Fresh]]:
    """Look at cases in their order; raises `InfrastructureError` for what the clock stopped."""
    definition = family(task.family)
    judge, execute = TreeJudge.of(task.reference, definition), Afresh(environment).execute
    for case in cases:
        seen = view(definition, task.reference, case.content, execute)
        yield case.id, Fresh(view=digest(seen), ok=judge.decide(seen).ok)


class Afresh:
    """An environment that remembers what it was asked since it was opened, and nothing from before."""

    def __init__(self, environment: Environment | None) -> None:
        self._environment = environment
        self._answers: dict[bytes, Any] = {}

    def execute(self, request: Any) -> Any:
        """Answer as a verifier would be answered; raises `EnvironmentRefusal` and `InfrastructureError`."""
        if self._environment is None:
            raise Inconsistent(f"a reference asks for a run, but its task has no environment: {request!r}")
        request = canonical(request)
        key = canonical_bytes(request)
        if key not in self._answers:
            self._answers[key] = observe(self._environment, request)
        evidence = self._answers[key]
        if timed_out(evidence):
            raise InfrastructureError("a command was stopped by the clock, so that nothing is known of its case")
        if evidence.refused:
            raise EnvironmentRefusal(evidence.answer)
        return evidence.answer


def _counted(said: Progress, before: int, total: int) -> Progress:
    """Progress of one run as part of all."""
    return lambda done, _, note: said(before + done, total, note)


def _job(suite: Path, number: int) -> Job:
    # Python takes hash seeds up to 2^32 - 1; 0 would switch hashing's randomness off.
    return Job(
        entry=f"{__name__}:Observer",
        settings={"suite": str(suite.resolve())},
        at_once=4,
        environment={"PYTHONHASHSEED": str(number + 1)},
    )


def _cases(suite: Path, tasks: Sequence[Task]) -> dict[str, list[Case]]:
    cases = list(decode_lines(suite / _CASES, Case))
    wanted = seen_again(tasks, cases)
    found: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        if case.id in wanted.get(case.task, ()):
            found[case.task].append(case)
    return found


def _units(
    number: int, tasks: Sequence[Task], cases: Mapping[str, Sequence[Case]], versions: Mapping[str, str | None]
) -> list[Unit]:
    """All pieces of one run, in its order."""
    shuffle = random.Random(f"fresh run {number}")  # noqa: S311  # an order, no secret
    units = []
    for task in tasks:
        mine = list(cases[task.id])
        shuffle.shuffle(mine)
        size = _AT_ONCE.get(task.family, 40)
        pieces = [mine[start : start + size] for start in range(0, len(mine), size)]
        units += [_unit(number, task, piece, versions[task.id]) for piece in pieces]
    shuffle.shuffle(units)
    return units


def _unit(number: int, task: Task, cases: Sequence[Case], version: str | None) -> Unit:
    about: JSON = [
        number,
        __version__,
        task.id,
        task.public_hash,
        task.reference.hash,
        family(task.family).checks_version,
        version,
        [[case.id, case.content_hash] for case in cases],
    ]
    return Unit(key=canonical_hash(about), payload=(task.id, [case.id for case in cases]))


def _collected(units: Sequence[Unit], ledger: Path) -> Runs:
    with Ledger(ledger) as opened:
        results = opened.results([unit.key for unit in units])
    found: dict[str, dict[str, list[Fresh]]] = defaultdict(lambda: defaultdict(list))
    for unit in units:
        task = unit.payload[0]
        for case, seen in msgspec.json.decode(results[unit.key], type=dict[str, Fresh]).items():
            found[task][case].append(seen)
    return {task: {case: tuple(seen) for case, seen in cases.items()} for task, cases in found.items()}
