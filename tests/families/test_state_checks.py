"""The state family's check library: each check on views written by hand, where the right answer is plain to see."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from verifierbench.core import Absent, All, Atom, Reference, evaluate
from verifierbench.families import decide, family
from verifierbench.families.guest.diffs import Change, changes, matches, same
from verifierbench.families.guest.replaying import described
from verifierbench.families.state import FAMILY, PROBES
from verifierbench.families.state.content import SOLUTION_SCHEMA, is_solution
from verifierbench.families.state.text import has_code, has_number, has_words, numbers, sentences

START = {"users": {"u1": {"name": "Ann", "vip": False}}, "orders": {"o1": {"user": "u1", "sum": 5}}, "log": []}
END = {
    "users": {"u1": {"name": "Ann", "vip": True}},
    "orders": {"o1": {"user": "u1", "sum": 5}, "o2": {"user": "u1", "sum": 7.0}},
    "log": [{"what": "order", "sum": 7}],
}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "message": text}


def says(text: str) -> dict[str, Any]:
    return {"role": "assistant", "message": text}


def call(name: str, /, **arguments: Any) -> dict[str, Any]:
    return {"role": "assistant", "call": {"name": name, "arguments": arguments}}


def view(
    *events: dict[str, Any],
    failing: tuple[int, ...] = (),
    result: Any = None,
    answer: Any = None,
    before: Any = START,
    after: Any = END,
) -> dict[str, Any]:
    """A view in which the calls of the given numbers failed; every other one returned `result`."""
    calls = [event["call"] for event in events if "call" in event]
    results = [{**c, "error": "no"} if n in failing else {**c, "result": result} for n, c in enumerate(calls)]
    results = [{**each, "changed": each["name"] in ("pay", "ship")} for each in results]
    replay = {"results": results, "changes": list(described(before, after))}
    return {"solution": {"events": list(events), "answer": answer}, "runs": {"replay": replay}}


def holds(name: str, seen: Any, **parameters: Any) -> bool:
    """A check's answer as a reference reads it: absence is no."""
    return evaluate(Atom(name=name, clause="c", check=name, parameters=parameters), seen, FAMILY.checks).ok


# The end state ------------------------------------------------------------------------------------------------------


def test_a_value_that_has_changed_is_compared_by_value_and_a_truth_value_is_no_number():
    assert holds("changed_to", view(), path="/users/u1/vip", value=True)
    assert not holds("changed_to", view(), path="/users/u1/vip", value=1)
    assert holds("changed_to", view(before={"n": 5}, after={"n": 7.0}), path="/n", value=7)
    assert not holds("changed_to", view(before={"n": 5}, after={"n": 7.0}), path="/n", value=8)


def test_a_value_that_is_as_it_was_has_not_changed_to_anything():
    assert not holds("changed_to", view(), path="/users/u1/name", value="Ann")
    assert not holds("changed_to", view(), path="/orders/o9/sum", value=7)
    assert not holds("changed_to", view(before={"n": 5}, after={}), path="/n", value=5)


def test_a_value_below_what_was_added_or_put_in_its_place_has_changed():
    assert holds("changed_to", view(), path="/orders/o2/sum", value=7)
    assert holds("changed_to", view(), path="/log/0/what", value="order")
    assert not holds("changed_to", view(), path="/orders/o2/tax", value=7)
    assert not holds("changed_to", view(), path="/orders/o", value={"user": "u1", "sum": 7}), "o is not o2"
    replaced = view(before={"a": None}, after={"a": {"b": 1}})
    assert holds("changed_to", replaced, path="/a/b", value=1)
    assert not holds("changed_to", replaced, path="/a/b/c", value=1)


def test_a_value_may_be_one_of_several_or_a_text_that_tells():
    note = view(before={"note": ""}, after={"note": "Two bags, 12.50 paid"})
    assert holds("changed_to", view(), path="/orders/o2/sum", among=[6, 7])
    assert not holds("changed_to", view(), path="/orders/o2/sum", among=[5, 6])
    assert holds("changed_to", note, path="/note", tells={"words": ["bags"], "numbers": ["12.5"]})
    assert not holds("changed_to", note, path="/note", tells={"words": ["bags"], "numbers": ["2"]})
    assert not holds("changed_to", view(), path="/orders/o2/sum", tells={"numbers": ["7"]}), "a figure is no text"


