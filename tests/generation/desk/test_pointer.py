"""What is set at a pointer is found there, and nothing else moves."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import Absent, at
from verifierbench.generation.desk.pointer import changed

KEYS = st.sampled_from(["a", "b/c", "~", "", "0", "~1", "é"])
VALUES = st.recursive(
    st.none() | st.integers(0, 3) | st.sampled_from(["x", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def places(value, pointer=""):
    """Every pointer into a value."""
    yield pointer
    if isinstance(value, dict):
        for key, child in value.items():
            yield from places(child, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for number, child in enumerate(value):
            yield from places(child, f"{pointer}/{number}")


@given(VALUES, VALUES, st.data())
def test_set_then_get(whole, value, data):
    pointer = data.draw(st.sampled_from(list(places(whole))))
    before = copy.deepcopy(whole)
    result = changed(whole, pointer, value)
    assert at(result, pointer) == value
    assert whole == before
    assert changed(result, pointer, at(whole, pointer)) == whole


@given(VALUES, VALUES, st.data())
def test_every_other_place_stays(whole, value, data):
    pointer = data.draw(st.sampled_from(list(places(whole))))
    result = changed(whole, pointer, value)
    for other in places(whole):
        if not (pointer + "/").startswith(other + "/") and not other.startswith(pointer + "/"):
            assert at(result, other) == at(whole, other)


@given(VALUES, VALUES)
def test_the_result_shares_nothing(whole, value):
    before = copy.deepcopy(value)
    result = changed({"whole": whole}, "/new", value)
    if isinstance(result["new"], list):
        result["new"].append("more")
    assert value == before


@given(VALUES, st.text("/~01ab-", max_size=6))
def test_any_pointer_is_set_or_absent(whole, pointer):
    try:
        result = changed(whole, pointer, 7)
    except Absent:
        return
    assert at(result, pointer) == 7 or pointer.endswith("/-")


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("", 9),
        ("/a", {"a": 9, "b": {}}),
        ("/a/0", {"a": [9, 2], "b": {}}),
        ("/a/-", {"a": [1, 2, 9], "b": {}}),
        ("/b/x~1y", {"a": [1, 2], "b": {"x/y": 9}}),
        ("/b/~01", {"a": [1, 2], "b": {"~1": 9}}),
        ("/", {"a": [1, 2], "b": {}, "": 9}),
    ],
)
def test_rfc_6901(pointer, expected):
    assert changed({"a": [1, 2], "b": {}}, pointer, 9) == expected


@pytest.mark.parametrize(
    "pointer", ["a", "/a/2", "/a/01", "/a/-1", "/a/x", "/a/0/y", "/c/d", "/b/~2", "/b/~", "#/a", "/a/٣"]
)
def test_where_nothing_can_stand(pointer):
    with pytest.raises(Absent):
        changed({"a": [1, 2], "b": {}}, pointer, 9)
