"""The comparisons of tool-call references: strict where a lax one loses meaning, lax only where a convention is."""

from __future__ import annotations

import datetime
import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import Absent, Inconsistent
from verifierbench.families.tool_call import FAMILY, Date, Exact, Fits, ListOf, Number, ObjectOf, OneOf, SetOf, Wording
from verifierbench.families.tool_call.checks import CHECKS, accepts, library_version, paired, plain, same
from verifierbench.families.tool_call.dates import parse_date, spellings
from verifierbench.families.tool_call.policies import defaults, gold, infer, is_wording

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)


def right(policy, value):
    return accepts(msgspec.to_builtins(policy), value)


@pytest.mark.parametrize(
    ("policy", "accepted", "refused"),
    [
        (Number(5), [5, 5.0], [6, 5.0000001, "5", True, None, [5]]),
        (Number(1), [1, 1.0], [True, "1"]),
        (Number(0), [0, 0.0, -0.0], [False, "", None]),
        (Number(2.5), [2.5], [2, 3, "2.5"]),
        (Exact(True), [True], [1, "true", 1.0]),
        (Exact(None), [None], ["", 0, False]),
        (Exact("x**2"), ["x**2"], ["x*2", "X**2", " x**2"]),
        (Exact("/data/q1.csv"), ["/data/q1.csv"], ["dataq1csv", "/data/q1.CSV"]),
        (Exact("10.0.1.5"), ["10.0.1.5"], ["100.1.5"]),
        (Exact({"a": 1}), [{"a": 1}, {"a": 1.0}], [{"a": True}, {"a": 1, "b": None}]),
        (
            Wording("Old Mill"),
            ["Old Mill", "old mill", "  OLD   MILL "],
            ["Old-Mill", "Old Mill or new", "OldMill", "Old\tMill"],
        ),
        (
            Date("5 March 2031"),
            ["2031-03-05", "March 5, 2031", "5 mar 2031", "2031/03/05", "MARCH 5 2031", "5 march, 2031"],
            ["05/03/2031", "2031-05-03", "5 March"],
        ),
        (ListOf((Number(1), Number(2))), [[1, 2], [1.0, 2]], [[2, 1], [1], [1, 2, 2], "12"]),
        (
            SetOf((Wording("patio"), Wording("wifi"))),
            [["wifi", "Patio"]],
            [["patio"], ["patio", "patio"], ["patio", "wifi", "x"]],
        ),
        (
            ObjectOf({"a": Number(1)}, {"b": Number(0)}),
            [{"a": 1}, {"b": 0, "a": 1}],
            [{}, {"a": 1, "b": 1}, {"a": 1, "c": 0}, {"a": True}],
        ),
        (OneOf((Exact("LA"), Exact("Los Angeles"))), ["LA", "Los Angeles"], ["", "L.A."]),
        (OneOf((Exact("x^2"),), (Exact("x**2"),)), ["x^2", "x**2"], ["x*2"]),
        (Fits({"type": "integer", "minimum": 1}, (3,)), [3, 7.0], [0, True, "3", 1.5]),
    ],
)
def test_what_each_policy_accepts_and_refuses(policy, accepted, refused):
    assert right(policy, gold(policy))
    assert [value for value in accepted if not right(policy, value)] == []
    assert [value for value in refused if right(policy, value)] == []


def test_an_element_that_two_places_could_take_is_left_to_the_one_that_needs_it():
    """A greedy matching gives the first place "apple" and leaves the second with nothing."""
    policy = SetOf((OneOf((Exact("apple"), Exact("pear"))), Exact("apple")))
    assert right(policy, ["apple", "pear"])
    assert right(policy, ["pear", "apple"])
    assert not right(policy, ["pear", "pear"])


@given(
    st.lists(st.sets(st.integers(0, 3), min_size=1), max_size=4),
    st.lists(st.integers(0, 3), max_size=4),
)
def test_pairing_agrees_with_trying_every_permutation(choices, values):
    policies = [msgspec.to_builtins(OneOf(tuple(Number(value) for value in sorted(choice)))) for choice in choices]
    by_hand = len(choices) == len(values) and any(
        all(value in choice for choice, value in zip(choices, order, strict=True))
        for order in itertools.permutations(values)
    )
    assert paired(policies, values) == by_hand


@given(JSON_VALUES, JSON_VALUES)
def test_equality_is_an_equivalence_and_never_raises(one, other):
    assert same(one, one)
    assert same(one, other) == same(other, one)


@given(JSON_VALUES)
def test_no_policy_raises_on_any_json_value(value):
    for policy in (
        Exact(1),
        Number(1),
        Wording("a"),
        Date("2031-03-05"),
        ListOf((Exact(1),)),
        ObjectOf({"a": Exact(1)}),
    ):
        assert right(policy, value) in (True, False)