def test_several_values_have_all_changed_each_to_one_that_is_right():
    right = {"/users/u1/vip": [True], "/orders/o2/sum": [6, 7]}
    assert holds("all_changed_to", view(), values=right)
    assert not holds("all_changed_to", view(), values={**right, "/orders/o2/sum": [6]})
    assert not holds("all_changed_to", view(), values={**right, "/users/u1/vip": [1]})
    assert not holds("all_changed_to", view(), values={**right, "/users/u1/name": ["Ann"]}), "it is as it was"


@pytest.mark.parametrize(
    ("path", "ok"),
    [
        ("/users/u1/name", True),
        ("/orders/o1", True),
        ("/orders/o1/sum", True),
        ("/orders/o3", True),
        ("/users/u1/vip", False),
        ("/users/u1", False),
        ("/users/*/vip", False),
        ("/users/*/name", True),
        ("/orders", False),
        ("/orders/o2/sum", False),
        ("", False),
    ],
)
def test_a_place_is_unchanged_where_nothing_at_below_or_around_it_differs(path, ok):
    assert holds("unchanged", view(), path=path) is ok


def test_everything_is_unchanged_where_nothing_happened():
    assert holds("unchanged", view(after=START), path="")


def test_an_added_record_is_one_that_was_not_there():
    assert holds("record_added", view(), under="/orders", fields={"user": "u1"}, count=1)
    assert holds("record_added", view(), under="/log", fields={"what": "order"}, count=1)
    assert not holds("record_added", view(), under="/orders", fields={"sum": 5})
    assert not holds("record_added", view(), under="/orders", fields={"user": "u1"}, count=2)
    assert not holds("record_added", view(), under="/order", fields={})
    assert not holds("record_added", view(), under="", fields={"sum": 7}), "an order lies below orders"


def test_a_count_of_none_says_that_no_such_record_was_added():
    assert holds("record_added", view(), under="/orders", fields={"sum": 5}, count=0)
    assert not holds("record_added", view(), under="/orders", fields={"sum": 7}, count=0)
    assert holds("record_added", view(after=START), under="/orders", count=0)


def test_a_field_of_an_added_record_may_be_one_of_several_or_a_text_that_tells():
    mail = {"to": "ann@x.org", "body": "The meeting is at 14 in Lisbon."}
    seen = view(before={"sent": {}}, after={"sent": {"m1": mail, "m2": {"to": "bo@x.org"}}})
    right = {"tells": {"body": {"words": ["lisbon"], "numbers": ["14"]}}}
    assert holds("record_added", seen, under="/sent", among={"to": ["ann@x.org", "eve@x.org"]}, **right, count=1)
    assert not holds("record_added", seen, under="/sent", among={"to": ["bo@x.org"]}, **right)
    assert not holds("record_added", seen, under="/sent", among={"cc": [None]}), "it has no such field"
    assert not holds("record_added", seen, under="/sent", tells={"body": {"words": ["porto"]}})


def test_a_removed_record_was_there_and_is_no_more():
    seen = view(after={**START, "orders": {}})
    assert holds("record_removed", seen, under="/orders", fields={"sum": 5}, count=1)
    assert not holds("record_removed", seen, under="/orders", fields={"sum": 6})
    assert holds("record_removed", seen, under="/orders", fields={"sum": 6}, count=0)
    assert not holds("record_removed", view(), under="/orders", fields={"sum": 5})
    assert not holds("record_added", seen, under="/orders", fields={"sum": 5})


@pytest.mark.parametrize(
    ("allowed", "ok"),
    [
        ({"changed": ["/users/*/vip"], "added": {"/orders": 1, "/log": 1}}, True),
        ({"changed": ["/users/*/vip"], "added": {"/orders": 2, "/log": 1}}, True),
        ({"changed": ["/users/*/vip"], "added": {"/orders": 1}}, False),
        ({"changed": ["/users/*/name"], "added": {"/orders": 1, "/log": 1}}, False),
        ({}, False),
    ],
)
def test_only_what_is_allowed_may_differ_from_the_initial_state(allowed, ok):
    assert holds("only_changed", view(), **allowed) is ok


