"""Repeatability: what is seen or decided differently is named, and so is what was seen too seldom."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from verifierbench.audit import Fresh
from verifierbench.audit.checks import check

from .subjects import CALLS, DESK, changed, flaws, reproduces, subject, told


@pytest.mark.parametrize("name", [CALLS, DESK])
def test_a_healthy_task_passes(name: str):
    found = check("repeatability").examine(subject(name))
    assert found.flaws == ()
    assert found.passed == len(subject(name).cases)
    assert found.facts == {"observations": 3 * len(subject(name).cases)}


def with_runs(name: str, **runs: tuple[Fresh, ...]):
    whole = subject(name)
    return changed(whole, runs={**whole.runs, whole.cases[0].id: runs["runs"]}), whole.cases[0]


def test_a_view_that_differs_once_is_found(tmp_path: Path):
    first, second = subject(DESK).runs[subject(DESK).cases[0].id]
    spoilt, case = with_runs(DESK, runs=(first, msgspec.structs.replace(second, view="0" * 64)))
    found = flaws("repeatability", spoilt)
    assert told(found) == [("view_differs", case.id, "")]
    assert [seen["view"] == first.view for seen in found[0].evidence["observations"]] == [True, True, False]
    reproduces(found[0], tmp_path)


def test_fresh_runs_that_agree_with_each_other_but_not_with_the_record_are_found():
    other = Fresh(view="1" * 64, ok=True)
    spoilt, case = with_runs(DESK, runs=(other, other))
    assert ("view_differs", case.id, "") in told(flaws("repeatability", spoilt))


def test_a_decision_that_differs_on_the_same_view_is_found(tmp_path: Path):
    first, second = subject(CALLS).runs[subject(CALLS).cases[0].id]
    spoilt, case = with_runs(CALLS, runs=(first, msgspec.structs.replace(second, ok=not second.ok)))
    found = flaws("repeatability", spoilt)
    assert told(found) == [("decision_differs", case.id, "")]
    reproduces(found[0], tmp_path)


def test_too_few_runs_of_one_case_name_it(tmp_path: Path):
    spoilt, case = with_runs(DESK, runs=subject(DESK).runs[subject(DESK).cases[0].id][:1])
    found = flaws("repeatability", spoilt)
    assert told(found) == [("few_runs", case.id, "")]
    reproduces(found[0], tmp_path)


def test_no_runs_at_all_are_one_flaw_of_the_task():
    whole = changed(subject(DESK), runs={})
    found = flaws("repeatability", whole)
    assert told(found) == [("few_runs", "", "")]
    assert found[0].evidence["observations"] == {case.id: 1 for case in whole.cases}
    assert check("repeatability").examine(whole).passed == 0


def test_missing_evidence_counts_as_an_observation_less():
    whole = subject(CALLS)
    gone = whole.cases[2].id
    views = {name: view for name, view in whole.views.items() if name != gone}
    assert told(flaws("repeatability", changed(whole, views=views))) == [("few_runs", gone, "")]
