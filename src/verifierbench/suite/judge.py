"""The reference's decision on every case of every candidate, spread over processes.

A process takes whole tasks, so an environment is opened once per task and its evidence lands in the one cache. What an
environment cannot do on this machine is the candidate's reason for exclusion; infrastructure that fails is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from verifierbench import __version__
from verifierbench.core import (
    Candidate,
    Case,
    Environment,
    Inconsistent,
    Record,
    Task,
    Unavailable,
    Verdict,
    canonical_hash,
)
from verifierbench.core.files import decode_lines, encode_lines, write_atomically
from verifierbench.environments import CachedEnvironment, EvidenceCache
from verifierbench.execution import Job, Ledger, LocalExecutor, Unit
from verifierbench.families import decide, family
from verifierbench.sources import environment_for

from .materials import Shelf, write_materials
from .store import Excluded, candidate_hash
from .workshop import JUDGED, LISTED

UNAVAILABLE = "environment_unavailable"
"""Why a candidate is excluded that another machine, or this one later, may be able to judge."""


class Judged(NamedTuple):
    """A candidate with the reference's decisions, or the reason it cannot stay."""

    candidate: Candidate
    records: tuple[Record, ...]
    excluded: Excluded | None


def judge(
    candidates: Sequence[Candidate], workshop: Path, workers: int, said: Callable[[int, int], None]
) -> tuple[Judged, ...]:
    """Judge candidates, in their order; resumes what an interrupted build had decided in the same workshop.

    Tasks with an environment go first, being the slow ones.
    """
    hand_over(candidates, workshop)
    ledger = workshop / JUDGED
    with Ledger(ledger) as earlier:
        keys = [_open_key(_key(candidate), earlier) for candidate in candidates]
    order = sorted(range(len(candidates)), key=lambda index: candidates[index].task.environment is None)
    units = [Unit(key=keys[index], payload=index) for index in order]
    job = Job(entry=f"{__name__}:Judge", settings={"workshop": str(workshop)}, at_once=1)
    LocalExecutor(workers).run(job, units, ledger, lambda done, total, _note: said(done, total))
    with Ledger(ledger) as finished:
        outcomes = [_outcome(finished.result(key)) for key in keys]
    return tuple(Judged(candidate, *outcome) for candidate, outcome in zip(candidates, outcomes, strict=True))


class Judge:
    """A worker that judges candidates by their number in the list."""

    def __init__(self, settings: dict[str, str]) -> None:
        workshop = Path(settings["workshop"])
        self._candidates = tuple(handed_over(workshop))
        self._evidence = workshop / "hidden/evidence.sqlite"

    def compute(self, payload: int) -> bytes:
        """Judge one candidate; the result is its records and, if it cannot stay, why."""
        judged = judge_one(self._candidates[payload], self._evidence)
        return msgspec.json.encode((judged.records, judged.excluded))

    def close(self) -> None:
        """Nothing to release: environments are closed with their task."""


def hand_over(candidates: Sequence[Candidate], workshop: Path) -> None:
    """Write candidates for the workers, with what they share written once."""
    write_materials(workshop, [candidate.task for candidate in candidates])
    stored = (msgspec.structs.replace(one, task=one.task.stored) for one in candidates)
    write_atomically(workshop / LISTED, encode_lines(stored))


def handed_over(workshop: Path) -> Iterator[Candidate]:
    """The candidates that were written for the workers, with all contents."""
    shelf = Shelf(workshop)
    for candidate in decode_lines(workshop / LISTED, Candidate):
        yield msgspec.structs.replace(candidate, task=shelf.filled(candidate.task))


def _key(candidate: Candidate) -> str:
    """What a decision depends on: the candidate, this program, and the environment as it is installed now."""
    about = [__version__, version_here(candidate.task)]
    return candidate_hash(candidate) + canonical_hash(about)[:16]


def version_here(task: Task) -> str | None:
    """Version of a task's environment on this machine; None where it has none, or none that can be had here."""
    try:
        environment = environment_for(task)
        return environment.version if environment is not None else None
    except Unavailable:
        return None


def _open_key(base: str, earlier: Ledger) -> str:
    """A key under which there is no result yet, or one that stands.

    What a machine lacked when a build was interrupted it may have now: such a result stays in the ledger, and the
    candidate is judged again under another key.
    """
    attempt = 0
    while (stored := earlier.result(f"{base}.{attempt}")) is not None and _lacked_something(stored):
        attempt += 1
    return f"{base}.{attempt}"


def _lacked_something(stored: bytes) -> bool:
    excluded = _outcome(stored)[1]
    return excluded is not None and excluded.reason == UNAVAILABLE


def _outcome(stored: bytes | None) -> tuple[tuple[Record, ...], Excluded | None]:
    if stored is None:
        raise Inconsistent("the executor returned without a result for a candidate")
    return msgspec.json.decode(stored, type=tuple[tuple[Record, ...], Excluded | None])


def judge_one(candidate: Candidate, evidence: Path) -> Judged:
    """Decide every case of one candidate."""
    try:
        environment = environment_for(candidate.task)
    except Unavailable as error:
        return _without(candidate, error)
    try:
        with EvidenceCache(evidence) as cache:
            records = tuple(_record(candidate.task, case, environment, cache) for case in candidate.cases)
    except Unavailable as error:
        return _without(candidate, error)
    finally:
        if environment is not None:
            environment.close()
    return Judged(candidate, records, _disagreement(candidate, records))


def _record(task: Task, case: Case, environment: Environment | None, cache: EvidenceCache) -> Record:
    definition = family(task.family)
    execute = _no_environment if environment is None else CachedEnvironment(environment, cache).execute
    finding = decide(definition, task.reference, case.content, execute)
    return Record(
        case=case.id,
        case_hash=case.content_hash,
        task_hash=task.public_hash,
        reference_hash=task.reference.hash,
        environment_version=environment.version if environment is not None else None,
        verdict=Verdict.PASS if finding.ok else Verdict.FAIL,
        failed=tuple(atom.name for atom in finding.failed),
    )


def _no_environment(_request: Any) -> Any:
    raise Unavailable("the task has no public environment, yet its reference asks for one")


def _disagreement(candidate: Candidate, records: tuple[Record, ...]) -> Excluded | None:
    wrong = [
        f"{case.id}: labelled {case.label}, reference {record.verdict} ({', '.join(record.failed) or 'all atoms hold'})"
        for case, record in zip(candidate.cases, records, strict=True)
        if case.label is not record.verdict
    ]
    return _exclude(candidate, "reference_disagrees", tuple(wrong)) if wrong else None


def _without(candidate: Candidate, error: Unavailable) -> Judged:
    return Judged(candidate, (), _exclude(candidate, UNAVAILABLE, (str(error),)))


def _exclude(candidate: Candidate, reason: str, evidence: tuple[str, ...]) -> Excluded:
    return Excluded(task=candidate.task.id, source=candidate.task.source, reason=reason, evidence=evidence)
