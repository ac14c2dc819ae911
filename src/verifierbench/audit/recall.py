"""Recall on real defects: BFCL's own checker in the reference's place, audited like any reference.

The audit does not know it is being tested: it gets the suite's tasks and cases with the checker's recorded decisions as
the judge, and whatever it finds is attributed, by the source's ledger, to a defect that had been reproduced elsewhere.
A defect that no case touches is not found, and a defect that no task of the suite can meet is out of reach: both
shares are told, because the first judges the audit with its suite and the second the audit with its cases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from verifierbench.core import Decision, Task, UserError
from verifierbench.measures import exact_interval
from verifierbench.scoring import PublicEnvironments
from verifierbench.suite import Suite

from .checks import checks
from .findings import Flaw
from .gather import Gatherer
from .judges import RecordedJudge
from .subject import Subject

if TYPE_CHECKING:
    from verifierbench.sources.bfcl.reach import Known

SOURCE = "bfcl"
CHECKS = ("replay", "consistency", "baselines", "potency")
"""The checks that can be asked of a judge without named parts; the others need a tree, its records or fresh runs."""


class _Found(NamedTuple):
    """A flaw, and the entry of the ledger that explains it; empty where none does."""

    flaw: Flaw
    entry: str


def recall(suite: Suite, environments: PublicEnvironments) -> dict[str, Any]:
    """Which reproduced defects of BFCL's checker the audit finds; plain JSON, shares in [0, 1].

    Raises `UserError` where the suite has no decision of that checker.
    """
    from verifierbench.sources.bfcl.reach import KNOWN

    gatherer = Gatherer(suite, environments)
    tasks = [task for task in suite.tasks if task.source == SOURCE]
    subjects = [opaque(subject) for task in tasks if (subject := gatherer.subject(task)).source_records]
    if not subjects:
        raise UserError(f"the suite has no decision of {SOURCE}'s checker: build it with `--source {SOURCE}`")
    found = [each for subject in subjects for each in _found(subject)]
    defects = {known.id: _defect(known, [subject.task for subject in subjects], found) for known in KNOWN}
    mine = {entry for known in KNOWN for entry in (known.id, *known.entries)}
    entries = Counter(each.entry for each in found if each.entry)
    return {
        "checker": subjects[0].judge.version,
        "checks": list(CHECKS),
        "tasks": len(subjects),
        "cases": sum(len(subject.cases) for subject in subjects),
        "flaws": {name: sum(each.flaw.check == name for each in found) for name in CHECKS},
        "unattributed": [each.flaw.says for each in found if not each.entry],
        "defects": defects,
        "beyond": {entry: count for entry, count in sorted(entries.items()) if entry not in mine},
        "recall": _share(list(defects.values())),
        "recall_in_reach": _share([each for each in defects.values() if each["in_reach"]]),
    }


def opaque(subject: Subject) -> Subject:
    """The subject with its source's recorded decisions in the reference's place, and the cases they are about."""
    verdicts = {record.case_hash: record.decision.verdict for record in subject.source_records}
    version = next((record.checker_version for record in subject.source_records), "")
    decided = tuple(case for case in subject.cases if case.content_hash in verdicts)
    return msgspec.structs.replace(subject, judge=RecordedJudge(verdicts, version), cases=decided)


def _found(subject: Subject) -> Iterator[_Found]:
    """Every flaw of a subject with what explains it."""
    decisions = {record.case: record.decision for record in subject.source_records}
    for check in checks(CHECKS):
        for flaw in check.examine(subject).flaws:
            yield _Found(flaw, _entry(subject, decisions, flaw))


def _entry(subject: Subject, decisions: Mapping[str, Decision], flaw: Flaw) -> str:
    """The ledger is asked about the case that a flaw names; a flaw about none is nobody's."""
    case = next((case for case in subject.cases if case.id == flaw.case), None)
    if case is None or case.id not in decisions:
        return ""
    why = subject.explain(case, decisions[case.id])
    return "" if why is None else why.defect


def _defect(known: Known, tasks: Sequence[Task], found: Sequence[_Found]) -> dict[str, Any]:
    mine = [each.flaw for each in found if each.entry in (known.id, *known.entries)]
    reached = [task for task in tasks if known.meets(task)]
    touched = {flaw.task for flaw in mine}
    return {
        "what": known.what,
        "reproduced": True,
        "in_reach": bool(reached),
        "found": len(mine),
        "example": mine[0].says if mine else None,
        "tasks_in_reach": len(reached),
        "tasks_found": len(touched),
        "missed": [_untouched(known, task) for task in reached if task.id not in touched],
    }


def _untouched(known: Known, task: Task) -> dict[str, Any]:
    """A task that could show a defect and has no case that does, with what such a case would say."""
    from verifierbench.sources.bfcl.reach import exposing

    for place, value in exposing(known, task):
        return {"task": task.id, "call": place.call, "argument": place.argument, "value": value}
    return {"task": task.id}


def _share(defects: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Found of all, with its 95 % Clopper–Pearson interval; None where there is none to find."""
    found, total = sum(bool(each["found"]) for each in defects), len(defects)
    interval = exact_interval(found, total)
    return {
        "found": found,
        "of": total,
        "share": found / total if total else None,
        "interval": None if interval is None else list(interval),
    }
