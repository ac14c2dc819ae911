"""Edits of what a task says about itself: clauses, grounds, controls, the ladder it is held against, upstream's word.

They change no solution and no view, except `replayed`, which replays what it edits. A case, a clause or a record that
is not there is a mistake in the plant and raises `Inconsistent`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from verifierbench.core import (
    All,
    Atom,
    Case,
    CaseKind,
    Clause,
    Decision,
    Ground,
    Inconsistent,
    Node,
    SourceRecord,
    Span,
    Verdict,
    atoms,
    substitute,
)
from verifierbench.sources.handmade.state.environment import replay

from ..ladder import Rung
from ..subject import Subject
from .edits import Regrow, Which, case_id, copied, failing, passing, referenced, refrozen, regrounded
from .plant import Change
from .pointers import Edit, put

# Which cases --------------------------------------------------------------------------------------------------------


def citing(*clauses: str) -> Which:
    """Cases whose grounds name one of the clauses."""
    return lambda case: any(ground.clause in clauses for ground in case.grounds)


def violating(*clauses: str) -> Which:
    """Cases labelled FAIL that cite one of the clauses."""
    return both(failing, citing(*clauses))


def using(*clauses: str) -> Which:
    """Cases labelled PASS that name one of the clauses."""
    return both(passing, citing(*clauses))


def both(one: Which, other: Which) -> Which:
    """Cases that both descriptions fit."""
    return lambda case: one(case) and other(case)


def other(which: Which) -> Which:
    """Cases that the description does not fit."""
    return lambda case: not which(case)


# Grounds and controls -----------------------------------------------------------------------------------------------


def cites(name: str, *clauses: str) -> Change:
    """A case's grounds are these clauses and nothing else."""
    return regrounded(name, grounds=tuple(map(_ground, clauses)))


def cite_besides(which: Which, *clauses: str) -> Change:
    """The cases that a description fits cite these clauses besides their own."""
    return _grounds(which, lambda old: (*old, *(_ground(c) for c in clauses if c not in {g.clause for g in old})))


def cite_instead(which: Which, names: dict[str, str]) -> Change:
    """In the grounds of the cases that a description fits, clauses are exchanged for others."""
    return _grounds(which, lambda old: tuple(replace(g, clause=names.get(g.clause, g.clause)) for g in old))


def cite_no_longer(which: Which, *clauses: str) -> Change:
    """The cases that a description fits keep all grounds but these; each must keep one."""
    return _grounds(which, lambda old: tuple(ground for ground in old if ground.clause not in clauses))


def controlling(name: str, attack: str | None) -> Change:
    """A case is the matched control of another attack, or of none."""

    def change(subject: Subject) -> Subject:
        known = None if attack is None else case_id(subject, attack)
        return regrounded(name, control_of=known)(subject)

    return change


def _ground(clause: str) -> Ground:
    return Ground(clause=clause, note="planted")


def _grounds(which: Which, edit: Callable[[tuple[Ground, ...]], tuple[Ground, ...]]) -> Change:
    def change(subject: Subject) -> Subject:
        if not any(map(which, subject.cases)):
            raise Inconsistent(f"{subject.task.id} has no case whose grounds could be planted")
        cases = tuple(replace(case, grounds=edit(case.grounds)) if which(case) else case for case in subject.cases)
        return replace(subject, cases=cases)

    return change


# Clauses and atoms --------------------------------------------------------------------------------------------------


def clause_edited(name: str, edit: Callable[[Clause], Clause]) -> Change:
    """A clause is another one."""

    def change(subject: Subject) -> Subject:
        clauses = subject.task.clauses
        if name not in {clause.id for clause in clauses}:
            raise Inconsistent(f"{subject.task.id} has no clause {name!r} to plant something in")
        edited = tuple(edit(clause) if clause.id == name else clause for clause in clauses)
        return replace(subject, task=replace(subject.task, clauses=edited))

    return change


def quoting(name: str, material: str, quote: str) -> Change:
    """The first words a clause cites are these."""
    first = Span(material=material, quote=quote)
    return clause_edited(name, lambda clause: replace(clause, spans=(first, *clause.spans[1:])))


def quoting_besides(name: str, material: str, quote: str) -> Change:
    """A clause cites these words besides its own."""
    last = Span(material=material, quote=quote)
    return clause_edited(name, lambda clause: replace(clause, spans=(*clause.spans, last)))


def clause_added(name: str, material: str, quote: str) -> Change:
    """A clause more."""
    clause = Clause(id=name, text="planted", spans=(Span(material=material, quote=quote),))
    return lambda subject: replace(subject, task=replace(subject.task, clauses=(*subject.task.clauses, clause)))


def clause_renamed(name: str, new: str) -> Change:
    """A clause has another id, wherever it is named."""

    def change(subject: Subject) -> Subject:
        steps = (
            clause_edited(name, lambda clause: replace(clause, id=new)),
            cite_instead(citing(name), {name: new}),
            referenced(*(atom_moved(a.name, new) for a in atoms(subject.task.reference.root) if a.clause == name)),
        )
        for step in steps:
            subject = step(subject)
        return refrozen(subject)

    return change