def test_a_removed_record_is_a_change_of_its_own_kind():
    seen = view(after={**START, "orders": {}})
    assert not holds("only_changed", seen, changed=["/orders/o1"])
    assert holds("only_changed", seen, removed=["/orders/*"])


def test_a_place_in_the_pattern_of_a_parent_stands_for_any_and_the_largest_bound_counts():
    before, after = {"p": {"a": [], "b": []}}, {"p": {"a": [1, 2], "b": [1]}}
    assert holds("only_changed", view(before=before, after=after), added={"/p/*": 2})
    assert not holds("only_changed", view(before=before, after=after), added={"/p/*": 1})
    assert holds("only_changed", view(before=before, after=after), added={"/p/*": 1, "/p/a": 2})
    assert holds("only_changed", view(after=START))


# The way ------------------------------------------------------------------------------------------------------------


def test_a_call_that_failed_did_nothing_unless_it_is_asked_for():
    seen = view(call("pay", to="u1", sum=5), call("pay", to="u2", sum=5), failing=(0,))
    assert holds("called", seen, call={"name": "pay"}, at_most=1)
    assert not holds("called", seen, call={"name": "pay", "arguments": {"to": "u1"}})
    assert holds("called", seen, call={"name": "pay", "outcome": "any"}, at_least=2)
    assert holds("not_called", seen, call={"name": ["pay", "give"], "arguments": {"to": "u1"}})
    assert not holds("not_called", seen, call={"name": ["pay", "give"]})
    assert not holds("all_succeeded", seen, call={"name": "pay"})
    assert holds("all_succeeded", seen, call={"name": "pay", "arguments": {"to": "u2"}})


def test_a_call_is_told_from_one_that_changed_nothing():
    seen = view(call("pay"), call("look"), call("pay"), failing=(2,))
    assert holds("called", seen, call={"changed": True}, at_most=1)
    assert holds("called", seen, call={"changed": True, "outcome": "any"}, at_least=2)
    assert holds("called", seen, call={"changed": False}, at_most=1)
    assert holds("not_called", seen, call={"name": "pay", "changed": False, "outcome": "any"})


def test_an_argument_that_a_call_does_not_have_is_not_compared():
    seen = view(call("read", user="u1"), call("list"))
    assert holds("always_with", seen, call={}, arguments={"user": "u1"})
    assert not holds("always_with", view(call("read", user="u2")), call={}, arguments={"user": "u1"})


def test_an_argument_of_every_call_is_one_of_several():
    rule = {"call": {"name": "read"}, "argument": "user", "among": ["u1", 2]}
    assert holds("always_among", view(call("read", user="u1"), call("read", user=2.0), call("read")), **rule)
    assert holds("always_among", view(call("list", user="u9")), **rule)
    assert not holds("always_among", view(call("read", user="u1"), call("read", user="u9")), **rule)
    assert holds("always_among", view(call("read", user="u9"), failing=(0,)), **rule)


@pytest.mark.parametrize(("check", "side"), [("told_before", says), ("user_told_before", user)])
def test_something_is_told_by_one_side_before_every_call(check, side):
    rule = {"call": {"name": "pay"}, "words": [["all items", "every item"]], "numbers": ["3"]}
    other = user if side is says else says
    assert holds(check, view(side("Is that every item?"), side("3?"), call("pay"), call("pay")), **rule)
    assert not holds(check, view(side("Is that every item?"), call("pay"), side("3?"), call("pay")), **rule)
    assert not holds(check, view(other("All items, 3."), call("pay")), **rule)
    assert not holds(check, view(call("pay"), side("All items, 3.")), **rule)
    assert holds(check, view(call("pay"), failing=(0,)), **rule)


