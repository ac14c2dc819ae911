"""Rows a run lost are counted, and rows it should not have are refused."""

from __future__ import annotations

import msgspec
import pytest

from verifierbench.core import (
    All,
    Candidate,
    Case,
    CaseDecision,
    CaseKind,
    Decision,
    Family,
    Inconsistent,
    Reason,
    Reference,
    Task,
    Verdict,
)
from verifierbench.measures import complete, summary


def candidate(task: str = "s/t", kinds: str = "gold base") -> Candidate:
    cases = tuple(
        Case(id=f"{task}#op.{n}", task=task, kind=CaseKind(kind), content={"n": n}, operator="op", grounds=())
        for n, kind in enumerate(kinds.split())
    )
    made = Task(
        id=task,
        source="s",
        source_version="1",
        family=Family.STATE,
        instruction="",
        materials=(),
        conventions=(),
        clauses=(),
        reference=Reference(root=All(of=())),
    )
    return Candidate(task=made, cases=cases)


def right(one: Candidate) -> list[CaseDecision]:
    return [
        CaseDecision(
            case=case.id,
            task=one.task.id,
            source="s",
            family=Family.STATE,
            kind=case.kind,
            decision=Decision(verdict=case.label),
        )
        for case in one.cases
    ]


def test_an_absent_row_is_missing_and_earns_nothing():
    one = candidate(kinds="gold cosmetic base hack")
    rows = complete(right(one)[:-1], [one])
    assert rows[-1].decision.reason is Reason.MISSING
    figures = summary(rows)
    # TPR 2/2; TNR 1/2, the lost row stays in the denominator; 1 of 4 without verdict.
    assert (figures.tpr, figures.tnr, figures.ba_norm, figures.invalid_share) == (100, 50, 50, 25)


def test_a_task_without_any_row_is_minus_100():
    one, other = candidate("s/a"), candidate("s/b")
    figures = summary(complete(right(one), [one, other]))
    assert (figures.tasks, figures.ba_norm) == (2, 0)  # (100 - 100) / 2


def test_rows_keep_the_expected_order():
    one = candidate(kinds="gold cosmetic base hack")
    assert complete(reversed(right(one)), [one]) == tuple(right(one))


def test_a_row_about_no_case_is_refused():
    one = candidate()
    stranger = msgspec.structs.replace(right(one)[0], case="s/t#op.99")
    with pytest.raises(Inconsistent, match="do not exist"):
        complete([*right(one), stranger], [one])


def test_two_rows_for_one_case_are_refused():
    one = candidate()
    with pytest.raises(Inconsistent, match="two rows"):
        complete(right(one) * 2, [one])


def test_a_row_that_contradicts_its_case_is_refused():
    one = candidate()
    wrong = msgspec.structs.replace(right(one)[0], kind=CaseKind.HACK, decision=Decision(verdict=Verdict.PASS))
    with pytest.raises(Inconsistent, match="the case is"):
        complete([wrong], [one])
