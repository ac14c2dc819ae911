"""The plants themselves: enough of them, well spread, pure, and each a change of the task it names.

Whether a check finds them is the self-audit's business. Handmade tasks are made here from their sources: tool calls
execute nothing, errands are replayed in this process. Of a code task gold and the empty patch are executed, and what
they showed stands for every PASS and every FAIL: changes look at the shape of a view and at nothing it says.
"""

from collections import Counter
from functools import cache

import msgspec
import pytest

from verifierbench.audit import Subject, TreeJudge
from verifierbench.audit.ladder import ladder
from verifierbench.audit.selfaudit import plants, with_runs
from verifierbench.audit.selfaudit.claims import (
    atom_doubled,
    cite_instead,
    cites,
    clause_renamed,
    controlling,
    quoting,
    replayed,
    unexplained,
    upstream_says,
    upstream_silent,
    violating,
)
from verifierbench.audit.selfaudit.edits import (
    atom_dropped,
    copied,
    kept,
    named,
    referenced,
    refrozen,
    relabelled,
    rewritten,
    seen,
    unseen,
)
from verifierbench.audit.selfaudit.pointers import keys_reversed, put, turned
from verifierbench.core import (
    DEVELOPMENT,
    CaseKind,
    Decision,
    Explanation,
    Family,
    Inconsistent,
    SourceRecord,
    Unavailable,
    UnknownName,
    Verdict,
    atoms,
    content_hash,
)
from verifierbench.families import family, view
from verifierbench.scoring import environment_version
from verifierbench.sources.bfcl import BFCL
from verifierbench.sources.handmade import HANDMADE
from verifierbench.sources.handmade.state.environment import replay
from verifierbench.suite import span_occurs

ALL_FAMILIES = (
    "replay",
    "repeatability",
    "provenance",
    "consistency",
    "baselines",
    "mutation",
    "grounding",
    "potency",
)
CHECKS = (*ALL_FAMILIES, "agreement")
PLANTS = {plant.name: plant for check in CHECKS for plant in plants(check)}
HANDMADE_TASKS = {candidate.task.id: candidate for candidate in HANDMADE.candidates(DEVELOPMENT)}


@cache
def bfcl():
    return {candidate.task.id: candidate for candidate in BFCL.candidates(DEVELOPMENT)} if BFCL.status().ready else {}


def executed(candidate):
    """A view for every case."""
    task, definition = candidate.task, family(candidate.task.family)

    def look(content):
        return view(definition, task.reference, content, execute)

    if task.family is not Family.CODE:
        execute = lambda request: replay(request["events"])  # noqa: E731
        return {case.id: look(case.content) for case in candidate.cases}
    try:
        execute = HANDMADE.environment(task).execute
        gold = next(case.content for case in candidate.cases if case.kind is CaseKind.GOLD)
        runs = {Verdict.PASS: look(gold)["runs"], Verdict.FAIL: look({"patch": ""})["runs"]}
    except Unavailable as missing:
        pytest.skip(str(missing))
    return {case.id: {"solution": case.content, "runs": runs[case.label]} for case in candidate.cases}


def checked(candidate):
    """What upstream's own checker says; nothing of a handmade task."""
    if candidate.task.source == "handmade":
        return ()
    checker = BFCL.checker()
    try:
        return tuple(
            SourceRecord(
                case=case.id,
                case_hash=case.content_hash,
                checker_version=checker.version,
                decision=checker.decide(candidate.task, case.content),
            )
            for case in candidate.cases
        )
    finally:
        checker.close()


@cache
def subject(task):
    """The sound subject a plant is planted in."""
    candidate = HANDMADE_TASKS.get(task) or bfcl().get(task)
    if candidate is None:
        pytest.skip("needs `verifierbench sources install bfcl`")
    definition, origin = family(candidate.task.family), HANDMADE if candidate.task.source == "handmade" else BFCL
    return refrozen(
        Subject(
            task=candidate.task,
            cases=candidate.cases,
            family=definition,
            judge=TreeJudge.of(candidate.task.reference, definition),
            views=executed(candidate),
            source_records=checked(candidate),
            environment_version=environment_version(candidate.task),
            ladder=ladder(candidate.task.family),
            explain=lambda case, decision: origin.explain(candidate.task, case, decision),
        )
    )


def fields(subject):
    """Everything a plant may change."""
    parts = (subject.task, subject.cases, subject.views, subject.records, subject.source_records, subject.runs)
    return (*parts, subject.judge.version, subject.environment_version, subject.ladder)


def fingerprint(subject):
    """The same with the order of keys."""
    return content_hash([msgspec.to_builtins(part) for part in fields(subject)])


