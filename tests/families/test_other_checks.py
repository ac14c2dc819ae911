"""Checks at a JSON pointer: what each accepts, and that a weakening accepts all that its atom accepts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import Absent, Atom, Family, evaluate
from verifierbench.families import family

OTHER = family(Family.OTHER)

ACCEPTS = [
    ("present", {}, [None, 0, ""], []),
    ("absent", {}, [], [None, 0]),
    ("has_type", {"type": "number"}, [5, 5.0], [True, "5", None]),
    ("has_type", {"type": "boolean"}, [True], [1, "true"]),
    ("equals", {"value": 5}, [5, 5.0], [True, "5", [5]]),
    ("equals", {"value": {"a": [1, True]}}, [{"a": [1.0, True]}], [{"a": [1, 1]}, {"a": [1, True], "b": 0}]),
    ("one_of", {"values": ["a", 1]}, ["a", 1.0], ["A", True, ["a"]]),
    ("says", {"text": "Harbour  Paper"}, ["harbour paper", " HARBOUR\nPAPER "], ["harbourpaper", 5, "harbour paper."]),
    ("contains", {"text": "due"}, ["It is DUE."], ["du", 5]),
    ("matches", {"pattern": r"\d\d:\d\d"}, ["19:30"], ["19:30 or later", "at 19:30", 1930]),
    ("number", {"value": 74.5}, [74.5], [74.51, "74.5", True]),
    ("number", {"value": 74.5, "tolerance": 0.01}, [74.51, 74.49], [74.52]),
    ("between", {"low": 1, "high": 3}, [1, 2.5, 3], [0.9, 3.1, True, "2"]),
    ("between", {"low": 1}, [1, 10**9], [0]),
    ("size", {"low": 1, "high": 2}, ["a", [0, 0], {"a": 1}], ["", "abc", 2]),
    ("same_items", {"values": [1, 1, "a"]}, [[1, "a", 1.0]], [[1, "a"], [1, "a", "a"], [1, 1, "a", 2], "11a"]),
    ("has_items", {"values": [1, 1]}, [[1, 2, 1]], [[1, 2], [True, True]]),
    ("lacks_items", {"values": ["x"]}, [[], ["y"]], [["y", "x"], "x"]),
    ("only_keys", {"keys": ["a", "b"]}, [{}, {"a": 1}], [{"c": 1}, ["a"]]),
]


@pytest.mark.parametrize(("check", "parameters", "right", "wrong"), ACCEPTS, ids=lambda value: str(value)[:40])
def test_a_check_accepts_what_it_says_and_nothing_else(check, parameters, right, wrong):
    for value in right:
        assert OTHER.checks[check]({"v": value}, {"at": "/v", **parameters}) is True, value
    for value in wrong:
        assert OTHER.checks[check]({"v": value}, {"at": "/v", **parameters}) is False, value


def test_every_check_is_tried():
    assert {check for check, *_ in ACCEPTS} == set(OTHER.checks)


@pytest.mark.parametrize("check", sorted(set(OTHER.checks) - {"absent"}))
def test_a_check_finds_nothing_where_there_is_nothing(check):
    parameters = next(given for name, given, _, _ in ACCEPTS if name == check)
    with pytest.raises(Absent):
        OTHER.checks[check]({}, {"at": "/v", **parameters})
    assert OTHER.checks["absent"]({}, {"at": "/v"}) is True


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 6) | st.floats(-2, 80) | st.sampled_from(["", "a", "due", "19:30"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


@given(value=JSON | st.sampled_from([value for _, _, right, _ in ACCEPTS for value in right]))
def test_a_weakening_accepts_all_that_its_atom_accepts(value):
    for check, parameters, _, _ in ACCEPTS:
        atom = Atom(name="x", clause="c", check=check, parameters={"at": "/v", **parameters})
        for weak in OTHER.weaken(atom):
            if evaluate(atom, {"v": value}, OTHER.checks).ok:
                assert evaluate(weak.node, {"v": value}, OTHER.checks).ok, (check, weak)


def test_every_weakening_accepts_something_more():
    """By hand: for each weakening a value that the atom refuses and the weakening takes."""
    taken = {
        ("equals", "type"): 6,
        ("one_of", "present"): "other",
        ("says", "contains"): "harbour paper ltd",
        ("says", "type"): "else",
        ("contains", "type"): "else",
        ("matches", "type"): "else",
        ("number", "type"): 3,
        ("between", "low"): 0,
        ("between", "high"): 4,
        ("size", "low"): "",
        ("size", "high"): "abc",
        ("same_items", "more"): [1, 1, "a", 2],
        ("same_items", "0"): [1, "a"],
        ("same_items", "1"): [1, "a"],
        ("same_items", "2"): [1, 1],
        ("has_items", "0"): [1],
        ("has_items", "1"): [1],
    }
    seen = set()
    for check, parameters, _, _ in ACCEPTS:
        atom = Atom(name="x", clause="c", check=check, parameters={"at": "/v", **parameters})
        for weak in OTHER.weaken(atom):
            value = taken[check, weak.part]
            if check == "equals" and isinstance(parameters["value"], dict):
                value = {"other": 1}
            assert not evaluate(atom, {"v": value}, OTHER.checks).ok, (check, weak)
            assert evaluate(weak.node, {"v": value}, OTHER.checks).ok, (check, weak)
            seen.add((check, weak.part))
    assert seen == set(taken)