@given(st.text())
def test_plain_is_idempotent(text):
    assert plain(plain(text)) == plain(text)


@given(st.dates(min_value=datetime.date(1000, 1, 1)))
def test_every_spelling_of_a_day_reads_back_as_that_day(day):
    assert {parse_date(text) for text in spellings(day)} == {day}


@pytest.mark.parametrize(
    "text", ["03/05/2031", "2031-3-5", "2031-02-30", "5 Marchy 2031", "tomorrow", "", "\u0662\u0660\u0663\u0661-03-05"]
)
def test_what_is_no_date(text):
    assert parse_date(text) is None


def test_a_date_policy_needs_a_date():
    with pytest.raises(Inconsistent, match="no date"):
        Date("05/03/2031")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Old Mill", True),
        ("Saint Brannoc's", True),
        ("Boston, MA", True),
        ("St. Louis", True),
        ("Zürich", True),
        ("F-07b", False),
        ("report.txt", False),
        ("x**2", False),
        ("x", False),  # x is not X
        ("C.", False),
        ("Plan B", True),
        ("Room 5", False),
        ("a_b", False),
        ("", False),
        (" a", False),
    ],
)
def test_which_texts_are_words_alone(text, words):
    assert is_wording(text) == words


@pytest.mark.parametrize(
    ("schema", "value", "policy"),
    [
        ({"type": "string"}, "Old Mill", Wording("Old Mill")),
        ({"type": "string", "enum": ["Old Mill"]}, "Old Mill", Exact("Old Mill")),
        ({"type": "string", "pattern": "^[A-Z]+$"}, "EUR", Exact("EUR")),
        ({"type": "string"}, "F-07b", Exact("F-07b")),
        ({"type": "integer"}, 5, Number(5)),
        ({"type": "boolean"}, False, Exact(False)),
        ({"type": "string", "description": "In the format of City, State."}, "Bath, UK", Wording("Bath, UK")),
        ({"type": "array"}, ["an", "by"], SetOf((Wording("an"), Wording("by")))),
        ({"type": "array"}, [1, 2], ListOf((Number(1), Number(2)))),
        ({"type": "array", "uniqueItems": True}, [1, 2], SetOf((Number(1), Number(2)))),
        ({"type": "array", "items": {"enum": ["a"]}}, ["a"], SetOf((Exact("a"),))),
        ({}, {"k": 1}, ObjectOf({"k": Number(1)})),
    ],
)
def test_the_policy_the_conventions_give(schema, value, policy):
    assert infer(schema, value) == policy


def test_an_optional_key_given_at_its_default_may_be_left_out():
    schema = {"properties": {"a": {}, "pets": {"default": 0}}, "required": ["a"]}
    policy = infer(schema, {"a": 1, "pets": 0})
    assert [right(policy, value) for value in ({"a": 1}, {"a": 1, "pets": 0}, {"a": 1, "pets": 1})] == [
        True,
        True,
        False,
    ]
    assert defaults({**schema, "required": ["pets"]}, {}) == {}


def test_an_argument_may_be_absent_only_where_its_atom_says_so():
    parameters = {"at": "/arguments/unit", "right": {"policy": "exact", "value": "C"}}
    call = {"name": "t", "arguments": {}}
    assert CHECKS["exact"](call, {**parameters, "may_omit": True})
    assert not CHECKS["exact"](call, {**parameters, "may_omit": False})
    assert not CHECKS["exact"]({"name": "t", "arguments": {"unit": "F"}}, {**parameters, "may_omit": True})


def test_order_looks_at_every_call_and_leaves_missing_ones_alone():
    first = {"name": "a", "arguments": {"n": {"right": {"policy": "number", "value": 1}, "may_omit": True}}}
    then = {"name": "b", "arguments": {}}

    def held(*calls):
        view = {
            "solution": {"turns": [{"calls": [{"name": name, "arguments": arguments} for name, arguments in calls]}]}
        }
        return CHECKS["before"](view, {"turn": 0, "first": first, "then": then})

    assert held(("a", {"n": 1}), ("b", {}))
    assert held(("a", {}), ("c", {}), ("b", {}))
    assert not held(("b", {}), ("a", {"n": 1.0}))
    assert not held(("a", {"n": 1}), ("b", {}), ("a", {}))
    assert held(("b", {}), ("a", {"n": 2}))
    assert held(("b", {}))


def test_a_check_says_absent_where_it_finds_nothing():
    with pytest.raises(Absent):
        CHECKS["call_count"]({"solution": {"turns": []}}, {"turn": 0, "count": 0})


def test_the_family_names_its_library_by_its_source():
    assert FAMILY.checks_version == library_version()
    assert len(FAMILY.checks_version) == 64
