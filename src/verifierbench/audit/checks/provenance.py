"""Provenance: every frozen decision is about exactly this case, this task, this reference and this environment.

A record that outlived what it was made from looks like any other. Only its hashes tell, so all of them are computed
again from what is there now, and the decision with them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from verifierbench.core import Case, Record, SourceRecord, Verdict

from ..findings import Check, Examined, Flaw
from ..reproduction import script
from ..subject import Subject

_CONTENT = """
from verifierbench.core import content_hash


def flawed():
    now = content_hash(DATA["content"])
    print("recorded:", DATA["recorded"], " now:", now)
    return now != DATA["recorded"]
"""
_TASK = """
import msgspec
from verifierbench.core import Task


def flawed():
    now = msgspec.convert(DATA["task"], Task).public_hash
    print("recorded:", DATA["recorded"], " now:", now)
    return now != DATA["recorded"]
"""
_LIBRARY = """
from verifierbench.core import Family
from verifierbench.families import family


def flawed():
    now = family(Family(DATA["family"])).checks_version
    print("the reference was written for:", DATA["recorded"], " installed:", now)
    return now != DATA["recorded"]
"""
_VALUES = """
def flawed():
    print("recorded:", DATA["recorded"], " now:", DATA["now"])
    return DATA["recorded"] != DATA["now"]
"""
_COUNT = """
def flawed():
    number = DATA["records"].count(DATA["case"])
    print(DATA["case"], "has", number, "records and should have", int(DATA["case"] in DATA["cases"]))
    return number != int(DATA["case"] in DATA["cases"])
"""
_DECISION = """
from verifierbench.audit import judge_from


def flawed():
    found = judge_from(DATA["judge"]).decide(DATA["view"])
    now = {"verdict": "PASS" if found.ok else "FAIL", "failed": sorted(atom.name for atom in found.failed)}
    print("recorded:", DATA["recorded"], " now:", now)
    return now != DATA["recorded"]
"""

_Any: TypeAlias = Record | SourceRecord


class _Held(NamedTuple):
    """One comparison: what was recorded is what is there now, or a flaw."""

    reason: str
    case: str
    recorded: Any
    now: Any


def _examine(subject: Subject) -> Examined:
    held = list(_comparisons(subject))
    moved = [one for one in held if one.recorded != one.now]
    flaws = [*_counted(subject), *_flaws(subject, moved)]
    return Examined(
        check=CHECK.name,
        task=subject.task.id,
        passed=len(held) - len(moved),
        flaws=tuple(flaws),
        facts={"records": len(subject.records), "source_records": len(subject.source_records)},
    )


def _comparisons(subject: Subject) -> Iterator[_Held]:
    task, cases = subject.task, {case.id: case for case in subject.cases}
    public, content = task.public_hash, {case.id: case.content_hash for case in subject.cases}
    yield _Held("library_moved", "", task.reference.library, subject.family.checks_version)
    for record in subject.records:
        if record.case in cases:
            yield _Held("case_moved", record.case, record.case_hash, content[record.case])
            yield _Held("task_moved", record.case, record.task_hash, public)
            yield _Held("reference_moved", record.case, record.reference_hash, subject.judge.version)
            yield _Held("environment_moved", record.case, record.environment_version, subject.environment_version)
            yield _decision(subject, cases[record.case], record)
    for source in subject.source_records:
        if source.case in cases:
            yield _Held("source_record_moved", source.case, source.case_hash, content[source.case])


def _decision(subject: Subject, case: Case, record: Record) -> _Held:
    finding = subject.finding(case)
    recorded = {"verdict": record.verdict.value, "failed": sorted(record.failed)}
    if finding is None:
        return _Held("not_recomputed", case.id, recorded, None)
    verdict = Verdict.PASS if finding.ok else Verdict.FAIL
    now = {"verdict": verdict.value, "failed": sorted(atom.name for atom in finding.failed)}
    return _Held("verdict_moved" if verdict is not record.verdict else "atoms_moved", case.id, recorded, now)


def _flaws(subject: Subject, moved: Sequence[_Held]) -> Iterator[Flaw]:
    """One for all cases that say the same wrong thing: a task that moved did so once."""
    groups: dict[tuple[str, str], list[_Held]] = defaultdict(list)
    for one in moved:
        shared = one.reason in ("task_moved", "reference_moved", "environment_moved")
        groups[one.reason, str(one.recorded) if shared else one.case].append(one)
    for group in groups.values():
        yield _moved(subject, group)


def _moved(subject: Subject, group: Sequence[_Held]) -> Flaw:
    first, cases = group[0], [one.case for one in group if one.case]
    about = (cases[0] if cases else subject.task.id) + (f" (and {len(cases) - 1} more cases)" if len(cases) > 1 else "")
    says = f"{about}: {CHECK.reasons[first.reason]}; recorded {_short(first.recorded)}, now {_short(first.now)}"
    return Flaw(
        check=CHECK.name,
        reason=first.reason,
        task=subject.task.id,
        case=cases[0] if len(cases) == 1 else "",
        place=_short(first.recorded),
        says=says,
        evidence={"recorded": first.recorded, "now": first.now, "cases": cases},
        reproduction=_reproduction(subject, first, says),
    )


def _reproduction(subject: Subject, one: _Held, says: str) -> str:
    data: dict[str, Any] = {"recorded": one.recorded, "now": one.now}
    if one.reason in ("case_moved", "source_record_moved"):
        content = next(case.content for case in subject.cases if case.id == one.case)
        return script(says, {**data, "content": content}, _CONTENT)
    if one.reason == "task_moved":
        return script(says, {**data, "task": msgspec.to_builtins(subject.task.stored)}, _TASK)
    if one.reason == "library_moved":
        return script(says, {**data, "family": subject.task.family.value}, _LIBRARY)
    if one.reason in ("verdict_moved", "atoms_moved"):
        view = subject.views[one.case]
        return script(says, {**data, "judge": subject.judge.spec(view), "view": view}, _DECISION)
    return script(says, data, _VALUES)


def _counted(subject: Subject) -> Iterator[Flaw]:
    """Records that are missing, there twice, or about a case nobody knows; upstream's are complete or absent."""
    known = [case.id for case in subject.cases]
    yield from _miscounted(subject, subject.records, known, _RECORDS)
    if subject.source_records:
        yield from _miscounted(subject, subject.source_records, known, _SOURCE_RECORDS)