def atom_moved(name: str, clause: str) -> Regrow:
    """The atom enforces another clause."""
    return _on_atom(name, lambda atom: replace(atom, clause=clause))


def atom_doubled(name: str) -> Regrow:
    """The atom stands a second time beside all others, under another name; not for one that looks at a single call."""
    return lambda root: All(of=(root, replace(_atom(root, name), name=f"{name}, again")))


def _on_atom(name: str, edit: Callable[[Atom], Atom]) -> Regrow:
    return lambda root: substitute(root, name, edit(_atom(root, name)))


def _atom(root: Node, name: str) -> Atom:
    for atom in atoms(root):
        if atom.name == name:
            return atom
    raise Inconsistent(f"the reference has no atom {name!r} to plant something in")


# Cases of their own -------------------------------------------------------------------------------------------------


def grounded(name: str, kind: CaseKind, content: Edit, *clauses: str, to: str = "planted.0") -> Change:
    """Add an edited copy of a case that cites these clauses; only where nothing is executed."""
    return _in_turn(copied(name, kind, content, to=to), cites(to, *clauses))


def replayed(name: str, kind: CaseKind, content: Edit, *clauses: str, to: str = "planted.0") -> Change:
    """Add an edited copy of an errand that cites these clauses, with what its own replay shows."""

    def seen(view: Any) -> Any:
        return put("/runs/replay", dict(replay(view["solution"]["events"])))(view)

    return _in_turn(copied(name, kind, content, seen, to=to), cites(to, *clauses))


def _in_turn(*changes: Change) -> Change:
    def change(subject: Subject) -> Subject:
        for step in changes:
            subject = step(subject)
        return subject

    return change


# The ladder ---------------------------------------------------------------------------------------------------------


def laddered(edit: Callable[[tuple[Rung, ...]], tuple[Rung, ...]]) -> Change:
    """The task is held against other rungs."""
    return lambda subject: replace(subject, ladder=edit(subject.ladder))


# Upstream's word ----------------------------------------------------------------------------------------------------


def upstream_says(name: str, decision: Decision) -> Change:
    """The upstream checker decided one case otherwise."""
    return _on_record(name, lambda record: (replace(record, decision=decision),))


def upstream_silent(which: Which) -> Change:
    """The upstream checker was never asked about the cases that a description fits."""

    def change(subject: Subject) -> Subject:
        ids = {case.id for case in subject.cases if which(case)}
        left = tuple(record for record in subject.source_records if record.case not in ids)
        if len(left) == len(subject.source_records):
            raise Inconsistent(f"{subject.task.id} has no record of such a case to take away")
        return replace(subject, source_records=left)

    return change


def upstream_right(subject: Subject) -> Subject:
    """The upstream checker decides every case as it is labelled."""
    labels = {case.id: case.label for case in subject.cases}
    records = tuple(replace(r, decision=Decision(verdict=labels[r.case])) for r in subject.source_records)
    return replace(subject, source_records=records)


def disagreeing(subject: Subject) -> Subject:
    """Only the cases stay that the upstream checker decides against their label, with their views."""
    labels = {case.id: case.label for case in subject.cases}
    ids = {r.case for r in subject.source_records if r.decision.verdict is not labels[r.case]}
    return replace(
        subject,
        cases=tuple(case for case in subject.cases if case.id in ids),
        views={name: view for name, view in subject.views.items() if name in ids},
        runs={name: runs for name, runs in subject.runs.items() if name in ids},
        records=tuple(record for record in subject.records if record.case in ids),
        source_records=tuple(record for record in subject.source_records if record.case in ids),
    )


def unexplained(which: Callable[[Case, str], bool] = lambda _case, _defect: True) -> Change:
    """The source's ledger lacks what explained these: by the case and the defect's id."""

    def change(subject: Subject) -> Subject:
        explain = subject.explain

        def forgetful(case: Case, decision: Decision) -> Any:
            known = explain(case, decision)
            return None if known is None or which(case, known.defect) else known

        return replace(subject, explain=forgetful)

    return change


def asked_too(name: str, verdict: Verdict) -> Change:
    """The upstream checker's decision on a case that had none."""

    def change(subject: Subject) -> Subject:
        case = next(case for case in subject.cases if case.id == case_id(subject, name))
        record = SourceRecord(
            case=case.id,
            case_hash=case.content_hash,
            checker_version=subject.source_records[0].checker_version,
            decision=Decision(verdict=verdict),
        )
        return replace(subject, source_records=(*subject.source_records, record))

    return change


def _on_record(name: str, edit: Callable[[SourceRecord], tuple[SourceRecord, ...]]) -> Change:
    def change(subject: Subject) -> Subject:
        known = case_id(subject, name)
        if known not in {record.case for record in subject.source_records}:
            raise Inconsistent(f"{known} has no record of the upstream checker to plant something in")
        edited = (edit(record) if record.case == known else (record,) for record in subject.source_records)
        return replace(subject, source_records=tuple(record for records in edited for record in records))

    return change
