"""Consistency: opposite labels on what looks the same are found; what can be told apart is left alone."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from verifierbench.audit import Subject
from verifierbench.audit.checks import check
from verifierbench.core import Case, CaseKind

from .subjects import CALLS, DESK, PATCH, changed, flaws, reproduces, subject, the_case, told


def twin(of: Subject, case: Case, kind: CaseKind, content: Any = None, runs: Any = None) -> Subject:
    """With one more case: another's solution or view, slightly changed, under a label of its own."""
    view = copy.deepcopy(of.views[case.id])
    view = {
        "solution": view["solution"] if content is None else content,
        "runs": view["runs"] if runs is None else runs,
    }
    added = msgspec.structs.replace(case, id=f"{of.task.id}#twin.0", kind=kind, content=view["solution"])
    return changed(of, cases=(*of.cases, added), views={**of.views, added.id: view})


PATCHES = ("gold", "comments", "empty", "unappliable")


@pytest.mark.parametrize(("name", "operators"), [(CALLS, ()), (DESK, ()), (PATCH, PATCHES)])
def test_a_healthy_task_passes(name: str, operators: tuple[str, ...]):
    whole = subject(name, operators)
    found = check("consistency").examine(whole)
    assert found.flaws == ()
    assert found.passed + found.facts["duplicates"] == len(whole.cases)


def test_a_call_written_in_another_order_of_keys_is_the_same(tmp_path: Path):
    whole = subject(CALLS)
    gold = the_case(whole, "gold")
    turn = gold.content["turns"][0]
    turned = {"turns": [dict(reversed([*turn.items()]))]}
    found = flaws("consistency", twin(whole, gold, CaseKind.NEAR_MISS, turned))
    assert told(found) == [("opposite_labels", f"{CALLS}#twin.0", gold.id)]
    reproduces(found[0], tmp_path)


def test_a_valid_twin_of_a_wrong_case_is_found_too():
    whole = subject(DESK)
    wrong = next(case for case in whole.cases if case.kind is CaseKind.HACK)
    assert told(flaws("consistency", twin(whole, wrong, CaseKind.ALTERNATIVE))) == [
        ("opposite_labels", wrong.id, f"{DESK}#twin.0")
    ]


def test_a_patch_with_other_presentation_is_the_same(tmp_path: Path):
    whole = subject(PATCH, PATCHES)
    gold = the_case(whole, "gold")
    letter = f"From: a maintainer\n\n{gold.content['patch'].replace(' @@', ' @@ def other():')}-- \n2.40.1\n"
    found = flaws("consistency", twin(whole, gold, CaseKind.REGRESSION, {"patch": letter}))
    assert told(found) == [("opposite_labels", f"{PATCH}#twin.0", gold.id)]
    reproduces(found[0], tmp_path)


def test_the_same_patch_seen_to_do_otherwise_is_not_the_same():
    whole = subject(PATCH, PATCHES)
    gold = the_case(whole, "gold")
    runs = copy.deepcopy(whole.views[gold.id]["runs"])
    next(iter(runs.values()))["commands"][0]["exit"] = 1
    assert flaws("consistency", twin(whole, gold, CaseKind.REGRESSION, runs=runs)) == ()


def test_one_character_of_a_message_tells_two_conversations_apart():
    whole = subject(DESK)
    gold = the_case(whole, "gold")
    content = copy.deepcopy(gold.content)
    next(event for event in content["events"] if "message" in event)["message"] += "!"
    assert flaws("consistency", twin(whole, gold, CaseKind.NEAR_MISS, content)) == ()


def test_the_same_under_the_same_label_is_counted_and_no_flaw():
    whole = subject(CALLS)
    before = check("consistency").examine(whole).facts["duplicates"]
    found = check("consistency").examine(twin(whole, the_case(whole, "gold"), CaseKind.COSMETIC))
    assert found.flaws == ()
    assert found.facts == {"duplicates": before + 1}


def test_a_case_without_evidence_is_compared_with_nothing():
    whole = twin(subject(CALLS), the_case(subject(CALLS), "gold"), CaseKind.NEAR_MISS)
    views = {name: view for name, view in whole.views.items() if not name.endswith("#twin.0")}
    assert flaws("consistency", changed(whole, views=views)) == ()
