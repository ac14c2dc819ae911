"""From a brought suite to the subjects of its audit, and to the records it may be frozen with.

Views are made from the suite's own evidence. A case whose evidence is missing has no view, and replay says so. There
is no source behind such a suite: no checker of an upstream, no ledger of defects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from verifierbench.audit.ladder import ladder
from verifierbench.audit.subject import Fresh, Judge, Subject
from verifierbench.core import (
    Case,
    Check,
    Family,
    Inconsistent,
    Node,
    Record,
    Reference,
    UserError,
    Verdict,
)
from verifierbench.core.files import encode_lines, write_atomically
from verifierbench.families import family, view

from . import library
from .own import OwnSuite, OwnTask
from .program import NO_DECISION, ProgramJudge, Runner
from .read import RECORDS, load
from .recorded import Recorded, Unrecorded


class OwnGatherer:
    """Subjects of one brought suite; use as a context, a sandbox may stay open meanwhile."""

    def __init__(self, suite: OwnSuite) -> None:
        """Run the suite's `checks.py`, if it has one; raises `MalformedInput` for what it raises."""
        self.suite, self._runner = suite, Runner()
        self._checks: dict[str, Check] = {}
        if suite.library:
            self._checks = library.run(suite.library, suite.path / library.CHECKS)

    def subject(self, own: OwnTask, runs: Mapping[str, tuple[Fresh, ...]] | None = None) -> Subject:
        """Everything a check may look at of one task; raises `MalformedInput` where a check cannot be used as asked."""
        definition = self._definition(own)
        evidence = None if own.evidence is None else Recorded(own.evidence)
        subject = Subject(
            task=own.task,
            cases=own.cases,
            family=definition,
            judge=self._judge(own, definition, evidence),
            views=_views(own, definition, evidence),
            records=tuple(one for one in self.suite.records or () if one.case.partition("#")[0] == own.task.id),
            environment_version=None if evidence is None else evidence.version,
            runs=runs or {},
            ladder=(*ladder(own.task.family), *self.suite.ladder),
            execute=None if evidence is None else evidence.execute,
        )
        for case in own.cases:
            subject.finding(case)
        return subject

    def close(self) -> None:
        """End the sandbox, if one was needed."""
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _definition(self, own: OwnTask) -> library.OwnFamily:
        made = library.OwnFamily(
            family(own.task.family),
            schema=own.schema,
            conventions=own.conventions,
            own=self.suite.library,
            checks=self._checks,
        )
        made.checks = library.careful(made, own.reference, self._checks)
        if own.program is not None:
            made.checks_version = own.task.reference.library  # what decides is the program, and nothing beside it
        return made

    def _judge(self, own: OwnTask, definition: library.OwnFamily, evidence: Recorded | None) -> Judge:
        version = own.task.reference.hash
        if own.program is not None:
            return ProgramJudge(own.program, own.task, evidence, self._runner, version)
        return library.tree_judge(own.task.reference.root, definition, version, self.suite.library)


@contextmanager
def subjects(directory: Path) -> Iterator[tuple[Subject, ...]]:
    """All subjects of a brought suite, with the sandbox that their judges may need open meanwhile."""
    with OwnGatherer(load(directory)) as gatherer:
        yield tuple(gatherer.subject(own) for own in gatherer.suite.tasks)


def freeze(directory: Path) -> int:
    """Write `records.jsonl`: what the reference decides of every case now; returns how many.

    Raises `UserError` where a case cannot be decided: such a suite has nothing to be frozen yet.
    """
    with subjects(directory) as found:
        records = [_record(subject, case) for subject in found for case in subject.cases]
    write_atomically(directory / RECORDS, encode_lines(records))
    return len(records)


def judge_from(spec: Mapping[str, Any]) -> Judge:
    """The judge of a brought task that a `spec` describes: a program, or a tree with checks of the suite's own."""
    if "program" in spec:
        return ProgramJudge.from_spec(spec)
    own = library.run(spec["library"], Path(library.CHECKS))
    definition = library.OwnFamily(family(Family(spec["family"])), own=spec["library"], checks=own)
    return library.LibraryJudge(msgspec.convert(spec["tree"], Node), definition, "", spec["library"])


def _views(own: OwnTask, definition: library.OwnFamily, evidence: Recorded | None) -> dict[str, Any]:
    """The view of each case; a case that asks for what is not recorded is left out."""
    reference = own.task.reference if own.program is None else Reference(root=own.task.reference.root)

    def execute(request: Any) -> Any:
        if evidence is None:
            raise Inconsistent(f"{own.task.id}: a reference with probes was read without evidence")
        try:
            return evidence.execute(request)
        except Unrecorded as error:
            raise _NoEvidence from error

    found: dict[str, Any] = {}
    for case in own.cases:
        try:
            found[case.id] = view(definition, reference, case.content, execute)
        except _NoEvidence:
            continue
    return found


class _NoEvidence(Exception):
    """A probe of this case was never recorded."""


def _record(subject: Subject, case: Case) -> Record:
    finding = subject.finding(case)
    if finding is None:
        raise UserError(
            f"{case.id}: evidence.jsonl does not hold what its reference asks for, so nothing can be frozen"
        )
    if silent := [atom.name for atom in finding.failed if atom.check == NO_DECISION]:
        raise UserError(f"{case.id}: the reference decides nothing ({silent[0]}), so nothing can be frozen")
    return Record(
        case=case.id,
        case_hash=case.content_hash,
        task_hash=subject.task.public_hash,
        reference_hash=subject.judge.version,
        environment_version=subject.environment_version,
        verdict=Verdict.PASS if finding.ok else Verdict.FAIL,
        failed=tuple(atom.name for atom in finding.failed),
    )