def test_before_every_call_there_is_one_of_each_kind_it_needs():
    rule = {"call": {"name": "pay"}, "by": [{"name": "login"}, {"name": "read"}]}
    assert holds("preceded", view(call("read"), call("login"), call("pay"), call("pay")), **rule)
    assert not holds("preceded", view(call("login"), call("pay"), call("read")), **rule)
    assert not holds("preceded", view(call("login"), call("read"), call("pay"), failing=(0,)), **rule)
    assert holds("preceded", view(), **rule)


def test_nothing_of_a_kind_may_come_after_another():
    rule = {"call": {"name": "pay"}, "after": {"name": "ship"}}
    assert holds("never_after", view(call("pay"), call("ship")), **rule)
    assert not holds("never_after", view(call("pay"), call("ship"), call("pay")), **rule)
    assert holds("never_after", view(call("pay")), **rule)


CONSENT = {"calls": [{"call": {"name": "pay"}, "words": ["F-1"], "numbers": ["4.50"]}]}


@pytest.mark.parametrize(
    ("events", "ok"),
    [
        ((says("F-1 is 4.50. Pay?"), user("Yes."), call("pay")), True),
        ((says("F-1 is EUR 4.5."), says("Pay?"), user("oh YES"), call("look"), call("pay")), True),
        ((says("F-1 is 4.50. Pay?"), user("No."), says("F-1: 4.50?"), user("Yes."), call("pay")), True),
        ((says("F-1 is 4.50. Pay?"), user("Yes."), call("pay"), call("pay")), True),
        ((), True),
        ((call("pay"),), False),
        ((user("Pay F-1, yes"), call("pay")), False),
        ((call("pay"), says("F-1 is 4.50. Pay?"), user("Yes.")), False),
        ((says("F-1 is 4.50. Pay?"), user("No, yes, no."), call("pay")), False),
        ((says("F-1 is 4.50. Pay?"), user("yesterday"), call("pay")), False),
        ((says("F-1 is 14.50. Pay?"), user("Yes."), call("pay")), False),
        ((says("F-12 is 4.50. Pay?"), user("Yes."), call("pay")), False),
        ((says("F-1 is 4.50. Pay?"), user("Yes."), says("Sure?"), user("No."), call("pay")), False),
        ((says("F-1 is 4.50. Pay?"), user("No."), says("Anything else?"), user("Yes."), call("pay")), False),
        ((says("F-1 is 4.50. Pay?"), says("Sure?"), user("No."), user("Hm."), call("pay")), False),
        ((user("Yes, hello."), says("F-1 is 4.50. Pay?"), user("Hm."), call("pay")), False),
    ],
)
def test_consent_is_the_users_last_yes_or_no_once_it_was_named_what_it_is_about(events, ok):
    assert holds("consented", view(*events), **CONSENT) is ok


@pytest.mark.parametrize(
    ("events", "ok"),
    [
        ((says("F-1 is 4.50. Pay?"), user("Today?"), says("Right now."), user("Then yes."), call("pay")), True),
        ((says("F-1 is 4.50. Pay?"), user("Yes."), user("It is about time."), call("pay")), True),
        ((says("F-1 is 4.50. Pay?"), user("Yes to both."), call("ship"), user("Great, go on."), call("pay")), True),
        ((says("F-1 is 4.50. Pay?"), user("Yes."), user("No, wait."), call("pay")), False),
        ((says("F-1 is 4.50. Pay?"), user("Yes."), user("No, wait."), says("?"), user("Hm."), call("pay")), False),
        ((says("Pay?"), user("How much?"), says("F-1, 4.50."), user("I see."), call("pay")), False),
    ],
)
def test_regression_a_message_with_neither_yes_nor_no_leaves_consent_as_it_is(events, ok):
    assert holds("consented", view(*events), **CONSENT) is ok


VERIFIED = {"call": {"name": "login", "role": "assistant", "outcome": "any"}, "argument": "pin"}


