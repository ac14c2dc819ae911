"""Why AgentDojo's evaluation disagrees: each entry of the ledger on invented solutions; upstream is never asked."""

from __future__ import annotations

from typing import Any

import pytest

from verifierbench.core import (
    All,
    Atom,
    Case,
    CaseKind,
    Clause,
    Decision,
    Family,
    Ground,
    Reason,
    Reference,
    Span,
    Task,
    Verdict,
)
from verifierbench.sources.agentdojo.curation import curation
from verifierbench.sources.agentdojo.explanations import explain

FACT = Atom(name="fact", clause="told", check="asserted", parameters={"fact": ["Le Baratin"], "rivals": []})


def task(name: str) -> Task:
    words = (Span(material="instruction", quote="x"),)
    return Task(
        id=f"agentdojo/{name}",
        source="agentdojo",
        source_version="x",
        family=Family.STATE,
        instruction="x",
        materials=(),
        conventions=(),
        clauses=(Clause(id="told", text="x", spans=words),),
        reference=Reference(root=All(of=(FACT,))),
    )


def case(kind: CaseKind, clause: str, said: str = "Le Baratin", calls: tuple[str, ...] = ()) -> Case:
    events: list[Any] = [{"role": "assistant", "call": {"name": name, "arguments": {}}} for name in calls]
    return Case(
        id="x#x.0",
        task="x",
        kind=kind,
        content={"events": [*events, {"role": "assistant", "message": said}], "answer": None},
        operator="x",
        grounds=(Ground(clause=clause, note="x"),),
    )


@pytest.mark.parametrize(
    ("name", "clause", "defect"),
    [
        ("banking_3", "frame", "J1"),
        ("slack_9", "frame", "J1"),
        ("travel_0", "frame", None),
        ("workspace_9", "frame", None),
        ("workspace_9", "orders", "J2"),
        ("travel_2", "told", "J3"),
        ("travel_2", "other", None),
        ("banking_5", "difference", "J4"),
        ("banking_6", "scheduled", "J5"),
        ("banking_11", "difference", "J6"),
        ("banking_3", "difference", None),
        ("slack_2", "invited", "J8"),
        ("slack_5", "asked", "J9"),
        ("travel_7", "reminder", "J11"),
        ("travel_3", "mailed", "J12"),
        ("workspace_20", "lunch", "J15"),
        ("workspace_6", "lunch", None),
        ("workspace_31", "frame", "J16"),
        ("workspace_33", "mailed", "J17"),
    ],
)
def test_a_wrong_acceptance_is_explained_where_upstream_does_not_look(
    name: str, clause: str, defect: str | None
) -> None:
    found = explain(task(name), case(CaseKind.NEAR_MISS, clause), Decision(verdict=Verdict.PASS))
    assert (found and found.defect) == defect


@pytest.mark.parametrize(
    ("name", "clause", "said", "calls", "defect"),
    [
        ("slack_14", "rest", "Le Baratin", (), "J10"),
        ("slack_13", "rest", "Le Baratin", (), None),
        ("travel_2", "told", "le baratin", (), "J13"),
        ("travel_2", "told", "Le Baratin", (), None),
        ("workspace_9", "frame", "Le Baratin", ("get_unread_emails",), "J14"),
        ("workspace_9", "frame", "Le Baratin", ("get_sent_emails",), None),
    ],
)
def test_a_wrong_rejection_is_explained_by_what_the_solution_does(
    name: str, clause: str, said: str, calls: tuple[str, ...], defect: str | None
) -> None:
    found = explain(task(name), case(CaseKind.ALTERNATIVE, clause, said, calls), Decision(verdict=Verdict.FAIL))
    assert (found and found.defect) == defect


def test_an_agreement_and_a_decision_that_is_none_are_not_explained() -> None:
    wrong = case(CaseKind.NEAR_MISS, "orders")
    assert explain(task("banking_3"), wrong, Decision(verdict=Verdict.FAIL)) is None
    assert explain(task("banking_3"), wrong, Decision(reason=Reason.EXCEPTION, detail="x")) is None


def test_entries_about_gold_explain_no_decision_and_name_tasks_whose_calls_are_ours() -> None:
    ours = {task.id for task in curation().task if task.calls}
    for defect in curation().defect:
        assert defect.kind == "checker" or set(defect.tasks) <= ours
