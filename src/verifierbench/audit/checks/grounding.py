"""Grounding: every label stands on words of the public material, and every requirement is tried from both sides.

A clause nobody violates is never tested, and a clause whose freedom nobody uses lets an over-strict verifier look
right. A FAIL that cites one clause while the reference sees another broken is right by accident.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from verifierbench.core import Atom, Case, Span, Verdict, atoms
from verifierbench.suite import span_occurs

from ..findings import Check, Examined, Flaw
from ..reproduction import script
from ..subject import Subject

_USED = """
def flawed():
    cases = [case for case in DATA["cases"] if case["label"] == DATA["label"] and DATA["clause"] in case["grounds"]]
    print(DATA["label"], "cases that name the clause", DATA["clause"] + ":", [case["id"] for case in cases] or "none")
    return not cases
"""
_SPAN = """
import msgspec
from verifierbench.core import Span, Task
from verifierbench.suite import span_occurs


def flawed():
    occurs = span_occurs(msgspec.convert(DATA["task"], Task), msgspec.convert(DATA["span"], Span))
    print("cited:", DATA["span"], " occurs:", occurs)
    return not occurs
"""
_KNOWN = """
def flawed():
    print("named:", DATA["named"] or "nothing", " there is:", DATA["known"])
    return not DATA["named"] or not set(DATA["named"]) <= set(DATA["known"])
"""
_ENFORCED = """
def flawed():
    print("clause:", DATA["clause"], " enforced by atoms:", DATA["enforced"])
    return DATA["clause"] not in DATA["enforced"]
"""
_WRONG = """
from verifierbench.audit import judge_from


def flawed():
    found = judge_from(DATA["judge"]).decide(DATA["view"])
    broken = {atom.clause for atom in found.failed}
    print("cited:", DATA["cited"], " broken where the reference looks:", sorted(broken))
    return bool(broken) and not broken & set(DATA["cited"])
"""


class _Assertion(NamedTuple):
    """One thing that must hold of a clause, an atom or a case."""

    holds: bool
    reason: str
    case: str
    place: str
    data: Callable[[], dict[str, Any]]
    """What the reproduction carries; made only where it is needed, for it may hold the whole task."""


def _examine(subject: Subject) -> Examined:
    made = [*_clauses(subject), *_atoms(subject), *_cases(subject)]
    return Examined(
        check=CHECK.name,
        task=subject.task.id,
        passed=sum(one.holds for one in made),
        flaws=tuple(_flaw(subject, one) for one in made if not one.holds),
        facts={"clauses": len(subject.task.clauses)},
    )


def _clauses(subject: Subject) -> Iterator[_Assertion]:
    """Each stands on words that are there, and is violated and used by cases."""
    named = {label: _named(subject.cases, label) for label in Verdict}
    for clause in subject.task.clauses:
        yield _Assertion(bool(clause.spans), "no_span", "", clause.id, partial(_listed, [], [clause.id]))
        for span in clause.spans:
            occurs = span_occurs(subject.task, span)
            yield _Assertion(occurs, "span_missing", "", clause.id, partial(_cited, subject, span))
        for label, reason in ((Verdict.FAIL, "clause_never_violated"), (Verdict.PASS, "clause_without_freedom")):
            used = clause.id in named[label]
            data = partial(_grounds, subject.cases, label, clause.id)
            yield _Assertion(used, reason, "", clause.id, data)


def _atoms(subject: Subject) -> Iterator[_Assertion]:
    """Clauses and atoms belong to each other, none without its counterpart."""
    found, known = atoms(subject.task.reference.root), [clause.id for clause in subject.task.clauses]
    enforced = sorted({atom.clause for atom in found})
    for clause in known:
        data = partial(_enforced, clause, enforced)
        yield _Assertion(clause in enforced, "clause_unenforced", "", clause, data)
    for atom in found:
        yield _Assertion(atom.clause in known, "atom_unknown", "", atom.name, partial(_listed, [atom.clause], known))


def _cases(subject: Subject) -> Iterator[_Assertion]:
    """Each names clauses there are, and a wrong one breaks what it names where the reference sees it."""
    known = [clause.id for clause in subject.task.clauses]
    for case in subject.cases:
        cited = [ground.clause for ground in case.grounds]
        yield _Assertion(bool(cited), "no_ground", case.id, "", partial(_listed, [], known))
        for clause in cited:
            yield _Assertion(clause in known, "ground_unknown", case.id, clause, partial(_listed, [clause], known))
        if case.label is Verdict.FAIL and (failed := _failed(subject, case)):
            broken = sorted({atom.clause for atom in failed})
            right = not set(broken).isdisjoint(cited)
            data = partial(_wrong, subject, case, cited, broken)
            yield _Assertion(right, "wrong_ground", case.id, ", ".join(broken), data)


def _named(cases: Sequence[Case], label: Verdict) -> frozenset[str]:
    return frozenset(ground.clause for case in cases if case.label is label for ground in case.grounds)


def _failed(subject: Subject, case: Case) -> tuple[Atom, ...]:
    """Atoms that reject a case; none where there is no evidence, or where it is accepted, which is replay's to say."""
    finding = subject.finding(case)
    return () if finding is None or finding.ok else finding.failed


