"""A reference is data: what its tree decides, how it explains itself, and that matching really backtracks."""

import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import Absent, All, AnyOf, Atom, Inconsistent, OneToOne, Reference, at, atoms, evaluate

CHECKS = {
    "is": lambda view, p: view == p["value"],
    "in": lambda view, p: view in p["values"],
    "at_least": lambda view, p: at(view, p["pointer"]) >= p["value"],
}


def atom(name, check="is", **parameters):
    return Atom(name=name, clause="c1", check=check, parameters=parameters)


def names(finding):
    return [found.name for found in finding.failed]


def test_all_collects_every_failed_atom_and_any_none_when_one_holds():
    one, two = atom("one", value=1), atom("two", value=2)
    assert names(evaluate(All(of=(one, two)), 3, CHECKS)) == ["one", "two"]
    assert evaluate(AnyOf(of=(one, two)), 2, CHECKS) == evaluate(All(of=()), 2, CHECKS)
    assert names(evaluate(AnyOf(of=(one, two)), 3, CHECKS)) == ["one", "two"]


def test_matching_backtracks_where_a_greedy_one_would_fail():
    # The first slot fits both items; taking the first would leave the second slot without one.
    slots = (atom("either", "in", values=["a", "b"]), atom("only a", value="a"))
    assert evaluate(OneToOne(over="/items", slots=slots), {"items": ["a", "b"]}, CHECKS).ok
    assert evaluate(OneToOne(over="/items", slots=slots), {"items": ["b", "a"]}, CHECKS).ok
    assert names(evaluate(OneToOne(over="/items", slots=slots), {"items": ["b", "b"]}, CHECKS)) == ["only a"]


def test_what_a_view_lacks_is_not_satisfied():
    assert names(evaluate(atom("deep", "at_least", pointer="/a/0", value=1), {"a": []}, CHECKS)) == ["deep"]
    assert not evaluate(OneToOne(over="/nowhere", slots=(atom("x", value=1),)), {}, CHECKS).ok
    assert not evaluate(OneToOne(over="/text", slots=(atom("x", value=1),)), {"text": "11"}, CHECKS).ok


def test_a_bug_in_a_check_is_not_mistaken_for_a_decision():
    with pytest.raises(TypeError):
        evaluate(atom("typo", "at_least", pointer="/a", value=1), {"a": "1"}, CHECKS)
    with pytest.raises(Inconsistent, match="unheard"):
        evaluate(atom("x", "unheard"), {}, CHECKS)


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), max_size=4))
def test_matching_agrees_with_brute_force(fits):
    slots = tuple(
        atom(f"s{row}", "in", values=[column for column, fit in enumerate(line) if fit])
        for row, line in enumerate(fits)
    )
    possible = any(
        all(fits[slot][item] for slot, item in enumerate(chosen))
        for chosen in itertools.permutations(range(3), len(fits))
    )
    assert evaluate(OneToOne(over="/items", slots=slots), {"items": [0, 1, 2]}, CHECKS).ok == possible


@pytest.mark.parametrize(
    ("pointer", "value"),
    [("", {"a": [1], "x/y": 2, "m~n": 3}), ("/a/0", 1), ("/x~1y", 2), ("/m~0n", 3)],
)
def test_pointers_follow_rfc_6901(pointer, value):
    assert at({"a": [1], "x/y": 2, "m~n": 3}, pointer) == value


@pytest.mark.parametrize(
    "pointer", ["/b", "/a/1", "/a/-1", "/a/x", "/a/0/0", "/a/00", "/a/\u0660", "a/0", "/a/" + "9" * 5000]
)
def test_pointers_to_nothing_are_absent(pointer):
    with pytest.raises(Absent):
        at({"a": [1]}, pointer)


def test_a_spec_survives_storage_and_its_hash_follows_its_content():
    tree = All(of=(atom("a", value=1), OneToOne(over="/x", slots=(AnyOf(of=(atom("b", value=2),)),))))
    reference = Reference(root=tree, probes={"p": {}}, library="v1")
    stored = msgspec.json.decode(msgspec.json.encode(reference), type=Reference)
    assert stored == reference
    assert [found.name for found in atoms(tree)] == ["a", "b"]
    assert stored.hash != msgspec.structs.replace(reference, library="v2").hash
