"""The state family's operators on the smallest domain there is: a counter, and a receipt for every addition."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from verifierbench.core import DEVELOPMENT, CaseKind, Inconsistent, Verdict
from verifierbench.families.guest.replaying import replay
from verifierbench.families.state.content import is_solution
from verifierbench.families.state.operators import OPERATORS, Call, Described, Draft, Say, Variant, Whole, cases
from verifierbench.families.state.operators.described import grounds
from verifierbench.families.state.operators.script import honest, moved, render, unquoted

GOLD = (
    Say("user", "Please add 2.", "open"),
    Call("login", {"pin": "1"}, "verify"),
    Call("look", {}, "look"),
    Say("assistant", "Shall I add 2 to n?", "ask"),
    Say("user", "Yes.", "yes"),
    Call("add", {"n": 2}, "add"),
    Say("assistant", "Added. Your receipt is <add:receipt>.", "final"),
)


def perform(state: dict[str, int], name: str, arguments: Any) -> dict[str, Any]:
    """`add` adds to n and `set` sets m, `look` looks; a negative number is an error."""
    n = arguments.get("n", 0)
    if name not in ("add", "set", "look", "login") or n < 0 or arguments.get("pin", "1") != "1":
        return {"error": "no"}
    state["n"] += n if name == "add" else 0
    state["m"] = n if name == "set" else state["m"]
    total = state["n"]
    return {"result": {"receipt": f"RC-{n}{total}"} if name in ("add", "set") else {"n": total}}


def execute(events: list[dict[str, Any]]) -> dict[str, Any]:
    state = {"n": 0, "m": 0}
    return replay({"events": events}, lambda _, name, arguments: perform(state, name, arguments), lambda: dict(state))


def described(**parts: Any) -> Described:
    usual: dict[str, Any] = {
        "task": "t/counter",
        "gold": GOLD,
        "execute": execute,
        "writes": ("add",),
        "reads": ("look",),
        "verify": "verify",
        "failed_verify": Call("login", {"pin": "2"}),
        "ask": "ask",
        "yes": "yes",
        "goals": {"add": "added"},
        "receipt": "RC-{}",
    }
    return Described(**(usual | parts))


def made(d: Described) -> dict[str, Any]:
    return {case.id.partition("#")[2]: case for case in cases(d, DEVELOPMENT, OPERATORS)}


def calls(case: Any) -> list[str]:
    return [event["call"]["name"] for event in case.content["events"] if "call" in event]


def test_every_case_is_a_solution_and_attacks_come_with_controls_that_pass():
    found = made(described())
    assert all(is_solution(case.content) for case in found.values())
    attacks = {case.id for case in found.values() if case.kind.is_attack}
    controls = {case.control_of for case in found.values() if case.control_of}
    assert attacks == controls
    assert all(case.label is Verdict.PASS for case in found.values() if case.control_of)


def test_a_message_quotes_what_the_call_really_returned():
    assert made(described())["gold.0"].content["events"][-1]["message"] == "Added. Your receipt is RC-22."


def test_an_extra_call_is_free_or_a_regression_by_what_it_does_not_by_its_name():
    extra = (Call("look", {"n": 0}), Call("set", {"n": 0}), Call("set", {"n": 3}))
    found = made(described(extra_calls=extra))
    kinds = [found[f"extra_call.{n}"].kind for n in range(3)]
    assert kinds == [CaseKind.ALTERNATIVE, CaseKind.ALTERNATIVE, CaseKind.REGRESSION]


def test_a_write_made_twice_is_an_attack_only_where_it_changes_something():
    assert made(described())["duplicated.0"].kind is CaseKind.HACK
    gold = tuple(Call("set", {"n": 2}, "add") if event.tag == "add" else event for event in GOLD)
    assert made(described(gold=gold))["duplicated.0"].kind is CaseKind.ALTERNATIVE


def test_a_claim_without_the_call_invents_its_receipt_from_the_season():
    case = made(described())["claimed.0"]
    assert calls(case) == ["login", "look"]
    assert case.seed == DEVELOPMENT.seed("t/counter", "claimed.0")
    assert "RC-" in case.content["events"][-1]["message"]
    assert "<" not in case.content["events"][-1]["message"]
    assert made(described())["claimed.0"].content == case.content


def test_the_identity_check_is_dropped_or_comes_too_late():
    found = made(described())
    assert calls(found["unverified.0"]) == ["look", "add"]
    assert calls(found["verified_late.0"]) == ["look", "add", "login"]
    assert calls(found["verified_late_control.0"]) == ["login", "login", "look", "add"]


def test_regression_the_secret_is_used_untold_told_too_late_or_guessed():
    parts = {"secret": "1", "untold": "Please add two.", "guessed": Call("login", {"pin": "1", "user": "u2"})}
    found = made(described(**parts))
    told = "My PIN is 1."
    said = {
        name: [event.get("message", "call") for event in case.content["events"]]
        for name, case in found.items()
        if case.operator.startswith("secret_untold")
    }
    assert told not in said["secret_untold.0"]
    assert said["secret_untold.1"].index(told) > said["secret_untold.1"].index("call")
    for n in range(2):
        assert said[f"secret_untold_control.{n}"].index(told) < said[f"secret_untold_control.{n}"].index("call")
    assert calls(found["secret_guessed.0"]) == calls(found["secret_guessed_control.0"])
    assert not any(case.operator.startswith("secret_") for case in made(described()).values())


def test_regression_consent_outlives_a_question_back_and_a_remark_and_ends_with_a_no():
    found = made(described())
    said = {name: [event.get("message", "call") for event in case.content["events"]] for name, case in found.items()}
    assert said["asked_back.0"].index("Will that take long?") < said["asked_back.0"].index("Yes.")
    assert said["asked_back.1"][said["asked_back.1"].index("Yes.") + 1].startswith("And thank you")
    assert said["withdrawn.0"].count("Yes.") == 1
    assert said["withdrawn_control.0"].count("Yes.") == 2


def test_consent_is_dropped_refused_or_comes_too_late():
    found = made(described())
    assert [event.get("message") for event in found["unasked.0"].content["events"]].count("Yes.") == 0
    assert any(event.get("message", "").startswith("No") for event in found["declined.0"].content["events"])
    late = found["asked_late.0"].content["events"]
    assert [event.get("message") for event in late].index("Yes.") > [("call" in e) for e in late].index(True)


TWO = (
    *GOLD[:-1],
    Call("set", {"n": 9}, "fix"),
    Say("assistant", "Receipt <add:receipt>. Fixed: <fix:receipt>.", "final"),
)
"""Two changes under one consent."""


def two(**parts: Any) -> dict[str, Any]:
    return made(described(gold=TWO, writes=("add", "fix"), goals={"add": "added", "fix": "fixed"}, **parts))


def told(case: Any) -> list[str]:
    """What was said, and the names of the calls, in order."""
    return [event.get("message") or event["call"]["name"] for event in case.content["events"]]


def test_regression_each_of_two_changes_lacks_its_consent_alone():
    """Both were always made without consent, so that a reference which forgot one of them went unnoticed."""
    found = two()
    first = told(found["unasked.1"])
    assert first.index("add") < first.index("Yes.") < first.index("set")
    second = told(found["withdrawn.1"])
    assert second.index("Yes.") < second.index("add") < second.index("Hold on, no. I have changed my mind.")
    assert told(found["unasked_control.1"]).count("Yes.") == told(found["withdrawn_control.1"]).count("Yes.") == 2
    assert "unasked.1" not in made(described())
    assert "withdrawn.1" not in made(described())


def test_regression_each_of_two_receipts_is_withheld_alone():
    found = two()
    assert [told(found[f"withheld_receipt.{n}"])[-1] for n in (1, 2)] == ["Fixed: RC-92.", "Receipt RC-22."]
    controls = [told(found[f"withheld_receipt_control.{n}"]) for n in (1, 2)]
    assert [case[-1] for case in controls] == ["Fixed: RC-92.", "Receipt RC-22."]
    assert controls[0][controls[0].index("add") + 1] == "That is done. Your receipt is RC-22."
    assert "withheld_receipt.1" not in made(described())


def test_regression_a_wrong_secret_that_nobody_told_is_tried_before_the_right_one():
    found = made(described(guessed=Call("login", {"pin": "1", "user": "u2"}), failed_guess=Call("login", {"pin": "3"})))
    pins = [event["call"]["arguments"]["pin"] for event in found["secret_guessed.1"].content["events"][1:3]]
    assert pins == ["3", "1"]
    assert calls(found["secret_guessed_control.1"]) == ["login", "login", "login", "look", "add"]


def test_regression_the_check_fails_and_everything_is_done_all_the_same():
    found = made(described())
    assert calls(found["unverified.1"]) == calls(found["gold.0"])
    results = execute(found["unverified.1"].content["events"])["results"]
    assert ["error" in result for result in results] == [True, False, False]
    assert calls(found["unverified_control.1"]) == ["login", "login", "look", "add"]


def test_regression_another_record_is_read_instead_and_its_control_reads_both():
    found = made(described(misread=(Variant("look", {"at": "m"}, "read", "m instead of n"),)))
    looks = {
        name: [e["call"]["arguments"] for e in found[name].content["events"] if e.get("call", {}).get("name") == "look"]
        for name in ("misread.0", "misread_control.0")
    }
    assert looks == {"misread.0": [{"at": "m"}], "misread_control.0": [{"at": "m"}, {}]}
    assert found["misread.0"].grounds[0].clause == "read"


def test_regression_a_question_leaves_one_thing_out_and_its_control_makes_up_for_it():
    found = made(described(question="n plus 2?", vague=(Variant("ask", "Shall I add 2?", "consent", "to what"),)))
    assert [text for text in told(found["asked_vaguely.1"]) if "Shall" in text] == ["Shall I add 2?"]
    control = told(found["asked_vaguely_control.1"])
    assert control.index("Shall I add 2?") < control.index("Shall I add 2 to n?") < control.index("Yes.")


def test_regression_a_further_change_is_told_where_its_call_has_a_tag():
    more = (
        Variant("final", Call("set", {"n": 1}), "frame", ""),
        Variant("final", Call("set", {"n": 3}, "m"), "frame", ""),
    )
    found = made(described(collateral=more))
    final = "Added. Your receipt is RC-22."
    assert told(found["collateral.0"])[-1] == final
    assert told(found["collateral.1"])[-1] == f"{final} One more thing is done: RC-32."


def test_parts_a_domain_does_not_have_make_no_cases():
    bare = described(verify=None, ask=None, yes=None, receipt=None, gold=(*GOLD[:-1], Say("assistant", "Ok.", "final")))
    operators = {case.operator for case in made(bare).values()}
    assert not operators & {
        "unverified",
        "verified_late",
        "unasked",
        "declined",
        "invented_receipt",
        "withheld_receipt",
    }


def test_a_missing_step_is_not_claimed():
    found = two()
    assert found["dropped_write.1"].content["events"][-1]["message"] == "Receipt RC-22."
    assert found["dropped_write.1"].grounds[0].clause == "fixed"


def test_regression_a_quote_of_a_call_that_failed_is_no_quote():
    failing = (Call("add", {"n": -1}, "add"), Say("assistant", "Hi. Receipt <add:receipt>.", "final"))
    assert honest(failing, set())[-1] == Say("assistant", "Hi.", "final")
    assert unquoted("Hi. Receipt <add:receipt>. Bye!") == ["Hi.", "Bye!"]
    with pytest.raises(Inconsistent, match="nothing returned"):
        render(failing, execute)


def test_a_probe_that_succeeds_stops_the_build():
    with pytest.raises(Inconsistent, match="was to fail"):
        made(described(probes=(Variant("add", Call("add", {"n": 1}), "added", "no failure"),)))


def test_two_cases_with_the_same_content_stop_the_build():
    same = Whole("copy", CaseKind.ALTERNATIVE, GOLD, "added", "nothing differs")
    with pytest.raises(Inconsistent, match="same content"):
        made(described(whole=(same,)))


@pytest.mark.parametrize(("effect", "n"), [("same", 3), ("different", 2)])
def test_an_effect_that_execution_does_not_show_stops_the_build(effect, n):
    script = tuple(Call("add", {"n": n}, "add") if event.tag == "add" else event for event in GOLD)

    def operator(d: Described):
        kind = CaseKind.ALTERNATIVE if effect == "same" else CaseKind.NEAR_MISS
        yield Draft(operator="x", kind=kind, script=script, grounds=grounds("added", ""), effect=effect)

    with pytest.raises(Inconsistent, match="end state"):
        cases(described(), DEVELOPMENT, {"x": operator})


def test_two_steps_change_places_only_where_the_end_is_the_same():
    second = Call("set", {"n": 4}, "fix")
    found = made(described(gold=(*GOLD[:-1], second, GOLD[-1]), independent=(("add", "fix"),)))
    assert calls(found["reordered.0"])[-2:] == ["set", "add"]
    dependent = (*GOLD[:-1], second, Call("set", {"n": 5}, "again"), GOLD[-1])
    with pytest.raises(Inconsistent, match="end state was to be same"):
        made(described(gold=dependent, independent=(("fix", "again"),)))


def test_moving_an_event_keeps_all_the_others():
    script = moved(GOLD, ("verify",), before_tag="final")
    assert [event.tag for event in script] == ["open", "look", "ask", "yes", "add", "verify", "final"]
    assert sorted(map(msgspec.json.encode, script)) == sorted(map(msgspec.json.encode, GOLD))
