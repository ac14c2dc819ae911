"""Upstream's own checkers, asked about every case that stayed: whole tasks at a time, spread over processes.

Nothing they say changes a suite: labels were fixed and the reference had decided before the first of them is asked.
An interrupted build asks only what was not answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from verifierbench.core import Candidate, Inconsistent, SourceChecker, SourceRecord, canonical_hash
from verifierbench.execution import Job, Ledger, LocalExecutor, Unit
from verifierbench.sources import checker_for

from .collect import Progress
from .judge import hand_over, handed_over, version_here
from .store import candidate_hash
from .workshop import ASKED


def ask(kept: Sequence[Candidate], workshop: Path, workers: int, say: Progress) -> tuple[SourceRecord, ...]:
    """What each task's source's own checker says of its cases; nothing for sources that come with none."""
    asked = _with_checkers(kept)
    hand_over([candidate for candidate, _ in asked], workshop)
    ledger = workshop / ASKED
    units = [Unit(key=_key(candidate, version), payload=number) for number, (candidate, version) in enumerate(asked)]
    job = Job(entry=f"{__name__}:Asker", settings={"workshop": str(workshop)}, at_once=1)
    if units:
        told = LocalExecutor(workers).run
        told(job, units, ledger, lambda done, total, _note: say("asking the sources' own checkers", done, total))
    with Ledger(ledger) as answers:
        return tuple(record for unit in units for record in _records(answers.result(unit.key)))


class Asker:
    """A worker that asks about candidates by their number in the list."""

    def __init__(self, settings: dict[str, str]) -> None:
        self._candidates = tuple(handed_over(Path(settings["workshop"])))
        self._checkers: dict[str, SourceChecker] = {}

    def compute(self, payload: int) -> bytes:
        """Ask about every case of one candidate."""
        candidate = self._candidates[payload]
        checker = self._checker(candidate.task.source)
        return msgspec.json.encode(
            [
                SourceRecord(
                    case=case.id,
                    case_hash=case.content_hash,
                    checker_version=checker.version,
                    decision=checker.decide(candidate.task, case.content),
                )
                for case in candidate.cases
            ]
        )

    def close(self) -> None:
        """End the checkers' processes."""
        for checker in self._checkers.values():
            checker.close()

    def _checker(self, source: str) -> SourceChecker:
        if source not in self._checkers:
            found = checker_for(source)
            if found is None:
                raise Inconsistent(f"source {source!r} had a checker when the work was handed out")
            self._checkers[source] = found
        return self._checkers[source]


def _with_checkers(kept: Sequence[Candidate]) -> list[tuple[Candidate, str]]:
    """The candidates whose source has a checker, by source, each with the checker's version."""
    versions: dict[str, str | None] = {}
    for source in {candidate.task.source for candidate in kept}:
        checker = checker_for(source)
        versions[source] = checker.version if checker is not None else None
        if checker is not None:
            checker.close()
    ranked = sorted(kept, key=lambda candidate: candidate.task.source)
    return [(candidate, version) for candidate in ranked if (version := versions[candidate.task.source]) is not None]


def _key(candidate: Candidate, version: str) -> str:
    return candidate_hash(candidate) + canonical_hash([version, version_here(candidate.task)])[:16]


def _records(stored: bytes | None) -> list[SourceRecord]:
    if stored is None:
        raise Inconsistent("the executor returned without an answer about a candidate")
    return msgspec.json.decode(stored, type=list[SourceRecord])