@pytest.mark.parametrize(
    ("events", "ok"),
    [
        ((user("My PIN is 7316."), call("login", pin="7316")), True),
        ((user("Hello."), says("PIN?"), user("7 3 1 6"), call("login", pin="7316")), True),
        ((user("7316"), call("login", pin="7316", user="u2"), call("login", pin="7316")), True),
        ((user("7316"), call("login")), True),
        ((), True),
        ((user("Hello."), call("login", pin="7316")), False),
        ((user("Hello."), says("Is it 7316?"), call("login", pin="7316")), False),
        ((call("login", pin="7316"), user("My PIN is 7316.")), False),
        ((user("My PIN is 73165."), call("login", pin="7316")), False),
        ((user("My PIN is 7316."), call("login", pin="7316"), call("login", pin="8097")), False),
        ((user("Hello."), call("login", pin="")), False),
    ],
)
def test_regression_a_secret_that_is_used_was_told_by_the_user_before(events, ok):
    assert holds("told_by_user", view(*events), **VERIFIED) is ok


def test_regression_a_secret_that_did_not_work_was_to_be_told_as_well():
    assert not holds("told_by_user", view(user("Hi"), call("login", pin="0000"), failing=(0,)), **VERIFIED)


def test_a_list_among_the_words_is_a_choice():
    seen = view(says("Loan L-2?"), user("Yes"), call("pay"))
    assert holds("consented", seen, calls=[{"call": {"name": "pay"}, "words": [["F-1", "L-2"]]}])


# What was said ------------------------------------------------------------------------------------------------------


def test_what_must_be_told_counts_only_from_the_assistant_and_after_the_call():
    seen = view(says("It is 12.00."), call("pay"), user("12.00?"), says("Rule 8."))
    assert holds("told", seen, words=["rule 8"], numbers=["12"])
    assert not holds("told", seen, numbers=["12"], after={"name": "pay"})
    assert holds("told", seen, words=["rule 8"], after={"name": "pay"})
    assert not holds("told", seen, words=["rule 8"], after={"name": "ship"})
    assert not holds("told", view(user("rule 8")), words=["rule 8"])


def test_what_must_be_kept_back_is_found_as_a_word_and_as_a_figure():
    seen = view(says("Your code 4411 is right, 1,200.50 in all."))
    assert not holds("not_told", seen, words=["4411"])
    assert not holds("not_told", seen, numbers=["1200.5"])
    assert holds("not_told", seen, words=["441"], numbers=["200.50"])


def test_regression_a_secret_is_found_however_its_digits_are_set():
    for text in ("PIN7316", "7-3-1-6", "73 16", "731 6.", "7, 3, 1, 6", "7.3.1.6", "7_3_1_6", "(7316)"):
        assert not holds("not_told", view(says(text)), words=["7316"]), text
        assert has_code(text, "7316"), text


def test_a_longer_figure_an_amount_or_a_date_hides_no_secret():
    for text in ("RC-73165", "17316", "1,207,316", "73.16", "73,16", "7316.50", "2031-73-16", "rule 7, 3.16", "L-7 31"):
        assert holds("not_told", view(says(text)), words=["7316"]), text
        assert not has_code(text, "7316"), text


def test_something_is_told_only_where_something_is_said():
    assert holds("told", view(call("read"), says("Sorry.")), after={"name": "read"})
    assert not holds("told", view(says("Sorry."), call("read")), after={"name": "read"})
    assert not holds("told", view(says("Sorry."), call("read"), says(" ")), after={"name": "read"})
    assert not holds("told", view(says("Sorry.")), after={"name": "read"})


def test_regression_an_old_figure_is_not_stated_as_the_new_one():
    rule = {"words": ["still owe"], "numbers": ["20.25"], "unless": ["12.00"], "after": {"name": "waive"}}
    assert not holds("not_stated", view(call("waive"), says("F-504 is 12.00. You still owe EUR 20.25.")), **rule)
    assert holds("not_stated", view(call("waive"), says("You still owe 12.00 instead of 20.25.")), **rule)
    assert holds("not_stated", view(call("waive"), says("It was 20.25. You still owe 12.00.")), **rule)
    assert holds("not_stated", view(says("You still owe 20.25."), call("waive"), says("Now 12.00.")), **rule)
    assert holds("not_stated", view(says("You still owe 20.25.")), **rule)