@cache
def untouched(task):
    """A task's fingerprint before anything was planted in it."""
    return fingerprint(subject(task))


@cache
def changed(name):
    """The subject a plant makes; each is planted once."""
    plant = PLANTS[name]
    untouched(plant.task)
    return plant.change(subject(plant.task))


def of(check):
    return [plant for plant in PLANTS.values() if plant.check == check]


def family_of(plant):
    known = HANDMADE_TASKS.get(plant.task)
    return known.task.family if known else Family.TOOL_CALL


def test_every_name_is_unique():
    names = [plant.name for check in CHECKS for plant in plants(check)]
    assert len(set(names)) == len(names)
    assert all(plant.name == f"{plant.check}.{plant.name.partition('.')[2]}" for plant in PLANTS.values())


def test_a_check_without_plants_is_named():
    with pytest.raises(UnknownName, match="edits"):
        plants("edits")


@pytest.mark.parametrize("check", CHECKS)
def test_each_check_has_enough_plants(check):
    assert {plant.check for plant in plants(check)} == {check}
    assert sum(plant.expect == "flaw" for plant in of(check)) >= 12
    assert sum(plant.expect == "silence" for plant in of(check)) >= 12
    assert sum(plant.odd for plant in of(check)) >= 5


@pytest.mark.parametrize("expect", ["flaw", "silence"])
@pytest.mark.parametrize("check", ALL_FAMILIES)
def test_plants_are_spread_over_the_families(check, expect):
    spread = Counter(family_of(plant) for plant in of(check) if plant.expect == expect)
    assert set(spread) == {Family.TOOL_CALL, Family.STATE, Family.CODE}
    assert min(spread.values()) >= 4
    assert len({plant.task for plant in of(check) if plant.expect == expect}) >= 8


def test_defects_for_agreement_are_where_a_checker_is_and_some_controls_where_none_is():
    spread = {
        plant.expect: {other.task for other in of("agreement") if other.expect == plant.expect}
        for plant in of("agreement")
    }
    assert len(spread["flaw"]) >= 12
    assert all(task.startswith("bfcl/") for task in spread["flaw"])
    silent = {HANDMADE_TASKS[task].task.family for task in spread["silence"] if task in HANDMADE_TASKS}
    assert silent == set(Family) - {Family.OTHER}


def test_only_controls_are_odd_and_only_defects_have_a_place():
    assert not [plant.name for plant in PLANTS.values() if plant.odd and plant.expect == "flaw"]
    assert not [plant.name for plant in PLANTS.values() if plant.where and plant.expect == "silence"]


def test_every_plant_says_what_was_done_in_one_sentence():
    for said in (plant.says for plant in PLANTS.values()):
        assert said.endswith(".")
        assert ". " not in said


@pytest.mark.parametrize("name", PLANTS)
def test_a_plant_changes_its_task(name):
    plant = PLANTS[name]
    sound, planted = subject(plant.task), changed(name)
    touched = fields(planted) != fields(sound) or fingerprint(planted) != fingerprint(sound)
    assert touched or planted.explain is not sound.explain
    assert planted.task.id == plant.task
    ids = [case.id for case in planted.cases]
    assert len(set(ids)) == len(ids)
    assert plant.where == "" or plant.where in ids


@pytest.mark.parametrize("task", sorted({plant.task for plant in PLANTS.values()}))
def test_plants_leave_the_sound_task_as_it_was(task):
    before = untouched(task)
    for plant in PLANTS.values():
        if plant.task == task:
            changed(plant.name)
    assert fingerprint(subject(task)) == before


@pytest.mark.parametrize("name", [plant.name for plant in of("replay") if family_of(plant) is not Family.CODE])
def test_a_defect_for_replay_is_there_and_in_a_control_it_is_not(name):
    plant, planted = PLANTS[name], changed(name)
    findings = [(case, planted.finding(case)) for case in planted.cases]
    wrong = {case.id for case, found in findings if found is None or found.ok != (case.label is Verdict.PASS)}
    assert bool(wrong) == (plant.expect == "flaw")
    assert plant.where == "" or plant.where in wrong


def ungrounded(subject):
    """What a person would say of a task's clauses and grounds: clauses' and cases' ids, with what is wrong."""
    clauses = {clause.id: clause for clause in subject.task.clauses}
    enforced = {atom.clause for atom in atoms(subject.task.reference.root)}
    found = {("unknown", name) for name in enforced - set(clauses)} | {
        ("idle", name) for name in set(clauses) - enforced
    }
    found |= {
        ("quoted", clause.id)
        for clause in clauses.values()
        for span in clause.spans
        if not span_occurs(subject.task, span)
    }
    named = {label: set() for label in Verdict}
    for case in subject.cases:
        cited = {ground.clause for ground in case.grounds}
        named[case.label] |= cited
        if not cited or cited - set(clauses):
            found.add(("grounds", case.id))
        if case.label is Verdict.FAIL and not cited & {atom.clause for atom in subject.finding(case).failed}:
            found.add(("holds", case.id))
    return found | {(label, name) for label in Verdict for name in set(clauses) - named[label]}


