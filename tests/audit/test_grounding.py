"""Grounding: labels without words, clauses tried from one side, and rejections by accident are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from verifierbench.audit import RecordedJudge, Subject, TreeJudge
from verifierbench.audit.checks import check
from verifierbench.core import All, Case, Clause, Ground, Span, Verdict, atoms, substitute

from .subjects import CALLS, DESK, PATCH, changed, edited, flaws, reproduces, subject, told

replace = msgspec.structs.replace


def with_task(of: Subject, **fields: Any) -> Subject:
    return changed(of, task=replace(of.task, **fields))


def with_clause(of: Subject, number: int, **fields: Any) -> Subject:
    clauses = list(of.task.clauses)
    clauses[number] = replace(clauses[number], **fields)
    return with_task(of, clauses=tuple(clauses))


def without(of: Subject, clause: str, label: Verdict) -> Subject:
    """The cases of a label that name a clause, gone."""

    def names(case: Case) -> bool:
        return case.label is label and clause in [ground.clause for ground in case.grounds]

    return changed(of, cases=tuple(case for case in of.cases if not names(case)))


@pytest.mark.parametrize("name", [CALLS, DESK])
def test_a_healthy_task_passes(name: str):
    found = check("grounding").examine(subject(name))
    assert found.flaws == ()
    assert found.passed > 3 * len(subject(name).task.clauses) + 2 * len(subject(name).cases)
    assert found.facts == {"clauses": len(subject(name).task.clauses)}


@pytest.mark.parametrize(
    ("label", "reason"), [(Verdict.FAIL, "clause_never_violated"), (Verdict.PASS, "clause_without_freedom")]
)
@pytest.mark.parametrize("name", [CALLS, DESK])
def test_a_clause_tried_from_one_side_is_found(tmp_path: Path, name: str, label: Verdict, reason: str):
    clause = subject(name).task.clauses[-1].id
    found = flaws("grounding", without(subject(name), clause, label))
    assert (reason, "", clause) in told(found)
    assert {flaw.reason for flaw in found} == {reason}
    reproduces(next(flaw for flaw in found if flaw.place == clause), tmp_path)


def test_words_that_do_not_occur_are_found(tmp_path: Path):
    whole = subject(CALLS)
    clause = whole.task.clauses[0]
    said = with_clause(whole, 0, spans=(Span(material="instruction", quote="never said"), *clause.spans))
    found = flaws("grounding", said)
    assert told(found) == [("span_missing", "", clause.id)]
    assert found[0].evidence == {"span": {"material": "instruction", "quote": "never said"}}
    reproduces(found[0], tmp_path)


@pytest.mark.parametrize("material", ["instruction", "conventions", "no such material"])
def test_words_are_looked_for_where_they_are_said_to_stand(material: str):
    whole = subject(DESK)
    elsewhere = next(m.name for m in whole.task.materials if m.kind == "text")
    quote = whole.task.material(elsewhere).content[:60]
    found = flaws("grounding", with_clause(whole, 0, spans=(Span(material=material, quote=quote),)))
    assert told(found) == [("span_missing", "", whole.task.clauses[0].id)]
    assert flaws("grounding", with_clause(whole, 0, spans=(Span(material=elsewhere, quote=quote),))) == ()


def test_a_clause_that_cites_nothing_is_found(tmp_path: Path):
    found = flaws("grounding", with_clause(subject(CALLS), 1, spans=()))
    assert told(found) == [("no_span", "", subject(CALLS).task.clauses[1].id)]
    reproduces(found[0], tmp_path)


def test_a_clause_that_nothing_enforces_or_tries_is_found(tmp_path: Path):
    whole = subject(DESK)
    extra = Clause(id="extra", text="more", spans=whole.task.clauses[0].spans)
    found = flaws("grounding", with_task(whole, clauses=(*whole.task.clauses, extra)))
    assert told(found) == [
        ("clause_never_violated", "", "extra"),
        ("clause_without_freedom", "", "extra"),
        ("clause_unenforced", "", "extra"),
    ]
    for flaw in found:
        reproduces(flaw, tmp_path)


def test_an_atom_of_a_clause_that_does_not_exist_is_found(tmp_path: Path):
    whole = subject(CALLS)
    atom = atoms(whole.task.reference.root)[0]
    root = substitute(whole.task.reference.root, atom.name, All(of=(atom, replace(atom, name="stray", clause="gone"))))
    found = flaws("grounding", with_task(whole, reference=replace(whole.task.reference, root=root)))
    assert told(found) == [("atom_unknown", "", "stray")]
    reproduces(found[0], tmp_path)


def test_a_label_without_a_ground_is_found(tmp_path: Path):
    whole = subject(DESK)
    case = next(case for case in whole.cases if case.label is Verdict.PASS and case.operator != "gold")
    found = flaws("grounding", edited(whole, case, grounds=()))
    assert ("no_ground", case.id, "") in told(found)
    reproduces(next(flaw for flaw in found if flaw.reason == "no_ground"), tmp_path)


def test_a_case_that_rests_on_a_clause_that_does_not_exist_is_found(tmp_path: Path):
    whole = subject(CALLS)
    case = next(case for case in whole.cases if case.label is Verdict.FAIL)
    grounds = (*case.grounds, Ground(clause="gone", note="?"))
    found = flaws("grounding", edited(whole, case, grounds=grounds))
    assert told(found) == [("ground_unknown", case.id, "gone")]
    reproduces(found[0], tmp_path)


@pytest.mark.parametrize(("name", "operators"), [(CALLS, ()), (DESK, ()), (PATCH, ("gold", "empty"))])
def test_a_rejection_by_accident_is_found(tmp_path: Path, name: str, operators: tuple[str, ...]):
    whole = subject(name, operators)
    case, broken = next(
        (case, {atom.clause for atom in whole.finding(case).failed})
        for case in whole.cases
        if case.label is Verdict.FAIL
    )
    clauses = [clause.id for clause in whole.task.clauses]
    other = next((clause for clause in clauses if clause not in broken), "nowhere")
    found = flaws("grounding", edited(whole, case, grounds=(Ground(clause=other, note="another"),)))
    flaw = next(flaw for flaw in found if flaw.reason == "wrong_ground")
    assert (flaw.case, flaw.evidence["cited"], set(flaw.evidence["broken"])) == (case.id, [other], broken)
    reproduces(flaw, tmp_path)


def test_a_case_that_breaks_more_than_it_cites_rests_on_what_it_cites():
    whole = subject(DESK)
    case = next(case for case in whole.cases if len({atom.clause for atom in failed(whole, case)}) > 1)
    cited = failed(whole, case)[-1].clause
    kept = edited(whole, case, grounds=(Ground(clause=cited, note="one of several"),))
    assert not [flaw for flaw in flaws("grounding", kept) if flaw.reason == "wrong_ground"]


def failed(whole: Subject, case: Case):
    return whole.finding(case).failed


def test_where_the_reference_accepts_or_sees_nothing_the_ground_is_not_its_to_judge():
    whole = subject(CALLS)
    blind = changed(whole, judge=TreeJudge(All(of=()), whole.family, ""), views={})
    assert flaws("grounding", blind) == ()
    accepting = changed(whole, judge=TreeJudge(All(of=()), whole.family, ""))
    assert flaws("grounding", accepting) == ()


def test_a_judge_without_atoms_gives_no_reasons_to_compare():
    whole = subject(CALLS)
    recorded = RecordedJudge({case.content_hash: case.label for case in whole.cases}, "upstream 1")
    assert flaws("grounding", changed(whole, judge=recorded)) == ()
