"""What a season leaves out of its sources."""

from functools import cache

import msgspec
import pytest

from verifierbench.core import DEVELOPMENT, Season, UserError
from verifierbench.sources import source
from verifierbench.suite import collect


def silent(stage, done, total):
    pass


@cache
def collected(**held):
    return collect(["handmade"], Season(name="test", secret="public", **held), silent)


@pytest.fixture(scope="module")
def everything():
    return {candidate.task.id: candidate for candidate in source("handmade").candidates(DEVELOPMENT)}


def test_a_season_that_holds_nothing_back_keeps_every_case_as_it_is(everything):
    found = collected()
    assert found.withheld == ()
    assert {c.task.id: c.cases for c in found.candidates} == {name: c.cases for name, c in everything.items()}


def test_a_task_held_back_is_left_out_and_listed_and_other_sources_are_not_asked_for_theirs(everything):
    found = collected(withheld_tasks=("handmade/ferry", "bfcl/parallel_26"))
    assert {c.task.id for c in found.candidates} == everything.keys() - {"handmade/ferry"}
    (entry,) = found.withheld
    assert (entry.task, entry.source, entry.reason) == ("handmade/ferry", "handmade", "withheld")
    assert entry.evidence == ("the season holds the task back",)


def test_an_attack_operator_goes_with_the_controls_of_its_attacks_and_nothing_else(everything):
    operator = "second_turn"
    attacks = {case.id for c in everything.values() for case in c.cases if case.operator == operator}
    controls = {case.id for c in everything.values() for case in c.cases if case.control_of in attacks}
    assert attacks
    assert controls
    left = {case.id for c in collected(withheld_operators=(operator,)).candidates for case in c.cases}
    assert left == {case.id for c in everything.values() for case in c.cases} - attacks - controls


def test_a_task_left_without_a_label_is_left_out_and_says_which(everything):
    name = "handmade/telescope"
    failing = {case.operator for case in everything[name].cases if case.label == "FAIL"}
    found = collected(withheld_operators=tuple(sorted(failing)))
    (entry,) = [entry for entry in found.withheld if entry.task == name]
    assert entry.reason == "withheld"
    assert entry.evidence == ("no FAIL case is left without the operators the season holds back",)


def test_a_misspelt_task_is_not_taken_for_one_held_back():
    with pytest.raises(UserError, match="'test' holds back 'handmade/fery', which none of its sources has"):
        collected(withheld_tasks=("handmade/fery",))


def test_the_public_half_changes_with_the_alias_alone(everything):
    for candidate in collected().candidates:
        plain = everything[candidate.task.id].task
        assert candidate.task == msgspec.structs.replace(plain, drawn_alias=DEVELOPMENT.alias(plain.id))
        assert {**candidate.task.public, "task": ""} == {**plain.public, "task": ""}


def test_a_held_back_operator_that_makes_nothing_is_told(everything):
    told = []
    season = Season(name="test", secret="public", withheld_operators=("wrong_tool", "wrong_toll"))
    collect(["handmade"], season, lambda *said: told.append(said))
    assert told[-1] == ("held-back operators without a case here (wrong_toll)", 1, 1)
