"""Recall: BFCL's own checker in the reference's place, and what the audit finds of its known defects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from verifierbench.audit.recall import CHECKS, opaque, recall
from verifierbench.core import DEVELOPMENT, Candidate, Decision, SourceRecord, Unavailable, UserError, Verdict
from verifierbench.core.files import encode_lines, write_atomically
from verifierbench.measures import exact_interval
from verifierbench.scoring import PublicEnvironments
from verifierbench.sources.bfcl import BFCL
from verifierbench.sources.bfcl.data import COMMAND
from verifierbench.sources.bfcl.reach import KNOWN
from verifierbench.suite import Manifest, Suite

from .climbers import NO_CALL, climbable, made

TASKS = ("simple_python_385", "multiple_20", "parallel_multiple_184", "live_simple_95-56-0", "irrelevance_67")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home in which bfcl is installed: the user's, or one for this run."""
    with pytest.MonkeyPatch.context() as patch:
        if not BFCL.status().ready:
            patch.setenv("VERIFIERBENCH_HOME", str(tmp_path_factory.mktemp("home")))
            try:
                BFCL.install(None)
            except Unavailable as error:
                pytest.skip(f"needs `{COMMAND}`: {error}")
        yield


@pytest.fixture(scope="module")
def records(home: None) -> list[tuple[Candidate, tuple[SourceRecord, ...]]]:
    """A few tasks with upstream's decisions on all their cases."""
    wanted = {f"bfcl/{name}" for name in TASKS}
    checker = BFCL.checker()
    assert checker is not None
    found = [each for each in BFCL.candidates(DEVELOPMENT) if each.task.id in wanted]
    decided = [
        (
            each,
            tuple(
                SourceRecord(
                    case=case.id,
                    case_hash=case.content_hash,
                    checker_version=checker.version,
                    decision=checker.decide(each.task, case.content),
                )
                for case in each.cases
            ),
        )
        for each in found
    ]
    checker.close()
    return decided


def suite_of(path: Path, parts: list[tuple[Candidate, tuple[SourceRecord, ...]]]) -> Suite:
    candidates = [each for each, _ in parts]
    cases = tuple(case for each in candidates for case in each.cases)
    manifest = Manifest(
        season="test", sources={}, tasks=len(candidates), cases=len(cases), excluded=0, hash="", made_of=""
    )
    write_atomically(path / "hidden/records.jsonl", b"")
    write_atomically(path / "hidden/source_records.jsonl", encode_lines(one for _, many in parts for one in many))
    return Suite(path, manifest, tuple(each.task for each in candidates), cases)


def recalled(path: Path, parts: list[tuple[Candidate, tuple[SourceRecord, ...]]]) -> dict[str, Any]:
    suite = suite_of(path, parts)
    with PublicEnvironments(suite.evidence) as environments:
        return recall(suite, environments)