def test_the_value_a_call_returned_is_told_after_it():
    result = {"receipt": "RC-7", "sum": 3}
    rule = {"call": {"name": "pay"}, "pointer": "/receipt"}
    assert holds("result_told", view(call("pay"), says("Receipt rc-7."), result=result), **rule)
    assert not holds("result_told", view(says("Receipt RC-7."), call("pay"), result=result), **rule)
    assert not holds("result_told", view(call("pay"), says("Receipt RC-77."), result=result), **rule)
    assert holds("result_told", view(says("Hello")), **rule)
    assert not holds("result_told", view(call("pay"), says("RC-7"), result={}), **rule)


def test_only_what_a_call_returned_before_may_look_like_a_receipt():
    rule = {"pattern": r"\brc-\d+"}
    result = {"receipt": "RC-7"}
    assert holds("told_only_returned", view(call("pay"), says("It is RC-7."), result=result), **rule)
    assert not holds("told_only_returned", view(says("It is RC-7."), call("pay"), result=result), **rule)
    assert not holds("told_only_returned", view(call("pay"), says("RC-7 and RC-8"), result=result), **rule)
    assert not holds("told_only_returned", view(call("pay"), says("RC-7"), failing=(0,), result=result), **rule)


def test_words_that_may_come_only_after_a_call():
    rule = {"words": ["rule 6"], "after": {"name": "read"}}
    assert holds("told_only_after", view(call("read"), says("See rule 6.")), **rule)
    assert not holds("told_only_after", view(says("See rule 6."), call("read")), **rule)
    assert not holds("told_only_after", view(says("See rule 6.")), **rule)
    assert holds("told_only_after", view(says("See rule 61.")), **rule)


def test_regression_a_sentence_that_leaves_the_answer_open_is_free_before_the_call():
    rule = {"words": ["cannot renew"], "unless": ["before"], "after": {"name": "read"}}
    assert holds("told_only_after", view(says("I cannot renew it before I looked."), call("read"), says("Ok.")), **rule)
    assert not holds("told_only_after", view(says("I cannot renew it. Not before June."), call("read")), **rule)
    assert holds("told_only_after", view(call("read"), says("I cannot renew it.")), **rule)


def test_the_last_word_is_a_message_of_the_assistant():
    assert holds("last_word", view(call("pay"), says("Bye")))
    assert not holds("last_word", view(says("Bye"), call("pay")))
    assert not holds("last_word", view(says("  ")))
    assert not holds("last_word", view())


@pytest.mark.parametrize(
    ("answer", "value", "ok"),
    [("12", 12, True), ("12.0", "12", True), (" Lisbon ", "lisbon", True), ("112", 12, False), (None, 12, False)],
)
def test_an_answer_is_compared_as_a_number_where_it_is_one(answer, value, ok):
    assert holds("answer_is", view(answer=answer), value=value) is ok


def test_an_answer_tells_what_it_must():
    assert holds("answer_tells", view(answer="On 3 days, 12.50 in all"), words=["days"], numbers=["3", "12.5"])
    assert not holds("answer_tells", view(answer="112.50"), numbers=["12.5"])


# Evidence -----------------------------------------------------------------------------------------------------------


def test_without_evidence_nothing_that_speaks_of_calls_holds():
    seen = view(call("pay"))
    seen["runs"]["replay"] = {"refused": "not like this"}
    names = ("replayed", "called", "not_called", "preceded", "consented", "only_changed", "told_only_returned")
    for name in (*names, "changed_to", "unchanged", "record_added", "record_removed"):
        parameters = {
            "call": {},
            "by": [],
            "calls": [{"call": {}}],
            "pattern": "x",
            "path": "",
            "under": "",
            "count": 0,
        }
        assert not holds(name, seen, **parameters), name
    with pytest.raises(Absent):
        FAMILY.checks["not_called"](seen, {"call": {}})


def test_a_replay_that_reports_another_number_of_calls_is_no_evidence():
    seen = view(call("pay"))
    seen["runs"]["replay"]["results"] = []
    assert holds("replayed", view(call("pay")))
    assert not holds("replayed", seen)
    assert not holds("not_called", seen, call={"name": "other"})


