"""The check on facts that must be told: natural sentences, each judged by hand before the check was asked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import Absent
from verifierbench.families.state import FAMILY
from verifierbench.families.state.facts import is_number

TWELVE = {"fact": ["12"], "rivals": ["13", "14"]}
LISBON = {"fact": ["Lisbon"], "rivals": ["Porto", "Lisbon Airport"]}


def seen(*texts: str, answer: str | None = None) -> dict[str, Any]:
    events = [{"role": "assistant", "message": text} for text in texts]
    return {"solution": {"events": events, "answer": answer}, "runs": {"replay": {"results": [], "changes": []}}}


def asserted(text: str, **parameters: Any) -> bool:
    """Whether a message tells the fact; the same text as an answer must be read alike."""
    check = FAMILY.checks["asserted"]
    said = check(seen(text), parameters)
    assert check(seen(answer=text), {**parameters, "where": "answer"}) is said
    return said


PLAIN = """
12
12.
12.00
It is 12.
It's 12!
The refund is $12.00.
Your refund of €12 is on its way.
The total comes to 12.0 euros, tax included.
Total: 12
- total: **12**
Refund (in dollars): 12
The total (12) is due today.
Your balance is 12; nothing else is open.
No problem, it is 12.
No, it is 12.
Not at all: it is 12.
Don't worry, it is 12.
Don't forget that the fee is 12.
There is no doubt: it is 12.
There is no doubt that it is 12.
No doubt it is 12.
It is due on May 12.
May 12 is the day.
Please bring it back no later than May 12.
It takes no longer than 12 days.
Please be there no earlier than 12.
The fee is 12, which is not refundable.
The fee is 12 and not refundable.
The fee is 12 because the item was not returned in time.
The fee is 12 although you never asked for it.
A fee of 12 is not refundable.
The room costs 12 without breakfast.
I could not find the old receipt, but the fee is 12.
I did not change the booking and the total is 12.
You have no fines and 12 points.
You might like to know that it is 12.
The best I can offer is 12.
You could use the 12 for another order.
If you return it today, you get 12 back.
If you cancel now you get 12 back.
Whether or not you cancel, the fee is 12.
Either way, the fee is 12.
It is 12, not 13.
It is 12 and not 13.
It is 12 rather than 13.
I charged 12 instead of 13.
Instead of 13 it is 12.
It is not 13, it is 12.
It is not 13 but 12.
It isn't 13 or 14; it is 12.
I have compared: it is 12. It is not 13, and it is not 14.
It's neither 13 nor 14. It is 12.
Not 13, 14 or 15: 12.
Earlier I said 13, but that was wrong: it is 12.
The answer 13 is wrong. The right one is 12.
It might be 12, I thought. I have checked: it is 12.
Is it 12? Yes, it is 12.
It is 12. Shall I go on?
Your total is 12, shall I go on?
Would you like anything else? It is 12.
It is 12. Is 13 what you expected?
It is 12. You have not paid the 12 yet.
Nothing but the fee of 12 is open.
The wrong item was sent, so you get 12 back.
You get 12 for the wrong item.
The refund would be 12.
You have 1, 2, and 12.
I am sure it is 12.
12 it is.
It was 12 on the 3rd.
12 out of 20 were read.
It is 12, I checked twice.
There are 12 messages. None of them is urgent.
I cannot wait to tell you: it is 12.
As I said, no refund is possible - the fee stays 12.
The fee stays at 12 — no exceptions.
Wait no more! Your 12 euros are there.
Sorry, I could not reach the shop. The sum is 12.
Either pay it today or tomorrow; it is 12.
Hurry, or the 12 euros are gone.
""".strip().splitlines()

DENIED = """
It is not 12.
It isn't 12.
It isn\u2019t 12.
It's not 12.
It's definitely not 12.
It was never 12.
It is no longer 12.
It will not be 12.
It won't be 12.
It cannot be 12.
It can't be EUR 12.
Not 12.
Not $12.
12 is wrong.
12 is not right.
12 isn't the refund.
12 is not what you get.
12 cannot be right.
It is not 11, 12 or 15.
It is neither 11 nor 12.
It is anything rather than 12.
You get a voucher instead of 12.
It is 12. That is wrong.
It is 12, which is wrong.
It is 12, but that isn't right.
It is 12. It is not 12.
It is 12, no, it is not 12.
The fee, which is not 12, is due.
There is no refund of 12.
I was unable to refund the 12.
None of them is 12.
It would be wrong to say 12.
""".strip().splitlines()

DOUBTED = """
Maybe 12.
It might be 12.
It might be 12, though I am not sure.
It may be 12.
It could be 12.
It could well be 12.
It could be that it is 12.
It may have been 12.
It should be around 12.
It is probably 12.
Perhaps it is 12.
It is 12, perhaps.
It is 12, I think.
I think it is 12.
I believe it's 12.
I'd say 12.
I guess 12.
My guess: 12.
At a guess it is 12. That is my best guess of 12.
I am not sure, but it is 12.
It is 12, but I am not sure.
It is 12, though I'm not quite certain about that.
It is 12. I am not sure.
It is 12 if I had to choose.
It seems to be 12.
12 seems likely.
It is unlikely to be 12.
It's 12 or so.
I do not know whether it is 12.
If it is 12, all is well.
If I remember correctly, who knows, 12.
It is 12, if I remember right.
Is it 12?
12?
Did you mean 12, or something else?
It is 12, right?
It is 12, isn't it?
""".strip().splitlines()

SEVERAL = """
It is 12 or 13.
It is 13 or 12.
12, 13 or 14.
12, 13, 14
It is either 12 or 15.
It is 12 euros or 15 euros.
It is 15 or 12.
It is 12, 13 or 14, pick one.
It is 12. It is 13.
It is 12. Correction: it is 13.
It is 13. Correction: it is 12.
It is 12, or maybe 13.
It is 12, perhaps 13.
It is 12 for you and 13 for me.
12/13: 12 and 13
It's 12... no, 13.
""".strip().splitlines()

ABSENT = """
It is 112.
It is 12.50.
It is 1,200.
It is F-12.
On 2031-05-12.
At 12:30.
v12
It is twelve.
It is done.
""".strip().splitlines()


@pytest.mark.parametrize("text", PLAIN)
def test_a_figure_that_is_told(text):
    assert asserted(text, **TWELVE)


@pytest.mark.parametrize("text", DENIED)
def test_a_figure_that_is_denied_is_not_told(text):
    assert not asserted(text, **TWELVE)


@pytest.mark.parametrize("text", DOUBTED)
def test_a_figure_that_is_a_guess_or_a_question_is_not_told(text):
    assert not asserted(text, **TWELVE)


@pytest.mark.parametrize("text", SEVERAL)
def test_one_of_several_figures_is_not_told(text):
    assert not asserted(text, **TWELVE)


@pytest.mark.parametrize("text", [*ABSENT, "", " "])
def test_a_figure_that_is_not_there_is_not_told(text):
    assert not asserted(text, **TWELVE)


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("It is in Lisbon.", True),
        ("lisbon", True),
        ("LISBON, Portugal", True),
        ("You fly to **Lisbon**.", True),
        ("Lisbon (not Porto)", True),
        ("Lisbon rather than Porto, no doubt.", True),
        ("There are no flights to Porto, so you go to Lisbon.", True),
        ("Not Porto but Lisbon.", True),
        ("It's Lisbon; Porto is wrong.", True),
        ("Do you know Porto? This one is in Lisbon.", True),
        ("Not Lisbon.", False),
        ("Lisbon or Porto.", False),
        ("Porto or Lisbon.", False),
        ("Faro or Lisbon.", False),
        ("Lisbon. Or Porto.", False),
        ("It is Lisbon, I suppose.", False),
        ("It is Lisbon Airport.", False),
        ("It isn't Lisbon Airport but Lisbon.", True),
        ("Lisboner", False),
    ],
)
def test_a_word_is_told_as_a_figure_is(text, ok):
    assert asserted(text, **LISBON) is ok


@pytest.mark.parametrize(
    ("fact", "text", "ok"),
    [
        ("1628", "It is $1,628.00.", True),
        ("1628.00", "It is 1628 dollars.", True),
        ("1628", "It is 1,6280.", False),
        ("8.25", "(8.25)", True),
        ("Now or Never", "The song is Now or Never.", True),
        ("Now or Never", "The song is not Now or Never.", False),
        ("Us and Them, Live", "It is Us and Them, Live, I checked.", True),
        ("Portland, Oregon", "The shop is in Portland, Oregon.", True),
        ("Dr. No", "Your book is Dr. No.", True),
        ("not available", "T-2 is not available.", True),
        ("no", "No.", True),
        ("no", "No, you cannot.", True),
        ("0", "There are 0 left.", True),
        ("F-501", "F-501 is open, F-502 is not.", True),
        ("F-501", "F-5011 is open.", False),
        ("2031-05-12", "It is due on 2031-05-12.", True),
    ],
)
def test_a_fact_may_have_stops_commas_and_denials_of_its_own(fact, text, ok):
    assert asserted(text, fact=[fact]) is ok


def test_a_fact_may_be_spelled_in_several_ways():
    spelled = {"fact": ["2031-05-12", "May 12, 2031", "12 May"], "rivals": ["2031-05-13", "May 13", "2 May"]}
    assert asserted("It is due on May 12, 2031.", **spelled)
    assert asserted("It is due on 12 May (2031-05-12).", **spelled)
    assert not asserted("It is due on 12 May, or May 13.", **spelled)
    assert not asserted("It is due on 2 May.", **spelled)


def test_without_rivals_another_value_is_none_of_this_checks_business():
    assert asserted("It is 12. It is 13.", fact=["12"])
    assert not asserted("It is 12 or 13.", fact=["12"])


def test_a_fact_counts_where_it_is_asked_for():
    check = FAMILY.checks["asserted"]
    assert not check(seen("It is 12.", answer="done"), {**TWELVE, "where": "answer"})
    assert not check(seen("It is 12.", answer=None), {**TWELVE, "where": "answer"})
    assert check(seen("It is 13.", answer="12"), {**TWELVE, "where": "answer"}), "the answer is where it counts"
    assert not check(seen("It is 12.", "No: it is 13."), TWELVE)
    assert check(seen("Let me look.", "It is 12."), {**TWELVE, "where": "messages"})
    user = {"solution": {"events": [{"role": "user", "message": "12"}], "answer": None}}
    assert not check(user, TWELVE)


def test_a_fact_is_told_after_the_call_that_shows_it():
    call = {"role": "assistant", "call": {"name": "read", "arguments": {}}}
    results = [{**call["call"], "result": None, "changed": False}]

    def view(*events: Any) -> Any:
        return {"solution": {"events": list(events), "answer": None}, "runs": {"replay": {"results": results}}}

    says = {"role": "assistant", "message": "It is 12."}
    check, rule = FAMILY.checks["asserted"], {**TWELVE, "after": {"name": "read"}}
    assert check(view(call, says), rule)
    assert not check(view(says, call), rule)
    with pytest.raises(Absent):
        check(view(call, says), {**TWELVE, "after": {"name": "write"}})


@pytest.mark.parametrize(
    ("value", "ok"), [("12", True), ("-1.50", True), ("1e3", True), ("Lisbon", False), ("F-501", False), ("NaN", False)]
)
def test_a_value_is_a_figure_where_it_is_written_as_one(value, ok):
    assert is_number(value) is ok


UNRELATED = st.sampled_from(
    [
        "I have looked into it.",
        "No problem at all.",
        "I am not sure whether you want anything else.",
        "Perhaps you would like a receipt?",
        "That is not possible before June.",
        "Which of the two do you prefer, tea or coffee?",
        "Never mind the noise!",
        "It seems to rain.",
        "You have 7 messages, or 8.",
        "Rule 3 is wrong about that.",
        "Nothing else was changed.",
        "Is there anything else?",
    ]
)


@given(st.sampled_from(PLAIN), st.lists(UNRELATED, max_size=3), st.lists(UNRELATED, max_size=3), st.sampled_from(" \n"))
def test_what_is_told_stays_told_whatever_else_is_said_of_other_things(text, before, after, apart):
    assert asserted(apart.join([*before, text if text[-1] in ".!?" else f"{text}.", *after]), **TWELVE)


@given(st.sampled_from([*DENIED, *SEVERAL, *ABSENT]), st.lists(UNRELATED, max_size=3), st.lists(UNRELATED, max_size=3))
def test_what_is_not_told_is_not_told_by_what_is_said_of_other_things(text, before, after):
    assert not asserted(" ".join([*before, text, *after]), **TWELVE)


@given(st.sampled_from(PLAIN), st.sampled_from(["It is not 12.", "12 is wrong.", "It is 13.", "Correction: it is 14."]))
def test_what_is_told_is_told_no_more_once_it_is_denied_or_replaced(text, more):
    assert not asserted(f"{text} {more}" if text[-1] in ".!?" else f"{text}. {more}", **TWELVE)
