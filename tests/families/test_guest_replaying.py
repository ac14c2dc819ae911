"""What guests share: which requests are any, and what a replay says each call and all of them changed."""

from __future__ import annotations

import copy
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.families.guest import SEARCH_PATH
from verifierbench.families.guest.diffs import fits, pointed, same
from verifierbench.families.guest.replaying import MOST_EVENTS, SHAPE, complaint, described, is_event, replay

SAY = {"role": "assistant", "message": "hi"}


def call(name: str, /, role: str = "assistant", **arguments: Any) -> dict[str, Any]:
    return {"role": role, "call": {"name": name, "arguments": arguments}}


class Shop:
    """`buy` books and pays, and where the purse is empty it has booked by the time it fails; `look` counts looks."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {"purse": 10, "bought": [], "looks": 0}
        self.heard: list[tuple[str, str]] = []

    def perform(self, role: str, name: str, arguments: Any) -> dict[str, Any]:
        self.heard.append((role, name))
        if name == "look":
            self.state["looks"] += arguments.pop("leaves", 0)
            return {"result": self.state["purse"]}
        if name != "buy":
            return {"error": f"no {name}"}
        self.state["bought"].append(arguments["what"])
        if self.state["purse"] < arguments["price"]:
            return {"error": "too little money"}
        self.state["purse"] -= arguments["price"]
        return {"result": arguments["what"]}

    def answer(self, *events: Any) -> dict[str, Any]:
        return replay({"events": list(events)}, self.perform, lambda: copy.deepcopy(self.state))


def test_results_stand_in_the_order_of_the_calls_and_messages_are_passed_over():
    shop = Shop()
    answer = shop.answer(SAY, call("look"), SAY, call("buy", what="tea", price=4), call("look", role="user"))
    assert answer["results"] == [
        {"name": "look", "arguments": {}, "result": 10, "changed": False},
        {"name": "buy", "arguments": {"what": "tea", "price": 4}, "result": "tea", "changed": True},
        {"name": "look", "arguments": {}, "result": 6, "changed": False},
    ]
    assert answer["changes"] == [
        {"path": "/purse", "how": "changed", "old": 10, "new": 6},
        {"path": "/bought/0", "how": "added", "new": "tea"},
    ]
    assert shop.heard == [("assistant", "look"), ("assistant", "buy"), ("user", "look")]


def test_a_call_that_fails_has_changed_what_it_has_changed():
    answer = Shop().answer(call("buy", what="car", price=90), call("fly"))
    assert [(result["error"], result["changed"]) for result in answer["results"]] == [
        ("too little money", True),
        ("no fly", False),
    ]
    assert answer["changes"] == [{"path": "/bought/0", "how": "added", "new": "car"}]


def test_a_look_that_leaves_a_trace_has_changed_something():
    answer = Shop().answer(call("look", leaves=1))
    assert answer["results"][0]["changed"]
    assert answer["changes"] == [{"path": "/looks", "how": "changed", "old": 0, "new": 1}]


def test_what_is_undone_has_changed_call_by_call_and_not_in_the_end():
    answer = Shop().answer(call("look", leaves=1), call("look", leaves=-1))
    assert [result["changed"] for result in answer["results"]] == [True, True]
    assert answer["changes"] == []


def test_a_tool_that_spoils_its_arguments_spoils_no_evidence_and_no_request():
    event = call("look", leaves=1)
    assert Shop().answer(event)["results"][0]["arguments"] == {"leaves": 1}
    assert event == call("look", leaves=1)


def test_nothing_is_done_where_nothing_is_called():
    assert Shop().answer() == Shop().answer(SAY) == {"results": [], "changes": []}


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (None, SHAPE),
        ([], SHAPE),
        ({}, SHAPE),
        ({"events": {}}, SHAPE),
        ({"events": [], "state": {}}, SHAPE),
        ({"events": [SAY] * (MOST_EVENTS + 1)}, f"at most {MOST_EVENTS}"),
        ({"events": [SAY, {"role": "tool", "message": "x"}]}, "event 1"),
        ({"events": ["hi", SAY]}, "event 0"),
        ({"events": [{"role": "user", "message": 1}]}, "event 0"),
        ({"events": [{**SAY, "call": None}]}, "event 0"),
        ({"events": [{"role": "user", "call": {"name": "a"}}]}, "event 0"),
        ({"events": [{"role": "user", "call": {"name": "a", "arguments": []}}]}, "event 0"),
        ({"events": [{"role": "user", "call": {"name": 1, "arguments": {}}}]}, "event 0"),
        ({"events": [{"role": "user", "call": {"name": "a", "arguments": {}, "result": 1}}]}, "event 0"),
        ({"events": []}, ""),
        ({"events": [SAY] * MOST_EVENTS}, ""),
        ({"events": [SAY, call("a", role="user", b=None)]}, ""),
    ],
)
def test_what_is_no_request_is_told_why(request_, words):
    assert complaint(request_).startswith(words)
    assert bool(complaint(request_)) is bool(words)


@pytest.mark.parametrize("role", [["assistant"], {}, None, 1])
def test_regression_a_role_that_cannot_be_hashed_is_no_event(role):
    assert not is_event({"role": role, "message": "hi"})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab/~", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON)
def test_every_difference_shows_what_stood_there_and_what_stands_there(before, after):
    for change in described(before, after):
        assert set(change) == {"path", "how"} | {"added": {"new"}, "removed": {"old"}}.get(
            change["how"], {"old", "new"}
        )
        if "old" in change:
            assert same(pointed(before, change["path"]), change["old"])
        if "new" in change:
            assert same(pointed(after, change["path"]), change["new"])
    assert any(described(before, after)) is not same(before, after)


def test_fields_of_a_record_are_compared_by_value():
    assert fits({"a": 1.0, "b": [True]}, {"a": 1})
    assert not fits({"a": 1}, {"a": True})
    assert not fits({"a": None}, {"b": None})
    assert not fits("a", {})


def test_a_guarded_worker_imports_it_alone():
    """As workers do: the folder's parent is on the search path, and nothing of this package is."""
    code = (
        f"import sys; sys.path.insert(0, {str(SEARCH_PATH)!r}); import importlib;"
        " importlib.import_module('guest.replaying');"
        " print([name for name in sys.modules if name.startswith('verifierbench')])"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