@pytest.mark.parametrize("name", [plant.name for plant in of("grounding") if family_of(plant) is not Family.CODE])
def test_a_defect_for_grounding_is_there_and_in_a_control_it_is_not(name):
    plant, found = PLANTS[name], ungrounded(changed(name))
    assert bool(found) == (plant.expect == "flaw")
    assert plant.where == "" or plant.where in {place for _, place in found}


@pytest.mark.parametrize("name", [plant.name for plant in of("agreement") if plant.task.startswith("bfcl/")])
def test_a_defect_for_agreement_is_there_and_in_a_control_it_is_not(name):
    plant, planted = PLANTS[name], changed(name)
    said = {record.case: record.decision for record in planted.source_records}
    wrong = set()
    for case in planted.cases:
        decision = said.get(case.id)
        right = decision is not None and decision.verdict is case.label
        known = decision is not None and decision.verdict is not None and planted.explain(case, decision) is not None
        if not right and not known:
            wrong.add(case.id)
    assert bool(wrong) == (plant.expect == "flaw")
    assert plant.where == "" or wrong == {plant.where}


def idle(subject):
    """Names of the mutants that flip no case which cites their clause."""
    ok = {case.id: subject.finding(case).ok for case in subject.cases}
    return {
        mutant.name
        for mutant in subject.judge.mutants()
        if not any(
            mutant.judge.decide(subject.views[case.id]).ok != ok[case.id]
            for case in subject.cases
            if any(ground.clause == mutant.clause for ground in case.grounds)
        )
    }


TOLD_APART = [
    "mutation.nobody_is_nearly_right",
    "mutation.grounds_swapped",
    "mutation.one_of_several_killers_less",
    "mutation.asked_twice",
    "mutation.one_turn_in_every_case",
    "mutation.asked_more_laxly_besides",
]
"""Plants of small tasks; the others take long to mutate."""


@pytest.mark.parametrize("name", TOLD_APART)
def test_a_part_is_idle_in_a_defect_for_mutation_and_in_a_control_only_where_it_is_asked_for_twice(name):
    found = idle(changed(name))
    assert bool(found) == (PLANTS[name].expect == "flaw" or name.rpartition("_")[2] in ("twice", "besides"))
    if name == "mutation.nobody_is_nearly_right":
        assert found == {"loosen:call1.minutes:about"}


def test_another_order_is_the_same_one_every_time():
    plant = PLANTS["replay.state_in_another_order"]
    sound, planted = subject(plant.task), changed(plant.name)
    assert fingerprint(plant.change(sound)) == fingerprint(planted)
    assert [case.id for case in planted.cases] != [case.id for case in sound.cases]
    assert {case.id for case in planted.cases} == {case.id for case in sound.cases}


# The edits they are made of


@pytest.fixture
def vents():
    return subject("handmade/glasshouse")


def test_fresh_runs_agree_with_the_recorded_view(vents):
    again = with_runs(msgspec.structs.replace(vents, runs={}))
    assert set(again.runs) == {case.id for case in vents.cases}
    gold = again.runs["handmade/glasshouse#gold.0"]
    assert [run.ok for run in gold] == [True, True]
    assert again.runs["handmade/glasshouse#nothing.0"][0].ok is False
    assert len(with_runs(vents, count=5).runs["handmade/glasshouse#gold.0"]) == 5


def test_a_copy_brings_its_view_its_record_and_its_runs(vents):
    grown = copied("gold.0", CaseKind.NEAR_MISS, put("/turns/0/message", "Done."))(vents)
    new = "handmade/glasshouse#planted.0"
    assert grown.cases[-1].label is Verdict.FAIL
    assert grown.views[new]["solution"] == grown.cases[-1].content
    assert (grown.records[-1].case, grown.records[-1].verdict) == (new, Verdict.PASS)
    assert grown.records[-1].case_hash == grown.cases[-1].content_hash
    assert len(grown.runs[new]) == 2


def test_what_belongs_to_a_case_leaves_with_it(vents):
    few = kept(named("gold.0", "wording.*"))(vents)
    ids = {f"handmade/glasshouse#{name}" for name in ("gold.0", "wording.0", "wording.1", "wording.2")}
    assert {case.id for case in few.cases} == set(few.views) == set(few.runs) == {r.case for r in few.records} == ids


