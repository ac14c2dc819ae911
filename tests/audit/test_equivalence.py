"""Equivalence: proofs that hold, generated views that find real differences, and no verdict on too little."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.audit import Mutant, Subject, TreeJudge
from verifierbench.audit.echoes import Echoes
from verifierbench.audit.edits import ABSENT, Edit, apply, at_path, delete, insert, put
from verifierbench.audit.equivalence import VIEWS, Contrast, Views, equivalence, generator_power, prove
from verifierbench.core import All, AnyOf, Atom, Family, Node, OneToOne, substitute
from verifierbench.families import family
from verifierbench.families.state.trace import performed

from .subjects import CALLS, DESK, changed, subject

GLASS, MUSEUM = "handmade/glasshouse", "handmade/museum"
NOTHING = All(of=())
LIBRARY = family(Family.TOOL_CALL)


def atom(name: str, check: str, **parameters: Any) -> Atom:
    return Atom(name=name, clause="c", check=check, parameters=parameters)


def number(name: str, policy: dict[str, Any]) -> Atom:
    return atom(name, policy["policy"], at="/solution/turns/0/answer", right=policy, may_omit=False)


EXACT = number("exact", {"policy": "number", "value": 5})
ABOUT = msgspec.structs.replace(
    next(weak.node for weak in LIBRARY.weaken(EXACT) if weak.part == "about"),  # type: ignore[arg-type]
    name="about",
)


def proof(root: Node, name: str, by: Node = NOTHING) -> str:
    return prove(root, substitute(root, name, by), name, LIBRARY)


# Proofs ---------------------------------------------------------------------------------------------------------------


def test_an_atom_that_stands_there_twice_can_be_dropped() -> None:
    assert "the same" in proof(All(of=(EXACT, msgspec.structs.replace(EXACT, name="again"))), "again")


def test_an_atom_that_another_one_beside_it_implies_can_be_dropped() -> None:
    assert "'exact'" in proof(All(of=(EXACT, ABOUT)), "about")
    assert "'exact'" in proof(All(of=(EXACT, AnyOf(of=(ABOUT, atom("t", "turn_count", count=1))))), "about")


def test_the_stricter_of_two_atoms_cannot_be_dropped() -> None:
    assert proof(All(of=(EXACT, ABOUT)), "exact") == ""


def test_an_atom_in_another_branch_or_outside_a_matching_implies_nothing() -> None:
    """Outside, the pointer is into the view; inside, into one element of a list."""
    assert proof(AnyOf(of=(EXACT, ABOUT)), "about") == ""
    inside = OneToOne(over="/solution/turns", slots=(All(of=(ABOUT,)),))
    assert proof(All(of=(EXACT, inside)), "about") == ""


def test_nesting_single_parts_and_order_do_not_matter() -> None:
    other = atom("t", "turn_count", count=1)
    assert prove(All(of=(EXACT, All(of=(other,)))), All(of=(other, AnyOf(of=(EXACT,)))), "exact", LIBRARY)
    assert not prove(All(of=(EXACT, other)), AnyOf(of=(EXACT, other)), "exact", LIBRARY)


# Generated views ------------------------------------------------------------------------------------------------------


@cache
def views(name: str) -> Views:
    return Views(subject(name))


def dropped(of: Subject, root: Node, name: str) -> tuple[Subject, Mutant]:
    """A subject whose reference is another tree, and that tree without an atom."""
    judge = TreeJudge(root, of.family, "1")
    mutant = next(mutant for mutant in judge.mutants() if mutant.name == f"drop:{name}")
    return changed(of, judge=judge), mutant


def test_a_difference_that_no_case_shows_is_found() -> None:
    for name in (GLASS, MUSEUM):
        of = subject(name)
        for mutant in of.judge.mutants():
            found = equivalence(of, mutant, views(name))
            assert found.verdict == "different", mutant.name
            assert found.difference is not None
            assert of.judge.decide(found.difference.view).ok is not mutant.judge.decide(found.difference.view).ok


def test_what_the_rest_of_the_tree_always_decides_is_equivalent_after_a_thousand_views() -> None:
    """One call is due; that there is at least one says nothing more, and no proof by construction sees it."""
    of = subject(GLASS)
    some = atom("some", "fits", at="/solution/turns/0/calls", right={"policy": "fits", "schema": {"minItems": 1}})
    spoilt, mutant = dropped(of, All(of=(*of.task.reference.root.of, some)), "some")  # type: ignore[union-attr]
    found = equivalence(spoilt, mutant, views(GLASS))
    assert (found.verdict, found.proof) == ("equivalent", "")
    assert found.views >= VIEWS
    assert found.parted >= 20


def test_what_no_generated_view_reaches_is_unknown_and_not_equivalent() -> None:
    """A hundred calls are never generated, so that an atom which forbids them could be dropped shows nothing."""
    of = subject(GLASS)
    few = atom("few", "fits", at="/solution/turns/0/calls", right={"policy": "fits", "schema": {"maxItems": 99}})
    calls = substitute(of.task.reference.root, "calls", NOTHING)
    spoilt, mutant = dropped(of, All(of=(calls, few)), "few")
    found = equivalence(spoilt, mutant, views(GLASS))
    assert found.verdict == "unknown"
    assert found.parted == 0


def test_a_rare_difference_is_no_equivalence() -> None:
    """Only the text `7316` in a message of the assistant tells the two apart; no valid case says it."""
    of = subject(DESK)
    told = next(each for each in of.judge.mutants() if each.name.startswith("drop:nothing private told"))
    found = equivalence(of, told, views(DESK))
    assert found.verdict == "different"


def test_the_same_views_are_made_every_time() -> None:
    of = subject(MUSEUM)
    mutant = next(iter(of.judge.mutants()))
    contrast = Contrast(of.judge, mutant, of.family.checks)
    first = list(Views(of).generated(contrast, 50, valid_only=False))
    assert list(Views(of).generated(contrast, 50, valid_only=False)) == first
    assert len(first) > 25


@pytest.mark.parametrize("name", [GLASS, MUSEUM, DESK])
def test_from_valid_cases_alone_the_generator_tells_most_killed_mutants_apart(name: str) -> None:
    sample = [mutant for mutant in subject(name).judge.mutants() if mutant.operator == "drop"][::3]
    assert generator_power(subject(name), sample, views(name)) >= 0.8 * len(sample)


def test_the_generator_never_starts_from_an_invalid_case_when_it_is_measured() -> None:
    of = subject(GLASS)
    contrast = Contrast(of.judge, next(iter(of.judge.mutants())), of.family.checks)
    valid = {case.id for case in of.cases if case.label == "PASS"}
    assert {made.base for made in views(GLASS).generated(contrast, 100, valid_only=True)} <= valid


@pytest.mark.parametrize("name", [GLASS, MUSEUM])
def test_the_short_cut_decides_like_the_whole_trees(name: str) -> None:
    of = subject(name)
    for mutant in list(of.judge.mutants())[::7]:
        contrast = Contrast(of.judge, mutant, of.family.checks)
        seen = [*of.views.values(), *(made.view for made in views(name).generated(contrast, 60, valid_only=False))]
        for view in seen:
            assert contrast.differs(view) is (of.judge.decide(view).ok is not mutant.judge.decide(view).ok)


# Changes --------------------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.text("ab", max_size=2),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.sampled_from("ab"), part, max_size=2),
    max_leaves=8,
)
PATHS = st.lists(st.sampled_from(["a", "b", 0, 1, 2]), min_size=1, max_size=3).map(tuple)


@given(JSON, PATHS, JSON, st.sampled_from(["gone", "repeated", "moved", "put"]), st.integers(0, 3))
def test_a_change_leaves_the_original_alone(value: Any, path: Any, new: Any, how: str, place: int) -> None:
    before = copy.deepcopy(value)
    apply(value, Edit(path, how, {"gone": ABSENT, "moved": place}.get(how, new)))
    assert value == before


@given(JSON, PATHS, JSON)
def test_what_was_put_somewhere_stands_there_and_can_be_taken_away(value: Any, path: Any, new: Any) -> None:
    changed_value = put(value, path, new)
    if changed_value is not value:
        assert at_path(changed_value, path) == new
        assert delete(changed_value, path) != changed_value


def test_elements_are_inserted_moved_and_taken_away() -> None:
    value = {"a": [1, 2, 3]}
    assert insert(value, ("a", 1), 9) == {"a": [1, 9, 2, 3]}
    assert apply(value, Edit(("a", 0), "moved", 2)) == {"a": [2, 3, 1]}
    assert delete(value, ("a", 2)) == {"a": [1, 2]}
    assert delete(value, ("a", 7)) is value
    assert delete(value, ("b",)) is value


def test_a_call_taken_away_repeated_or_changed_takes_its_result_along() -> None:
    of = subject(DESK)
    view = next(of.views[case.id] for case in of.cases if case.operator == "gold")
    echoes = Echoes([view])
    place, event = next((n, each) for n, each in enumerate(view["solution"]["events"]) if "call" in each)
    called = {"name": "get_item", "arguments": {"item_id": "T-1"}}
    for edit in (
        Edit(("solution", "events", place), "gone", ABSENT),
        Edit(("solution", "events", place), "repeated", event),
        Edit(("solution", "events", place), "put", {**event, "call": called}),
        Edit(("solution", "events", place, "call"), "put", called),
    ):
        changed_view = echoes.along(0, edit, apply(view, edit))
        assert changed_view != view
        for call, result in zip(performed(changed_view), changed_view["runs"]["replay"]["results"], strict=True):
            assert (call.name, call.arguments) == (result["name"], result["arguments"])


def test_an_empty_list_of_cases_generates_nothing() -> None:
    of = changed(subject(CALLS), cases=(), views={})
    contrast = Contrast(of.judge, next(iter(of.judge.mutants())), of.family.checks)
    assert list(Views(of).generated(contrast, 10, valid_only=False)) == []
