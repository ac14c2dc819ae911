"""A report's numbers add up, whatever was seen; nothing is lost on the way and nothing is taken for more than it is."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.audit.checks import NAMES
from verifierbench.audit.formats.document import counts, document
from verifierbench.audit.report import assemble
from verifierbench.core import Inconsistent
from verifierbench.suite import Excluded

from .reports import EXCLUDED, TASKS, check, failing, flaw, passing, seen, suite, task


def outcomes(report):
    return {outcome.task: outcome for outcome in report.outcomes}


def test_every_candidate_has_an_outcome_with_every_reason_and_its_evidence():
    report = failing()
    found = outcomes(report)
    assert list(found) == ["own/a", "own/b", "up/c", "up/d", "up/e"]
    assert (found["own/a"].at, found["own/a"].reasons, found["own/a"].evidence) == (None, (), ())
    assert (found["own/b"].at, found["own/b"].reasons) == ("audit", ("replay.wrong", "mutation.wrong"))
    own = {finding.id for finding in report.findings if finding.task == "own/b"}
    assert set(found["own/b"].evidence) == own
    assert len(own) == 3
    assert (found["up/d"].at, found["up/d"].reasons) == ("build", ("reference_disagrees",))
    assert found["up/e"].reasons == ("replay.wrong", "mutation.wrong")
    assert found["up/e"].evidence == ("replay-1", "mutation-2")


def test_counts_worked_out_by_hand():
    # Five candidates: a stays; b counts under replay, its first reason; c under mutation; d and e went before.
    assert counts(failing()) == {
        "candidates": 5,
        "retained": 1,
        "excluded": {"mutation.missing": 1, "reference_disagrees": 1, "replay.wrong": 2},
        "excluded_by_source": {"own": 1, "up": 3},
        "retained_by_source": {"own": 1},
        "retained_by_family": {"tool_call": 1},
    }


def test_a_flaw_of_the_suite_as_a_whole_excludes_no_task():
    clean = [seen("mutation", one.id) for one in TASKS]
    report = assemble(suite(), clean, (check("mutation", overall=lambda _: (flaw("mutation", ""),)),))
    assert not report.ok
    assert len(report.retained) == 3
    assert [finding.task for finding in report.findings] == [""]


def test_ok_complete_and_exercised_are_three_things():
    report = passing()
    assert (report.ok, report.exercised, report.complete) == (True, True, False)
    whole = [seen(name, one.id, name != "agreement") for name in NAMES for one in TASKS]
    report = assemble(suite(), whole, tuple(map(check, NAMES)))
    assert (report.ok, report.exercised, report.complete) == (True, False, True)
    assert [one.name for one in report.checks if not one.exercised] == ["agreement"]


def test_a_check_that_only_failed_is_not_exercised():
    report = assemble(suite(task("own/a")), [seen("replay", "own/a", 0, flaw("replay", "own/a"))], (check("replay"),))
    assert not report.ok
    assert not report.exercised


def test_mutants_worked_out_by_hand():
    # 4 + 7 + 1 mutants of three tasks; by operator only what the tasks named.
    found = failing().mutants
    assert (found.total, found.killed, found.equivalent, found.survived) == (12, 8, 1, 3)
    assert found.by_operator == {"drop": 9, "loosen": 2}
    assert found.configurations_per_task == 4.0
    assert passing().mutants.configurations_per_task is None


def test_agreement_worked_out_by_hand():
    # b: 3/4 + 4/4 - 1 = 0.75; c: 1/2 + 1/2 - 1 = 0; mean 37.5 %. a has no invalid case: counted, but not scored.
    examined = [
        seen("agreement", "own/a", 2, cases=2, agree=2, explained=0, tp=2, pos=2, tn=0, neg=0),
        seen("agreement", "own/b", 8, cases=8, agree=7, explained=1, tp=3, pos=4, tn=4, neg=4),
        seen("agreement", "own/c", 2, cases=4, agree=2, explained=1, tp=1, pos=2, tn=1, neg=2),
        seen("agreement", "up/d", 0),
    ]
    tasks = (task("own/a"), task("own/b"), task("own/c"), task("up/d"))
    report = assemble(suite(*tasks), examined, (check("agreement"),))
    assert list(report.source_agreement) == ["own"]
    found = report.source_agreement["own"]
    assert (found.tasks, found.cases, found.agree, found.explained, found.unexplained) == (3, 14, 11, 2, 1)
    assert (found.ba_norm, found.ba_norm_tasks) == (37.5, 2)


@pytest.mark.parametrize(
    ("examined", "complaint"),
    [
        ([seen("replay", "own/a"), seen("replay", "own/b")], "replay left out up/c"),
        ([seen("replay", one.id) for one in (*TASKS, task("own/z"))], "replay has examined own/z"),
        ([seen("replay", one.id) for one in (*TASKS, TASKS[0])], "replay examined own/a twice"),
        ([seen("other", one.id) for one in TASKS], "other has examined own/a"),
        (
            [seen("replay", one.id, 0, flaw("replay", one.id, reason="undeclared")) for one in TASKS],
            "a reason it does not declare: undeclared",
        ),
        (
            [seen("replay", one.id, 0, flaw("replay", "own/b")) for one in TASKS],
            "gave own/a a flaw of replay in 'own/b'",
        ),
        ([seen("replay", one.id, 0, flaw("other", one.id)) for one in TASKS], "a flaw of other"),
    ],
)
def test_what_is_left_out_or_made_up_is_refused(examined, complaint):
    with pytest.raises(Inconsistent, match=complaint):
        assemble(suite(), examined, (check("replay"),))


def test_two_flaws_about_the_same_thing_are_both_told_under_ids_of_their_own():
    twice = (flaw("replay", "own/a", says="once"), flaw("replay", "own/a", says="twice"))
    report = assemble(suite(task("own/a")), [seen("replay", "own/a", 1, *twice)], (check("replay"),))
    first, second = report.findings
    assert second.id == f"{first.id}-2"
    assert [first.says, second.says] == ["once", "twice"]


def test_a_report_survives_the_way_through_json():
    report = passing()
    assert msgspec.json.decode(msgspec.json.encode(report), type=type(report)) == report


@st.composite
def audits(draw):
    tasks = [task(f"{draw(st.sampled_from(['own', 'up']))}/{n}") for n in range(draw(st.integers(0, 6)))]
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1))
    flaws = st.lists(st.sampled_from(["wrong", "missing"]), max_size=2)
    examined = [
        seen(
            name,
            one.id,
            draw(st.integers(0, 2)),
            *(flaw(name, one.id, reason=reason, place=str(n)) for n, reason in enumerate(draw(flaws))),
        )
        for name in names
        for one in tasks
    ]
    before = [
        Excluded(task=f"gone/{draw(st.integers(0, 2))}", source="gone", reason=draw(st.sampled_from("ab")), evidence=())
        for _ in range(draw(st.integers(0, 4)))
    ]
    return tasks, names, examined, before


@given(audits())
def test_numbers_add_up_whatever_was_seen(audit):
    tasks, names, examined, before = audit
    facts = suite(*TASKS)
    facts = msgspec.structs.replace(facts, tasks=tuple(tasks))
    report = assemble(facts, examined, tuple(map(check, names)), before)
    found = counts(report)
    assert found["candidates"] == len(tasks) + len({one.task for one in before})
    assert found["candidates"] == found["retained"] + sum(found["excluded"].values())
    assert sum(found["excluded"].values()) == sum(found["excluded_by_source"].values())
    assert found["retained"] == sum(found["retained_by_source"].values()) == sum(found["retained_by_family"].values())
    flawed = {one.task for one in examined if one.flaws}
    assert flawed == {outcome.task for outcome in report.outcomes if outcome.at == "audit"}
    assert report.ok is not bool(flawed)
    told = document(report)
    for name, one in told["checks"].items():
        assert one["failed"] == len(one["findings"]) == sum(len(x.flaws) for x in examined if x.check == name)
        assert one["passed"] == sum(x.passed for x in examined if x.check == name)
    ids = Counter(finding.id for finding in report.findings)
    assert not ids or max(ids.values()) == 1
    assert [i for outcome in report.outcomes if outcome.at == "audit" for i in outcome.evidence] == [
        finding.id for one in tasks for finding in report.findings if finding.task == one.id
    ]


def test_what_was_excluded_before_keeps_its_reasons():
    report = assemble(suite(), [seen("replay", one.id) for one in TASKS], (check("replay"),), EXCLUDED)
    assert report.ok
    assert len(report.excluded) == 2