@pytest.fixture(scope="module")
def found(
    records: list[tuple[Candidate, tuple[SourceRecord, ...]]], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    handmade = (made()[NO_CALL], ())
    return recalled(tmp_path_factory.mktemp("suite"), [*records, handmade])


def test_what_is_found_is_what_the_cases_touch(found: dict[str, Any]) -> None:
    """B1, B3, B4, B6 and B25 can be met by these tasks, and each has a case that meets it."""
    assert json.loads(json.dumps(found)) == found
    assert found["tasks"] == len(TASKS)
    assert list(found["defects"]) == [known.id for known in KNOWN]
    hit = {name for name, each in found["defects"].items() if each["found"]}
    assert (
        hit == {name for name, each in found["defects"].items() if each["in_reach"]} == {"B1", "B3", "B4", "B6", "B25"}
    )
    assert found["defects"]["B4"]["example"].startswith("bfcl/live_simple_95-56-0#")
    assert found["defects"]["B25"]["found"] == 2
    assert {"D2", "D23"} <= set(found["beyond"])
    assert found["unattributed"] == []


def test_the_shares_are_of_all_reproduced_defects_and_of_those_in_reach(found: dict[str, Any]) -> None:
    assert found["recall"] == {"found": 5, "of": 23, "share": 5 / 23, "interval": list(exact_interval(5, 23) or ())}
    assert found["recall_in_reach"]["share"] == 1
    # All of 5: the lower bound is the n-th root of 0.025.
    assert found["recall_in_reach"]["interval"] == pytest.approx([0.025 ** (1 / 5), 1])


def test_every_flaw_is_some_checks_and_some_entrys(found: dict[str, Any]) -> None:
    assert set(found["flaws"]) == set(CHECKS)
    attributed = sum(each["found"] for each in found["defects"].values()) + sum(found["beyond"].values())
    assert attributed + len(found["unattributed"]) == sum(found["flaws"].values())


def test_a_task_that_could_show_a_defect_and_has_no_case_for_it_is_told(found: dict[str, Any]) -> None:
    missed = found["defects"]["B1"]["missed"]
    assert [each["task"] for each in missed] == ["bfcl/multiple_20", "bfcl/live_simple_95-56-0"]
    assert missed[0] == {"task": "bfcl/multiple_20", "call": 0, "argument": "material", "value": "m-arble"}
    assert found["defects"]["B1"]["tasks_in_reach"] == found["defects"]["B1"]["tasks_found"] + len(missed)


def test_a_defect_that_no_case_touches_is_not_found(
    records: list[tuple[Candidate, tuple[SourceRecord, ...]]], tmp_path: Path
) -> None:
    """The same tasks without the cases that reorder a set: B4 stays in reach and is missed."""
    poor = []
    for each, decided in records:
        kept = tuple(case for case in each.cases if case.content == each.cases[0].content or _in_order(case))
        ids = {case.id for case in kept}
        poor.append((Candidate(task=each.task, cases=kept), tuple(one for one in decided if one.case in ids)))
    found = recalled(tmp_path, poor)
    assert found["defects"]["B4"]["in_reach"]
    assert found["defects"]["B4"]["found"] == 0
    assert found["defects"]["B4"]["example"] is None
    assert [each["task"] for each in found["defects"]["B4"]["missed"]] == ["bfcl/live_simple_95-56-0"]
    assert found["recall_in_reach"]["found"] == 4


def _in_order(case: Any) -> bool:
    calls = (call for turn in case.content["turns"] for call in turn["calls"])
    return all(call["arguments"].get("categories", ["red"])[:1] == ["red"] for call in calls)


def test_a_checker_that_is_always_right_has_nothing_to_be_found(
    records: list[tuple[Candidate, tuple[SourceRecord, ...]]], tmp_path: Path
) -> None:
    perfect = [(each, tuple(map(_right, each.cases, decided))) for each, decided in records]
    found = recalled(tmp_path, perfect)
    assert sum(found["flaws"].values()) == 0
    assert found["recall"]["found"] == 0
    assert found["recall"]["interval"][0] == 0


def _right(case: Any, record: SourceRecord) -> SourceRecord:
    return msgspec.structs.replace(record, decision=Decision(verdict=case.label))


def test_a_wrong_decision_nobody_can_explain_is_counted_for_no_defect(
    records: list[tuple[Candidate, tuple[SourceRecord, ...]]], tmp_path: Path
) -> None:
    """Gold rejected: no entry is about that, so it is unattributed and raises no recall."""
    (each, decided), *rest = records
    assert each.cases[0].kind == "gold"
    spoilt = msgspec.structs.replace(decided[0], decision=Decision(verdict=Verdict.FAIL))
    found = recalled(tmp_path, [(each, (spoilt, *decided[1:])), *rest])
    assert any(each.cases[0].id in says for says in found["unattributed"])


def test_the_judge_is_the_checker_and_not_the_reference() -> None:
    of = climbable(NO_CALL)
    said = tuple(
        SourceRecord(
            case=case.id, case_hash=case.content_hash, checker_version="v9", decision=Decision(verdict=Verdict.PASS)
        )
        for case in of.cases
    )
    other = opaque(msgspec.structs.replace(of, source_records=said))
    assert other.judge.version == "v9"
    assert all(other.judge.decide(view).ok for view in of.views.values())
    assert list(other.judge.mutants()) == []


def test_a_case_the_checker_never_saw_is_left_out(
    records: list[tuple[Candidate, tuple[SourceRecord, ...]]], tmp_path: Path
) -> None:
    (each, decided), *rest = records
    found = recalled(tmp_path, [(each, decided[3:]), *rest])
    assert found["cases"] == sum(len(each.cases) for each, _ in records) - 3


def test_a_suite_without_the_checkers_decisions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="bfcl"):
        recalled(tmp_path, [(made()[NO_CALL], ())])
