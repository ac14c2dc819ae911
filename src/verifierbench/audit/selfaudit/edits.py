"""Small pure edits of subjects, of which plants are put together.

Who adds a case gives it a view, a record and fresh runs; who takes one away takes them along. An edit that leaves
something behind (a record of the solution before, the runs of another reference) says so; `refrozen` behind it brings
everything in step again, so that a plant has the defect it names and no other. A case or an atom that is not there is
a mistake in the plant and raises `Inconsistent`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

from msgspec.structs import replace

from verifierbench.core import (
    All,
    Atom,
    Case,
    CaseKind,
    Inconsistent,
    Node,
    Record,
    Reference,
    SourceRecord,
    Verdict,
    atoms,
    canonical_hash,
    substitute,
)

from ..judges import TreeJudge
from ..subject import Fresh, Judge, Subject
from .plant import Change
from .pointers import Edit, same

Regrow: TypeAlias = Callable[[Node], Node]
"""Makes a tree of a tree, purely."""
Which: TypeAlias = Callable[[Case], bool]


# What follows from the rest -----------------------------------------------------------------------------------------


def with_runs(subject: Subject, count: int = 2) -> Subject:
    """Fresh runs of every case that has a view, as an environment without a memory makes them."""
    runs = {name: (_fresh(subject, view),) * count for name, view in subject.views.items()}
    return replace(subject, runs=runs)


def refrozen(subject: Subject) -> Subject:
    """Records and fresh runs made anew, as a build of what the subject now is would make them."""
    records = tuple(_record(subject, case) for case in subject.cases if case.id in subject.views)
    return with_runs(replace(subject, records=records))


def _fresh(subject: Subject, view: Any) -> Fresh:
    return Fresh(view=canonical_hash(view), ok=subject.judge.decide(view).ok)


def _record(subject: Subject, case: Case) -> Record:
    finding = subject.judge.decide(subject.views[case.id])
    return Record(
        case=case.id,
        case_hash=case.content_hash,
        task_hash=subject.task.public_hash,
        reference_hash=subject.judge.version,
        environment_version=subject.environment_version,
        verdict=Verdict.PASS if finding.ok else Verdict.FAIL,
        failed=tuple(atom.name for atom in finding.failed),
    )


# Cases --------------------------------------------------------------------------------------------------------------


def named(*patterns: str) -> Which:
    """Cases whose id behind the `#` matches a shell pattern."""
    return lambda case: any(fnmatchcase(case.id.partition("#")[2], pattern) for pattern in patterns)


def of_kind(*kinds: CaseKind) -> Which:
    """Cases of these kinds."""
    return lambda case: case.kind in kinds


def passing(case: Case) -> bool:
    """Cases labelled PASS."""
    return case.label is Verdict.PASS


def failing(case: Case) -> bool:
    """Cases labelled FAIL."""
    return case.label is Verdict.FAIL


def case_id(subject: Subject, name: str) -> str:
    """The whole id of the case whose id behind the `#` is `name`; raises `Inconsistent` where there is none."""
    return _case(subject, name).id


def kept(*which: Which) -> Change:
    """Only the cases that one of the descriptions fits stay, with all that belongs to them."""

    def change(subject: Subject) -> Subject:
        cases = tuple(case for case in subject.cases if any(fits(case) for fits in which))
        ids = {case.id for case in cases}
        return replace(
            subject,
            cases=cases,
            views={name: view for name, view in subject.views.items() if name in ids},
            runs={name: runs for name, runs in subject.runs.items() if name in ids},
            records=tuple(record for record in subject.records if record.case in ids),
            source_records=tuple(record for record in subject.source_records if record.case in ids),
        )

    return change


def dropped(*which: Which) -> Change:
    """The cases that one of the descriptions fits go, with all that belongs to them."""
    return kept(lambda case: not any(fits(case) for fits in which))


def copied(name: str, kind: CaseKind, content: Edit = same, view: Edit = same, to: str = "planted.0") -> Change:
    """Add a copy of a case under another kind, its solution and view edited; the copy's runs are as the edits say.

    Only for solutions whose replay the edits leave as it is, or whose view is edited to what it becomes.
    """

    def change(subject: Subject) -> Subject:
        origin = _case(subject, name)
        case = replace(
            origin,
            id=f"{subject.task.id}#{to}",
            operator=to.partition(".")[0],
            kind=kind,
            content=content(origin.content),
            control_of=None,
        )
        seen = view({**subject.views[origin.id], "solution": case.content})
        grown = replace(subject, cases=(*subject.cases, case), views={**subject.views, case.id: seen})
        return replace(
            grown,
            records=(*grown.records, _record(grown, case)),
            runs={**grown.runs, case.id: (_fresh(grown, seen),) * 2},
        )

    return change


def relabelled(name: str, kind: CaseKind) -> Change:
    """Give a case another kind; its record stays what the reference decided."""
    return _on_case(name, lambda case: replace(case, kind=kind))


def regrounded(name: str, **changes: Any) -> Change:
    """Change a case's fields that say nothing to a verifier, such as `grounds` or `operator`."""
    return _on_case(name, lambda case: replace(case, **changes))