_RECORDS = {"none": "missing_record", "more": "repeated_record", "stray": "extra_record"}
_SOURCE_RECORDS = {kind: f"source_{reason}" for kind, reason in _RECORDS.items()}


def _miscounted(
    subject: Subject, records: Sequence[_Any], known: Sequence[str], reasons: Mapping[str, str]
) -> Iterator[Flaw]:
    names = [record.case for record in records]
    numbers = Counter(names)
    wrong = {case: "none" if not numbers[case] else "more" for case in known if numbers[case] != 1}
    wrong |= dict.fromkeys(set(numbers).difference(known), "stray")
    for case, kind in sorted(wrong.items()):
        says = f"{case}: {CHECK.reasons[reasons[kind]]} ({numbers[case]} found)"
        yield Flaw(
            check=CHECK.name,
            reason=reasons[kind],
            task=subject.task.id,
            case=case,
            says=says,
            evidence={"records": numbers[case], "known": case in known},
            reproduction=script(says, {"case": case, "records": names, "cases": known}, _COUNT),
        )


def _short(value: Any) -> str:
    return value[:12] if isinstance(value, str) else str(value)


CHECK = Check(
    name="provenance",
    question="Is every frozen decision about exactly this case, task, reference and environment?",
    prose="""
The suite holds the reference's decision on every case, with hashes of all it was made from: the case's content, the
public task, the reference and its library of checks, the environment's version. Provenance computes each of them again
from what the suite holds and this machine has installed, lets the reference decide again on the recorded evidence, and
compares. Every case must have exactly one such record, and no record may be about a case that is not there. What an
upstream checker said of a case is tied to the case's content in the same way.

A flaw says that something was edited, replaced or updated after the decision was recorded, and its reason says what:
the case, the task, the reference, its library, or the environment. Build the suite again, which records new decisions
from the start; a score made on the old records and one made on the new ones are not about the same thing.

`verdict_moved` and `atoms_moved` are the strongest: all parts may be in place, and still the recorded decision is not
what the reference decides.

Provenance cannot see a change that was made everywhere at once, records included. For that there is the suite's
lock, which a maintainer publishes.
""",
    reasons={
        "case_moved": "the case's content is not what the decision was recorded for",
        "task_moved": "the public task is not what the decision was recorded for",
        "reference_moved": "the reference is not the one whose decision was recorded",
        "library_moved": "the reference was written for another version of its family's library of checks",
        "environment_moved": "the environment installed here is not the one the decision was recorded with",
        "verdict_moved": "the reference now decides otherwise than was recorded",
        "atoms_moved": "the reference decides as recorded, but other atoms are not satisfied",
        "not_recomputed": "nothing is recorded of what a verifier would see, so the decision cannot be made again",
        "missing_record": "no decision of the reference is recorded for the case",
        "repeated_record": "more than one decision of the reference is recorded for the case",
        "extra_record": "a decision is recorded for a case the task does not have",
        "source_record_moved": "the case's content is not what the upstream checker's decision was recorded for",
        "source_missing_record": "the upstream checker decided the task's other cases, but not this one",
        "source_repeated_record": "more than one decision of the upstream checker is recorded for the case",
        "source_extra_record": "an upstream decision is recorded for a case the task does not have",
    },
    examine=_examine,
)
