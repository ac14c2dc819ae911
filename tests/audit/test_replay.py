"""Replay: a label that the reference does not share is found, and so is a case nothing is recorded of."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifierbench.audit.checks import check
from verifierbench.core import CaseKind

from .subjects import CALLS, DESK, PATCH, changed, edited, flaws, reproduces, subject, the_case, told


@pytest.mark.parametrize("name", [CALLS, DESK])
def test_a_healthy_task_passes(name: str):
    found = check("replay").examine(subject(name))
    assert found.flaws == ()
    assert found.passed == len(subject(name).cases)


@pytest.mark.parametrize(("operator", "kind"), [("gold", CaseKind.NEAR_MISS), ("empty", CaseKind.ALTERNATIVE)])
def test_a_patch_with_the_other_label_is_named(tmp_path: Path, operator: str, kind: CaseKind):
    whole = subject(PATCH, ("gold", "empty"))
    case = the_case(whole, operator)
    found = flaws("replay", edited(whole, case, kind=kind))
    assert told(found) == [("reference_disagrees", case.id, "")]
    assert found[0].evidence["label"] != found[0].evidence["reference"]
    reproduces(found[0], tmp_path)


def test_a_wrong_case_called_valid_names_the_atoms_that_object(tmp_path: Path):
    whole = subject(DESK)
    wrong = next(case for case in whole.cases if case.kind is CaseKind.PROCESS_VIOLATION)
    found = flaws("replay", edited(whole, wrong, kind=CaseKind.ALTERNATIVE))
    assert told(found) == [("reference_disagrees", wrong.id, "")]
    assert found[0].evidence["failed"] == [atom.name for atom in whole.finding(wrong).failed] != []
    reproduces(found[0], tmp_path)


def test_a_case_without_evidence_is_not_passed_over():
    whole = subject(CALLS)
    case = whole.cases[3]
    views = {name: view for name, view in whole.views.items() if name != case.id}
    assert told(flaws("replay", changed(whole, views=views))) == [("no_evidence", case.id, "")]
