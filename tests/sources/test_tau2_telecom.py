"""tau2's telephone company: how gold is read, and what its tasks and cases hold where it is installed."""

import json

import pytest

from verifierbench.core import CaseKind, Season, Verdict, atoms
from verifierbench.families.state import FAMILY
from verifierbench.families.state.operators.script import Call
from verifierbench.families.view import decide
from verifierbench.sources.tau2 import NEEDS, TAU2
from verifierbench.sources.tau2.curation import curation
from verifierbench.sources.tau2.data import load, policy
from verifierbench.sources.tau2.environment import simulators
from verifierbench.sources.tau2.tasks import Kit, candidate, scene
from verifierbench.sources.tau2.telecom.conversation import script
from verifierbench.sources.tau2.telecom.repairs import REPAIRS, steps
from verifierbench.sources.tau2.telecom.rules import announcement, clauses
from verifierbench.sources.tau2.wording import sentence

SEASON = Season(name="test", secret="test")
upstream = pytest.mark.skipif(not TAU2.status().ready, reason=NEEDS)
ROWS = {row.id: row for row in curation("telecom").task}
OF_EACH_KIND = ("telecom_7", "telecom_80", "telecom_50", "telecom_41")
"""Trouble with data, with messages and with service, and a transfer."""


def test_ids_say_nothing_of_what_is_broken():
    assert len(ROWS) >= 16
    assert all(name.removeprefix("telecom_").isdecimal() for name in ROWS)


def test_a_sentence_that_stands_there_twice_is_found_once():
    assert sentence("Restart it now.\n\nThen try.\nRestart it now.", "Restart") == "Restart it now."


def test_a_repair_that_is_the_customers_says_how_it_is_asked_for():
    for name, repair in REPAIRS.items():
        assert bool(repair.guide) is (repair.path.startswith("/user/device/")), name


@pytest.fixture(scope="module")
def kit():
    found = Kit("telecom", simulators(TAU2.packages, TAU2.folder, "telecom"), policy(TAU2.folder, "telecom"))
    yield found
    found.simulators.close()


@pytest.fixture(scope="module")
def scenes(kit):
    entries = load(TAU2.folder, OF_EACH_KIND)
    return {name: scene(kit, ROWS[name], entries[name]) for name in OF_EACH_KIND}


@pytest.fixture(scope="module")
def made(kit):
    entries = load(TAU2.folder, OF_EACH_KIND)
    return {name: candidate(kit, ROWS[name], entries[name], SEASON) for name in OF_EACH_KIND}


@upstream
def test_the_suspension_is_lifted_when_the_phone_is_in_order_and_one_restart_comes_last(scenes):
    named = [(step.call.role, step.call.name, step.clause) for step in steps(scenes["telecom_50"])]
    assert named == [
        ("user", "toggle_airplane_mode", "service"),
        ("user", "reset_apn_settings", "service"),
        ("assistant", "send_payment_request", "paid"),
        ("user", "make_payment", "paid"),
        ("assistant", "resume_line", "lift"),
        ("user", "reboot_device", "service"),
    ]


@upstream
def test_what_has_to_be_told_stands_in_the_policy_and_is_taken_from_there(scenes):
    for one in scenes.values():
        for clause in clauses(one):
            for span in clause.spans:
                where = {"policy": one.policy, "instruction": one.instruction}.get(span.material)
                assert where is None or span.quote in where, clause.id
    assert "HUMAN AGENT" in announcement(scenes["telecom_41"])


@upstream
def test_a_bill_is_read_again_before_it_is_called_paid(scenes):
    events = script(scenes["telecom_50"])
    tags = [event.tag for event in events]
    assert tags.index("write_3") < tags.index("look_paid") < tags.index("paid")
    assert isinstance(events[tags.index("look_paid")], Call)


@upstream
@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_references_decide_cases_as_labelled_and_for_the_reason_given(made, name):
    task, cases = made[name].task, made[name].cases
    assert len(cases) >= 25
    execute = TAU2.environment(task).execute
    for case in cases:
        found = decide(FAMILY, task.reference, case.content, execute)
        assert found.ok is (case.label is Verdict.PASS), case.id
        cited = {ground.clause for ground in case.grounds}
        assert found.ok or cited & {atom.clause for atom in found.failed}, case.id


@upstream
@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_every_clause_is_enforced_violated_and_used(made, name):
    task, cases = made[name].task, made[name].cases
    known = {clause.id for clause in task.clauses}
    assert {atom.clause for atom in atoms(task.reference.root)} == known
    for label in Verdict:
        assert {ground.clause for case in cases if case.label is label for ground in case.grounds} == known, label


@upstream
def test_there_are_attacks_on_the_way_of_every_kind_of_task_each_with_a_control(made):
    for one in made.values():
        broken = [case for case in one.cases if case.kind is CaseKind.PROCESS_VIOLATION]
        assert len({ground.clause for case in broken for ground in case.grounds}) >= 4
        controlled = {case.control_of for case in one.cases}
        assert all(case.id in controlled for case in one.cases if case.kind.is_attack)


@upstream
def test_a_phone_that_only_looks_for_a_network_again_changes_nothing_that_counts(made):
    """A restart where gold needs none makes the signal another one, which was once taken for a regression."""
    task, cases = made["telecom_7"].task, made["telecom_7"].cases
    again = [case for case in cases if case.operator == "searched_again"]
    answer = TAU2.environment(task).execute(FAMILY.request(again[0].content, {}))
    assert "/user/device/network_signal_strength" in [change["path"] for change in answer["changes"]]
    assert [case.label for case in again] == [Verdict.PASS, Verdict.PASS]


@upstream
def test_nothing_public_spells_out_what_is_broken(made):
    for one in made.values():
        public = json.dumps(one.task.public)
        assert not any(word in public for word in ("initialization_actions", "break_apn", "overdue_bill_suspension"))
        assert {"policy", "tools", "user_tools"} <= one.task.public["materials"].keys()
