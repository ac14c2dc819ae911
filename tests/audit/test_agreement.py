"""Agreement: a disagreement nobody has accounted for is found, and so is a decision that was never made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from verifierbench.audit import Subject, TreeJudge
from verifierbench.audit.checks import check
from verifierbench.core import (
    DEVELOPMENT,
    Candidate,
    Case,
    Decision,
    Explanation,
    Reason,
    SourceRecord,
    Verdict,
)
from verifierbench.families.tool_call import FAMILY
from verifierbench.sources.bfcl.curation import Curated, Curation, Due
from verifierbench.sources.bfcl.data import Entry
from verifierbench.sources.bfcl.tasks import candidates

from .climbers import DESK
from .climbers import NO_CALL as CALLS
from .climbers import climbable as subject
from .subjects import changed, edited, flaws, reproduces, told


def record(case: Case, decision: Decision) -> SourceRecord:
    return SourceRecord(case=case.id, case_hash=case.content_hash, checker_version="checker 7", decision=decision)


def agreeing(name: str, **other: Decision) -> Subject:
    """A task whose checker says what the labels say, but for some cases (by their place)."""
    whole = subject(name)
    said = [other.get(f"case{place}", Decision(verdict=case.label)) for place, case in enumerate(whole.cases)]
    return changed(whole, source_records=tuple(map(record, whole.cases, said)))


def opposite(of: Subject, place: int) -> Decision:
    wrong = Verdict.FAIL if of.cases[place].label is Verdict.PASS else Verdict.PASS
    return Decision(verdict=wrong, detail="because")


def ledger(*places: int) -> Any:
    """A ledger that knows some cases by their place and nothing else."""

    def explain(case: Case, decision: Decision) -> Explanation | None:
        known = {subject(CALLS).cases[place].id for place in places}
        return Explanation(defect="L1", what="it is known") if case.id in known else None

    return explain


@pytest.mark.parametrize("name", [CALLS, DESK])
def test_a_checker_that_agrees_leaves_nothing_to_explain(name: str):
    whole = agreeing(name)
    found = check("agreement").examine(whole)
    valid = sum(case.label is Verdict.PASS for case in whole.cases)
    assert found.flaws == ()
    assert found.passed == len(whole.cases)
    assert found.facts == {
        "cases": len(whole.cases),
        "agree": len(whole.cases),
        "explained": 0,
        "tp": valid,
        "pos": valid,
        "tn": len(whole.cases) - valid,
        "neg": len(whole.cases) - valid,
    }


def test_a_disagreement_without_an_entry_is_named(tmp_path: Path):
    whole = subject(CALLS)
    of = agreeing(CALLS, case2=opposite(whole, 2))
    found = flaws("agreement", of)
    assert told(found) == [("unexplained", whole.cases[2].id, "")]
    assert found[0].evidence["label"] != found[0].evidence["checker"]
    assert found[0].evidence["detail"] == "because"
    reproduces(found[0], tmp_path)


def test_an_entry_that_holds_settles_it_and_an_entry_about_another_case_does_not():
    whole = subject(CALLS)
    of = agreeing(CALLS, case2=opposite(whole, 2), case5=opposite(whole, 5))
    settled = check("agreement").examine(changed(of, explain=ledger(2, 5)))
    assert settled.flaws == ()
    assert settled.facts["explained"] == 2
    assert settled.facts["agree"] == len(whole.cases) - 2
    half = changed(of, explain=ledger(5, 7))
    assert told(flaws("agreement", half)) == [("unexplained", whole.cases[2].id, "")]
    assert check("agreement").examine(half).facts["explained"] == 1


def test_the_ledger_is_not_asked_where_checker_and_label_agree():
    def refuse(case: Case, decision: Decision) -> Explanation | None:
        raise AssertionError(case.id)

    assert flaws("agreement", changed(agreeing(CALLS), explain=refuse)) == ()


def test_a_checker_that_falls_over_is_no_agreement(tmp_path: Path):
    whole = subject(CALLS)
    of = agreeing(CALLS, case1=Decision(reason=Reason.EXCEPTION, detail="KeyError: 'x'"))
    found = flaws("agreement", of)
    assert told(found) == [("no_decision", whole.cases[1].id, "")]
    assert "KeyError" in found[0].says
    assert check("agreement").examine(of).facts["agree"] == len(whole.cases) - 1
    reproduces(found[0], tmp_path)
    assert flaws("agreement", changed(of, explain=ledger(1))) == ()


def test_a_case_the_checker_never_saw_is_named(tmp_path: Path):
    of = agreeing(CALLS)
    found = flaws("agreement", changed(of, source_records=of.source_records[1:]))
    assert told(found) == [("missing", of.cases[0].id, "")]
    reproduces(found[0], tmp_path)


def test_a_decision_about_other_bytes_is_no_decision_about_the_case():
    of = agreeing(CALLS)
    case = of.cases[4]
    content = {"turns": [*case.content["turns"], {"calls": [], "message": "late", "answer": None}]}
    assert told(flaws("agreement", edited(of, case, content=content))) == [("missing", case.id, "")]


def test_a_source_without_a_checker_gives_nothing_to_look_at():
    found = check("agreement").examine(changed(subject(CALLS), source_records=()))
    assert (found.passed, found.flaws) == (0, ())
    assert found.facts["cases"] == 0


def test_the_facts_are_what_ba_norm_is_made_of():
    """A checker that accepts everything: TPR 1, TNR 0, hence J 0."""
    whole = subject(DESK)
    accepts = Decision(verdict=Verdict.PASS)
    of = changed(whole, source_records=tuple(record(case, accepts) for case in whole.cases))
    facts = check("agreement").examine(of).facts
    assert facts["tp"] == facts["pos"] > 0
    assert facts["tn"] == 0 < facts["neg"]
    assert facts["agree"] == facts["pos"]
    assert facts["tp"] / facts["pos"] + facts["tn"] / facts["neg"] - 1 == 0


def gulls() -> Candidate:
    """A task made the way upstream's entries are, of an entry upstream does not have."""
    hours = {"hours": {"type": "integer", "description": "For how long."}}
    parameters = {"type": "dict", "properties": hours, "required": ["hours"]}
    tool = {"name": "count_gulls", "description": "Count gulls.", "parameters": parameters}
    gold = [{"count_gulls": {"hours": [4]}}]
    entry = Entry(id="simple_python_9100", instruction="Count gulls for 4 hours.", tools=[tool], gold=gold)
    read = Curation(task=(Curated(id=entry.id, call=(Due(why="Count gulls"),)),))
    return next(candidates({entry.id: entry}, read, DEVELOPMENT))


def test_a_reproduction_asks_the_sources_own_ledger(tmp_path: Path):
    """A disagreement that the audit had no ledger for: the script asks the source's, and the flaw is gone."""
    made = gulls()
    case = next(case for case in made.cases if case.operator == "integral_number")
    of = Subject(
        task=made.task,
        cases=(case,),
        family=FAMILY,
        judge=TreeJudge.of(made.task.reference, FAMILY),
        views={},
        source_records=(record(case, Decision(verdict=Verdict.FAIL)),),
    )
    (flaw,) = flaws("agreement", of)
    path = tmp_path / "reproduction.py"
    path.write_text(flaw.reproduction)
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "B6" in done.stdout