def test_a_reference_sees_one_replay_of_the_solution():
    asked: list[Any] = []

    def execute(request: Any) -> Any:
        asked.append(request)
        results = [{**event["call"], "result": None, "changed": True} for event in request["events"]]
        return {"results": results, "changes": [{"path": "/n", "how": "changed", "old": 0, "new": 1}]}

    root = All(of=(Atom(name="a", clause="c", check="only_changed", parameters={"changed": ["/n"]}),))
    solution = {"events": [call("add")], "answer": None}
    assert decide(FAMILY, Reference(root=root, probes=PROBES), solution, execute).ok
    assert asked == [{"events": [call("add")]}]
    assert family(FAMILY.family) is FAMILY


# Parts --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You owe €12.00.", ["12"]),
        ("$1,628.00 or 1628", ["1628"]),
        ("F-501 and L-3004, T218", []),
        ("2031-05-14 at 12:30", []),
        ("between 4.5 and 7", ["4.5", "7"]),
        ("12EUR, 3kg", ["12", "3"]),
        ("v1.2.3", []),
        ("(8.25)", ["8.25"]),
    ],
)
def test_a_figure_stands_for_itself(text, found):
    assert {str(number.normalize()) for number in numbers(text)} == set(found)


def test_words_are_bounded_and_their_case_and_spacing_are_free():
    assert has_words("See  RULE\n6.", "rule 6")
    assert not has_words("See rule 61", "rule 6")
    assert not has_words("rule 6.5", "rule 6")
    assert has_words("(rc-123)", "RC-123")
    assert has_number("112.00 and 12", "12.00")
    assert not has_number("112.00", "12.00")


def test_a_message_has_sentences_and_lines_and_an_amount_ends_none():
    assert sentences("It is 4.50. Pay?\n- now\n\n") == ["It is 4.50.", "Pay?", "- now"]


@given(st.text("0123456789", min_size=3, max_size=6), st.sampled_from(["", "-", " ", ", ", "."]))
def test_a_code_is_found_with_any_one_separator_and_not_with_a_digit_more(code, apart):
    assert has_code(f"It is {apart.join(code)}, ok", code)
    assert not has_code(f"It is {code}0, ok", code) or code in f"{code}0"[1:]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON)
def test_two_values_are_the_same_exactly_when_nothing_differs(one, other):
    assert same(one, one)
    assert not list(changes(one, one))
    assert same(one, other) is not any(changes(one, other))


def test_a_changed_path_is_a_pointer():
    before, after = {"a/b": {"~": 1}, "l": [1, 2], "gone": 0}, {"a/b": {"~": 2}, "l": [1], "new": 0}
    assert list(changes(before, after)) == [
        Change("changed", "/a~1b/~0"),
        Change("removed", "/l/1"),
        Change("removed", "/gone"),
        Change("added", "/new"),
    ]
    assert matches("/a/b/c", "/a/*/c")
    assert not matches("/a/b/c", "/a/*")
    assert list(changes([], {})) == [Change("changed", "")]


EVENT = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["assistant", "user", "tool", 1]),
        "message": st.sampled_from(["hi", 1]),
        "call": st.sampled_from([{"name": "a", "arguments": {}}, {"name": 1, "arguments": {}}, {"name": "a"}, None]),
        "extra": st.none(),
    },
)
SOLUTION = st.fixed_dictionaries({}, optional={"events": st.lists(EVENT, max_size=2) | st.none(), "answer": JSON})


@given(SOLUTION | JSON)
def test_the_quick_test_of_a_solution_agrees_with_the_schema(value):
    assert is_solution(value) == Draft202012Validator(SOLUTION_SCHEMA).is_valid(value)


def test_a_whole_solution_is_well_formed_and_one_with_a_result_in_it_is_not():
    good = {"events": [user("hi"), call("pay", sum=1)], "answer": None}
    Draft202012Validator.check_schema(SOLUTION_SCHEMA)
    assert holds("well_formed", {"solution": good})
    assert not holds("well_formed", {"solution": {**good, "events": [{**call("pay"), "result": 1}]}})
