"""Provenance: whatever moves after a decision was recorded is named by its own reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from verifierbench.audit import Subject, TreeJudge
from verifierbench.audit.checks import check
from verifierbench.core import All, Decision, SourceRecord, Verdict, atoms, substitute

from .subjects import CALLS, DESK, PATCH, changed, edited, flaws, reproduces, subject, the_case, told

replace = msgspec.structs.replace


def altered(of: Subject, number: int, **fields: Any) -> Subject:
    """With one record changed."""
    records = list(of.records)
    records[number] = replace(records[number], **fields)
    return changed(of, records=tuple(records))


@pytest.mark.parametrize("name", [CALLS, DESK])
def test_a_healthy_task_passes(name: str):
    whole = subject(name)
    found = check("provenance").examine(whole)
    assert found.flaws == ()
    # Five comparisons a record, one a source record, and the library.
    assert found.passed == 6 * len(whole.cases) + 1


def test_a_task_without_an_upstream_checker_has_no_source_records_to_miss():
    assert flaws("provenance", changed(subject(CALLS), source_records=())) == ()


def test_an_edited_case_is_found_by_both_records(tmp_path: Path):
    whole = subject(PATCH, ("gold", "empty"))
    case = the_case(whole, "empty")
    found = flaws("provenance", edited(whole, case, content={"patch": "\n"}))
    assert [(flaw.reason, flaw.case) for flaw in found] == [
        ("case_moved", case.id),
        ("source_record_moved", case.id),
    ]
    for flaw in found:
        reproduces(flaw, tmp_path)


def test_key_order_is_content():
    """Regression: a verifier can see the order of keys, so a case that differs in it alone is another."""
    whole = subject(DESK)
    case = whole.cases[0]
    turned = dict(reversed(case.content.items()))
    assert turned == case.content
    assert "case_moved" in [flaw.reason for flaw in flaws("provenance", edited(whole, case, content=turned))]


def test_an_edited_task_is_one_flaw_for_all_its_cases(tmp_path: Path):
    whole = subject(DESK)
    task = replace(whole.task, instruction=whole.task.instruction + " ")
    found = flaws("provenance", changed(whole, task=task))
    assert told(found) == [("task_moved", "", whole.records[0].task_hash[:12])]
    assert found[0].evidence["cases"] == [case.id for case in whole.cases]
    reproduces(found[0], tmp_path)


def test_a_material_that_is_read_in_parts_belongs_to_the_task():
    whole = subject(PATCH, ("gold", "empty"))
    big = next(material for material in whole.task.materials if not material.inline)
    other = replace(big, content={**big.content, "NEW": ""})
    task = replace(whole.task, materials=tuple(other if one is big else one for one in whole.task.materials))
    assert [flaw.reason for flaw in flaws("provenance", changed(whole, task=task))] == ["task_moved"]


def test_one_record_made_for_another_task_names_its_case(tmp_path: Path):
    whole = altered(subject(CALLS), 4, task_hash="f" * 64)
    found = flaws("provenance", whole)
    assert told(found) == [("task_moved", whole.cases[4].id, "f" * 12)]
    reproduces(found[0], tmp_path)


def test_another_reference_is_found_even_where_it_decides_alike(tmp_path: Path):
    whole = subject(CALLS)
    root = All(of=(whole.task.reference.root,))
    judge = TreeJudge(root, whole.family, replace(whole.task.reference, root=root).hash)
    found = flaws("provenance", changed(whole, judge=judge))
    assert told(found) == [("reference_moved", "", whole.records[0].reference_hash[:12])]
    reproduces(found[0], tmp_path)


def test_a_reference_of_an_older_library_is_found(tmp_path: Path):
    whole = subject(CALLS)
    task = replace(whole.task, reference=replace(whole.task.reference, library="0" * 64))
    found = flaws("provenance", changed(whole, task=task))
    assert told(found) == [("library_moved", "", "0" * 12)]
    reproduces(found[0], tmp_path)


@pytest.mark.parametrize("version", ["another", None])
def test_another_environment_is_found(tmp_path: Path, version: str | None):
    whole = subject(DESK)
    found = flaws("provenance", changed(whole, environment_version=version))
    assert [flaw.reason for flaw in found] == ["environment_moved"]
    assert found[0].evidence["now"] == version
    reproduces(found[0], tmp_path)


def test_a_verdict_that_was_not_decided_is_found(tmp_path: Path):
    whole = subject(DESK)
    other = Verdict.FAIL if whole.records[0].verdict is Verdict.PASS else Verdict.PASS
    found = flaws("provenance", altered(whole, 0, verdict=other))
    assert [(flaw.reason, flaw.case) for flaw in found] == [("verdict_moved", whole.cases[0].id)]
    reproduces(found[0], tmp_path)


def test_a_reference_that_was_weakened_under_its_old_name_is_found(tmp_path: Path):
    whole = subject(CALLS)
    number = next(n for n, one in enumerate(whole.records) if len(one.failed) == 1)
    weak = substitute(whole.task.reference.root, whole.records[number].failed[0], All(of=()))
    found = flaws("provenance", changed(whole, judge=TreeJudge(weak, whole.family, whole.judge.version)))
    flaw = next(flaw for flaw in found if flaw.case == whole.cases[number].id)
    assert flaw.reason == "verdict_moved"
    reproduces(flaw, tmp_path)


def test_other_failed_atoms_under_the_same_verdict_are_found(tmp_path: Path):
    whole = subject(CALLS)
    number = next(n for n, one in enumerate(whole.records) if one.failed)
    other = next(a.name for a in atoms(whole.task.reference.root) if a.name not in whole.records[number].failed)
    found = flaws("provenance", altered(whole, number, failed=(other,)))
    assert [(flaw.reason, flaw.case) for flaw in found] == [("atoms_moved", whole.cases[number].id)]
    reproduces(found[0], tmp_path)


def test_a_decision_that_cannot_be_made_again_is_no_proof(tmp_path: Path):
    whole = subject(CALLS)
    gone = whole.cases[1].id
    views = {name: view for name, view in whole.views.items() if name != gone}
    found = flaws("provenance", changed(whole, views=views))
    assert [(flaw.reason, flaw.case) for flaw in found] == [("not_recomputed", gone)]
    reproduces(found[0], tmp_path)


def test_records_are_counted(tmp_path: Path):
    whole = subject(CALLS)
    first, second, *rest = whole.records
    stray = replace(second, case=f"{whole.task.id}#nobody.0")
    found = flaws("provenance", changed(whole, records=(first, first, stray, *rest)))
    assert sorted(told(found)) == [
        ("extra_record", stray.case, ""),
        ("missing_record", second.case, ""),
        ("repeated_record", first.case, ""),
    ]
    for flaw in found:
        reproduces(flaw, tmp_path)


def test_source_records_are_counted_too(tmp_path: Path):
    whole = subject(CALLS)
    first, second, *rest = whole.source_records
    stray = SourceRecord(case="x/y#z.0", case_hash="", checker_version="1", decision=Decision(verdict=Verdict.PASS))
    found = flaws("provenance", changed(whole, source_records=(first, first, stray, *rest)))
    assert sorted(told(found)) == [
        ("source_extra_record", stray.case, ""),
        ("source_missing_record", second.case, ""),
        ("source_repeated_record", first.case, ""),
    ]
    for flaw in found:
        reproduces(flaw, tmp_path)