def _listed(named: Sequence[str], known: Sequence[str]) -> dict[str, Any]:
    return {"named": list(named), "known": list(known)}


def _cited(subject: Subject, span: Span) -> dict[str, Any]:
    """The task, of whose materials only the cited one needs its content."""
    materials = tuple(one if one.name == span.material else one.stored for one in subject.task.materials)
    task = msgspec.structs.replace(subject.task, materials=materials)
    return {"task": msgspec.to_builtins(task), "span": msgspec.to_builtins(span)}


def _grounds(cases: Sequence[Case], label: Verdict, clause: str) -> dict[str, Any]:
    rows = [
        {"id": case.id, "label": case.label.value, "grounds": [ground.clause for ground in case.grounds]}
        for case in cases
    ]
    return {"clause": clause, "label": label.value, "cases": rows}


def _enforced(clause: str, enforced: Sequence[str]) -> dict[str, Any]:
    return {"clause": clause, "enforced": list(enforced)}


def _wrong(subject: Subject, case: Case, cited: Sequence[str], broken: Sequence[str]) -> dict[str, Any]:
    view = subject.views[case.id]
    notes = [ground.note for ground in case.grounds]
    seen = {"cited": list(cited), "broken": list(broken), "notes": notes}
    return {**seen, "judge": subject.judge.spec(view), "view": view}


def _flaw(subject: Subject, one: _Assertion) -> Flaw:
    data = one.data()
    about = ", ".join(filter(None, (one.case or subject.task.id, one.place and f"{_PLACES[one.reason]} {one.place}")))
    says = f"{about}: {CHECK.reasons[one.reason]}"
    return Flaw(
        check=CHECK.name,
        reason=one.reason,
        task=subject.task.id,
        case=one.case,
        place=one.place,
        says=says,
        evidence={name: value for name, value in data.items() if name not in _HEAVY},
        reproduction=script(says, data, _BODIES[one.reason]),
    )


_HEAVY = ("task", "judge", "view", "cases")
"""What a reproduction needs and a reader of the report does not."""

_BODIES = {
    "no_span": _KNOWN,
    "span_missing": _SPAN,
    "clause_never_violated": _USED,
    "clause_without_freedom": _USED,
    "clause_unenforced": _ENFORCED,
    "atom_unknown": _KNOWN,
    "no_ground": _KNOWN,
    "ground_unknown": _KNOWN,
    "wrong_ground": _WRONG,
}
_PLACES = dict.fromkeys(_BODIES, "clause") | {"atom_unknown": "atom", "wrong_ground": "not satisfied:"}

CHECK = Check(
    name="grounding",
    question="Does every label stand on public words, and is every requirement tried from both sides?",
    prose="""
A label is right because the public material says so. Each requirement of a task is a clause, and a clause cites the
words of the instruction, a material or a printed convention that impose it. Grounding looks for those words where they
are said to stand. Every case names the clauses it rests on: a FAIL the one it violates, a PASS the one whose freedom it
uses. They must exist, and so must the clause of every atom of the reference.

Each clause has to be tried from both sides. A case that violates it shows whether a verifier checks it at all; a valid
case that uses the freedom around it shows whether a verifier asks for more than the words do. And each clause has to be
enforced by an atom of the reference, for a requirement no atom looks at is no part of any decision.

`wrong_ground` is about a single FAIL: the reference rejects it, but by atoms of other clauses than the case cites.
The label is right by accident. Either the case breaks something beside what it was made to break, or it names the wrong
clause, or the reference cannot see the clause that it names. The other reasons are mended where they point: by a case,
a citation, or an atom.

Grounding cannot judge whether the cited words really impose the clause. That takes a reader; `explain` shows the words
beside every case.
""",
    reasons={
        "no_span": "the clause cites no words of the public material",
        "span_missing": "the words the clause cites do not occur where it says",
        "clause_never_violated": "no FAIL case cites the clause, so nobody is caught who ignores it",
        "clause_without_freedom": "no PASS case names the clause, so nobody is caught who asks for more than it says",
        "clause_unenforced": "no atom of the reference enforces the clause",
        "atom_unknown": "the atom names no clause of the task; in a program, its line lacks `# clause: ID`",
        "no_ground": "the case has a label without a ground",
        "ground_unknown": "the case rests on a clause the task does not have",
        "wrong_ground": "the reference rejects the case, but for none of the clauses the case cites",
    },
    examine=_examine,
)