def test_a_rewritten_case_is_seen_as_it_is_and_recorded_as_it_was(vents):
    edited = rewritten("gold.0", put("/turns/0/message", "Done."))(vents)
    assert edited.views[edited.cases[0].id]["solution"]["turns"][0]["message"] == "Done."
    assert (edited.records, edited.runs) == (vents.records, vents.runs)
    assert edited.records[0].case_hash != edited.cases[0].content_hash


def test_a_case_or_an_atom_that_is_not_there_is_a_mistake(vents):
    for change in (relabelled("silver.0", CaseKind.BASE), copied("gold.9", CaseKind.BASE), seen("", keys_reversed)):
        with pytest.raises(Inconsistent, match="no case"):
            change(vents)
    with pytest.raises(Inconsistent, match="no case"):
        unseen("silver.0")(vents)


def test_a_pointer_edits_one_place_and_keeps_the_order_of_keys():
    value = {"b": [{"y": 1, "x": 2}, 3], "a/c": 4}
    assert list(put("/a~1c", 5)(value).items()) == [("b", value["b"]), ("a/c", 5)]
    assert list(turned("/b/0/y", lambda number: number + 1)(value)["b"][0].items()) == [("y", 2), ("x", 2)]
    assert list(put("/new", 0)(value)) == ["b", "a/c", "new"]
    assert value == {"b": [{"y": 1, "x": 2}, 3], "a/c": 4}
    assert content_hash(keys_reversed(value)) == content_hash({"a/c": 4, "b": [{"x": 2, "y": 1}, 3]})


def test_grounds_and_clauses_change_together_or_apart(vents):
    gone = cite_instead(violating("call1.chime"), {"call1.chime": "call1.side"})(vents)
    assert not [case.id for case in gone.cases if violating("call1.chime")(case)]
    assert gone.task == vents.task
    named_otherwise = clause_renamed("turn", "turns, in number")(vents)
    assert {clause.id for clause in named_otherwise.task.clauses} ^ {clause.id for clause in vents.task.clauses} == {
        "turn",
        "turns, in number",
    }
    assert "turns, in number" in {atom.clause for atom in atoms(named_otherwise.judge.root)}
    assert ungrounded(named_otherwise) == ungrounded(vents) == set()


def test_an_atom_that_stands_twice_may_be_dropped_once(vents):
    twice = referenced(atom_doubled("turn"))(vents)
    once = referenced(atom_doubled("turn"), atom_dropped("turn"))(vents)
    never = referenced(atom_dropped("turn"))(vents)
    second = next(case for case in vents.cases if case.id.endswith("#second_turn.0"))
    assert [subject.finding(second).ok for subject in (twice, once, never)] == [False, False, True]


def test_a_replayed_case_shows_what_its_own_events_do():
    errand = subject("handmade/borrow_planer")
    gold = next(case for case in errand.cases if case.kind is CaseKind.GOLD)

    def cut(content):
        return {**content, "events": content["events"][:2]}

    grown = replayed("gold.0", CaseKind.PARTIAL, cut, "lent")(errand)
    new = grown.views["handmade/borrow_planer#planted.0"]
    assert len(new["runs"]["replay"]["results"]) == 1 < len(errand.views[gold.id]["runs"]["replay"]["results"])
    assert new["runs"]["replay"]["changes"] == []
    assert any(change["path"].startswith("/loans/") for change in errand.views[gold.id]["runs"]["replay"]["changes"])
    assert not grown.finding(grown.cases[-1]).ok


def test_what_explains_a_decision_can_be_forgotten_one_by_one(vents):
    known = Explanation(defect="D1", what="known")
    explained = msgspec.structs.replace(vents, explain=lambda _case, _decision: known)
    forgetful = unexplained(lambda case, defect: case.kind is CaseKind.GOLD and defect == "D1")(explained)
    gold, other = vents.cases[0], vents.cases[-1]
    wrong = Decision(verdict=Verdict.FAIL)
    assert (forgetful.explain(gold, wrong), forgetful.explain(other, wrong)) == (None, known)


def test_claims_about_what_is_not_there_are_mistakes(vents):
    for change in (
        cites("silver.0", "turn"),
        controlling("gold.0", "silver.0"),
        quoting("call9", "instruction", "e"),
        cite_instead(violating("call9"), {}),
        upstream_says("gold.0", Decision(verdict=Verdict.PASS)),
        upstream_silent(named("gold.0")),
        referenced(atom_doubled("turn of phrase")),
    ):
        with pytest.raises(Inconsistent):
            change(vents)
