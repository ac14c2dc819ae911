"""Why ACEBench's checker disagrees: each entry of the ledger on invented tasks; upstream is never asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from verifierbench.core import DEVELOPMENT, Candidate, Case, CaseKind, Decision, Explanation, Ground, Reason, Verdict
from verifierbench.sources.acebench import comparison
from verifierbench.sources.acebench.curation import HERE, curation
from verifierbench.sources.acebench.data import load
from verifierbench.sources.acebench.explanations import explain
from verifierbench.sources.acebench.tasks import candidates
from verifierbench.sources.due import slots

from .acebench_entries import DEFECTS, ENTRIES, TASKS, write

CALL, TALK = "acebench/en_normal_single_turn_single_function_0", "acebench/en_normal_multi_turn_user_adjust_1_0"
MISSING, MALFORMED, UNFIT = (f"acebench/en_special_{kind}_0" for kind in ("incomplete", "error_param", "irrelevant"))
ABSENT = object()
Ask = Callable[[str, Any, Verdict], Explanation | None]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Candidate]:
    (tmp_path / "tasks.toml").write_text(TASKS)
    (tmp_path / "defects.toml").write_text(DEFECTS)
    tables = curation(tmp_path)
    monkeypatch.setattr(comparison, "curation", lambda: tables)
    entries = load(tmp_path / "up", ENTRIES, write(tmp_path / "up"))
    return {found.task.id: found for found in candidates(entries, tables, DEVELOPMENT)}


@pytest.fixture
def ask(made: dict[str, Candidate]) -> Ask:
    """What the ledger says of a solution on which upstream says the opposite of the label."""

    def why(task: str, content: Any, said: Verdict) -> Explanation | None:
        kind = CaseKind.COSMETIC if said is Verdict.FAIL else CaseKind.NEAR_MISS
        case = Case(
            id=f"{task}#x.0",
            task=task,
            kind=kind,
            content=content,
            operator="x",
            grounds=(Ground(clause="calls", note="x"),),
        )
        return explain(made[task].task, case, Decision(verdict=said))

    return why


def _gold(made: dict[str, Candidate], task: str) -> Any:
    return json.loads(json.dumps(next(case.content for case in made[task].cases if case.kind == "gold")))


def _changed(made: dict[str, Candidate], change: dict[str, Any]) -> Any:
    content = _gold(made, CALL)
    (call,) = content["turns"][0]["calls"]
    call["arguments"] = {n: v for n, v in (call["arguments"] | change).items() if v is not ABSENT}
    return content


@pytest.mark.parametrize(
    ("change", "entry"),
    [
        ({"count": 4}, "A2"),
        ({"windy": False}, "A2"),
        ({"count": True}, None),  # upstream reads the type
        ({"beach": "Amber Strand or so"}, "A3"),
        ({"beach": "not Amber Strand"}, "A3"),
        ({"holder": {"name": "Ida Voss", "ages": [7, 9]}}, "A3"),
        ({"colors": ABSENT}, "A4"),
        ({"beach": "Amber-Strand"}, "A14"),
        ({"colors": ["r-ed", "teal"]}, "A14"),
        ({"windy": "true"}, "A16"),
        ({"code": "XYZ"}, "G1"),
        ({"code": "ABC"}, None),
        ({"beach": ABSENT}, None),
        ({"beach": "Grey Point"}, None),
        ({"remark": "x"}, None),
        ({"holder": {"name": "Ida"}}, None),
        ({"holder": "Ida"}, None),
        ({"colors": ["red"]}, None),
    ],
)
def test_a_wrong_acceptance_has_the_entry_that_holds_of_it(
    made: dict[str, Candidate], ask: Ask, change: dict[str, Any], entry: str | None
) -> None:
    found = ask(CALL, _changed(made, change), Verdict.PASS)
    assert (found and found.defect) == entry


@pytest.mark.parametrize(
    ("change", "entry"),
    [
        ({"colors": ["teal", "red"]}, "A13"),
        ({"holder": {"name": "Ida", "ages": [7.0, 9]}}, "A15"),
        ({"extras": ["tail"]}, "A17"),
        ({}, None),
        ({"beach": "amber strand"}, None),
        ({"holder": {"ages": [7, 9], "name": "Ida"}}, None),
        ({"count": 3.0}, None),
    ],
)
def test_a_wrong_rejection_has_the_entry_that_holds_of_it(
    made: dict[str, Candidate], ask: Ask, change: dict[str, Any], entry: str | None
) -> None:
    found = ask(CALL, _changed(made, change), Verdict.FAIL)
    assert (found and found.defect) == entry


def test_one_call_that_serves_two_due_ones_is_the_shared_calls_entry(made: dict[str, Candidate], ask: Ask) -> None:
    content = _gold(made, TALK)
    content["turns"][0]["calls"] = [
        {"name": "gulls_count", "arguments": {"beach": text}} for text in ("Grey Point, Long Bank", "nowhere")
    ]
    found = ask(TALK, content, Verdict.PASS)
    assert found is not None
    assert "A3, A5" in found.what
    content["turns"][0]["calls"].append(content["turns"][0]["calls"][1])
    assert ask(TALK, content, Verdict.PASS) is None  # upstream counts calls


@pytest.mark.parametrize(
    ("task", "change", "entry"),
    [
        (MISSING, {"parameters": ["count", "code"]}, "A11"),
        (MISSING, {"parameters": ["counts"]}, "A11"),
        (MISSING, {"remark": "x"}, "A11"),
        (MISSING, {"parameters": ["code"]}, None),
        (MISSING, {"tool": "gulls_count"}, None),
        (MALFORMED, {"tool": "gulls_count"}, "A11"),
        (MALFORMED, {"values": {"beach": "ab1"}}, "A11"),
        (MALFORMED, {"values": {"code": "AB1"}}, None),
        (UNFIT, {"tool": "gulls_count"}, "A11"),
        (UNFIT, {"verdict": "missing_parameters"}, None),
    ],
)
def test_a_reply_passes_where_the_words_stand_anywhere(
    made: dict[str, Candidate], ask: Ask, task: str, change: dict[str, Any], entry: str | None
) -> None:
    content = _gold(made, task)
    content["turns"][0]["answer"] |= change
    found = ask(task, content, Verdict.PASS)
    assert (found and found.defect) == entry


def test_a_call_beside_a_reply_is_not_looked_at(made: dict[str, Candidate], ask: Ask) -> None:
    content = _gold(made, UNFIT)
    content["turns"][0]["calls"] = [{"name": "gulls_count", "arguments": {"beach": "oven"}}]
    found = ask(UNFIT, content, Verdict.PASS)
    assert found is not None
    assert (found.defect, found.what) == ("A11", "the words are there, and calls is not looked at")


def test_agreement_and_a_decision_without_a_verdict_need_no_entry(made: dict[str, Candidate]) -> None:
    gold = next(case for case in made[CALL].cases if case.kind == "gold")
    assert explain(made[CALL].task, gold, Decision(verdict=Verdict.PASS)) is None
    assert explain(made[CALL].task, gold, Decision(reason=Reason.TIMEOUT)) is None


def test_every_entry_the_explanations_name_stands_in_the_ledger() -> None:
    known = {defect.id for defect in curation(HERE).defect}
    named = {value for name, value in vars(comparison).items() if name.isupper() and isinstance(value, str)}
    assert named <= known
    assert len(known) == len(curation(HERE).defect)


def test_gold_of_every_invented_task_is_taken_plainly(made: dict[str, Candidate]) -> None:
    for task in (CALL, TALK):
        calls = _gold(made, task)["turns"][0]["calls"]
        for slot, call in zip(slots(made[task].task), calls, strict=True):
            assert comparison.taken_call(slot, call) == frozenset()