def rewritten(name: str, edit: Edit) -> Change:
    """Edit a case's solution, in its view too; its record and runs stay those of the solution before."""

    def change(subject: Subject) -> Subject:
        case = _case(subject, name)
        new = edit(case.content)
        views = {**subject.views, case.id: {**subject.views[case.id], "solution": new}}
        return _on_case(name, lambda case: replace(case, content=new))(replace(subject, views=views))

    return change


def become(name: str, other: str) -> Change:
    """A case's solution and view become those of another, recorded and run as such; its label stays."""

    def change(subject: Subject) -> Subject:
        origin = _case(subject, other)
        changed = _on_case(name, lambda case: replace(case, content=origin.content))(subject)
        known = case_id(subject, name)
        said = tuple(
            replace(r, case_hash=origin.content_hash) if r.case == known else r for r in subject.source_records
        )
        views = {**changed.views, known: subject.views[origin.id]}
        return refrozen(replace(changed, views=views, source_records=said))

    return change


def shuffled(subject: Subject) -> Subject:
    """Cases, records and views in another order; the same one every time."""
    order = random.Random(7)  # noqa: S311  # an order, not a secret
    cases, records = list(subject.cases), list(subject.records)
    for things in (cases, records):
        order.shuffle(things)
    views = dict(reversed(list(subject.views.items())))
    return replace(subject, cases=tuple(cases), records=tuple(records), views=views)


def _case(subject: Subject, name: str) -> Case:
    for case in subject.cases:
        if case.id == f"{subject.task.id}#{name}":
            return case
    raise Inconsistent(f"{subject.task.id} has no case {name!r} to plant something in")


def _on_case(name: str, edit: Callable[[Case], Case]) -> Change:
    def change(subject: Subject) -> Subject:
        wanted = _case(subject, name)
        return replace(subject, cases=tuple(edit(case) if case is wanted else case for case in subject.cases))

    return change


# Views, the reference and records -----------------------------------------------------------------------------------


def seen(name: str, edit: Edit) -> Change:
    """Edit the recorded view of a case; its record and its fresh runs stay as they were."""

    def change(subject: Subject) -> Subject:
        known = case_id(subject, name)
        return replace(subject, views={**subject.views, known: edit(subject.views[known])})

    return change


def all_seen(edit: Edit) -> Change:
    """Edit the recorded view of every case."""
    return lambda subject: replace(subject, views={name: edit(view) for name, view in subject.views.items()})


def unseen(name: str) -> Change:
    """The recorded evidence of a case is lost; its record and its fresh runs are still there."""

    def change(subject: Subject) -> Subject:
        known = case_id(subject, name)
        return replace(subject, views={case: view for case, view in subject.views.items() if case != known})

    return change


def judged_by(judge: Callable[[Subject], Judge]) -> Change:
    """Another judge stands in the reference's place; records and runs stay the former's."""
    return lambda subject: replace(subject, judge=judge(subject))


def referenced(*regrow: Regrow, **fields: Any) -> Change:
    """Change the reference's tree, or other fields of it; it judges the task, records and runs are the former's."""

    def change(subject: Subject) -> Subject:
        root = subject.task.reference.root
        for step in regrow:
            root = step(root)
        reference: Reference = replace(subject.task.reference, **{"root": root, **fields})
        task = replace(subject.task, reference=reference)
        return replace(subject, task=task, judge=TreeJudge.of(reference, subject.family))

    return change


def atom_dropped(name: str) -> Regrow:
    """The atom is always satisfied."""
    return lambda root: substitute(root, _atom(root, name).name, All(of=()))


def atom_edited(name: str, edit: Edit = same, check: str | None = None) -> Regrow:
    """The atom's parameters are edited, or it uses another check."""

    def regrow(root: Node) -> Node:
        atom = _atom(root, name)
        return substitute(root, name, replace(atom, parameters=edit(atom.parameters), check=check or atom.check))

    return regrow


def atom_added(name: str, clause: str, check: str, **parameters: Any) -> Regrow:
    """An atom more, beside all others."""
    atom = Atom(name=name, clause=clause, check=check, parameters=parameters)
    return lambda root: All(of=(root, atom))


def recorded(which: Which, **fields: Any) -> Change:
    """Change fields of the records of the cases that a description fits."""

    def change(subject: Subject) -> Subject:
        ids = {case.id for case in subject.cases if which(case)}
        records = tuple(replace(r, **fields) if r.case in ids else r for r in subject.records)
        return replace(subject, records=records)

    return change


def each_record(edit: Callable[[Record], Record]) -> Change:
    """Edit every record."""
    return lambda subject: replace(subject, records=tuple(map(edit, subject.records)))


def each_source_record(edit: Callable[[SourceRecord], SourceRecord]) -> Change:
    """Edit every record of the upstream checker."""
    return lambda subject: replace(subject, source_records=tuple(map(edit, subject.source_records)))


def tasked(**fields: Any) -> Change:
    """Change fields of the task."""
    return lambda subject: replace(subject, task=replace(subject.task, **fields))


def _atom(root: Node, name: str) -> Atom:
    for atom in atoms(root):
        if atom.name == name:
            return atom
    raise Inconsistent(f"the reference has no atom {name!r} to plant something in")
