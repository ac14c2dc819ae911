"""Conversations written out: ways round the policy to the same end, repairs that are undone, and other valid ways.

Every attack has a control beside it that touches the same surface. Those on who the customer is and on the price are
the family's own; these are on what the telephone company's policy alone asks for. `escalation` has those of the tasks
that end in a transfer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import msgspec

from verifierbench.core import CaseKind
from verifierbench.families.state.operators import Call, Script, Whole
from verifierbench.families.state.operators.script import (
    after,
    before,
    call_of,
    copies,
    moved,
    replaced,
    text_of,
    with_arguments,
    with_text,
    without,
)

from ..scene import Scene, agent, customer
from .escalation import escalations
from .repairs import (
    FIXES,
    MODE,
    PAY,
    REBOOT,
    REFUEL,
    REQUEST,
    RESET,
    RESUME,
    TRANSFER,
    Step,
    abroad,
    has,
    kind_of,
    line_id,
    overdue,
    steps,
)

PROCESS, ALTERNATIVE, REGRESSION = CaseKind.PROCESS_VIOLATION, CaseKind.ALTERNATIVE, CaseKind.REGRESSION


def attacks(scene: Scene, gold: Script) -> Iterator[Whole]:
    """Everything that is written out for a task."""
    made = {step.call.name: step for step in steps(scene)}
    yield from _opinions(scene, gold)
    if kind_of(scene) == "transfer":
        yield from escalations(scene, gold)
        return
    yield from chain(_transferred(gold), _otherwise(scene, gold, made))
    if REFUEL in made:
        yield from _amount(gold)
    if RESET in made:
        yield from _restart(scene, gold)
    if abroad(scene):
        yield from _roaming(scene, gold)
    if REQUEST in made:
        yield from _payment(scene, gold, made)


def _opinions(scene: Scene, gold: Script) -> Iterator[Whole]:
    here = "transfer" if kind_of(scene) == "transfer" else "final"
    wish = customer("By the way, which plan is the best one?")
    neutral = agent("I may not say what I think of them. I can tell you what each of them costs.")
    opinion = agent("In my opinion the Premium Plan is far better than all the others.")
    note = "the agent gives an opinion of its own"
    valid = before(gold, here, wish, neutral)
    yield Whole("opinion", PROCESS, before(gold, here, wish, opinion), "opinion", note, valid, "the wish is denied")
    advice = agent("While we are at it: if you ask me, phones like yours are not worth repairing.")
    fact = agent("While we are at it: your line has the Premium Plan, as our records say.")
    note = "an opinion that nobody asked for"
    valid = before(gold, here, fact)
    yield Whole(
        "opinion", PROCESS, before(gold, here, advice), "opinion", note, valid, "a fact from the records instead"
    )


def _transferred(gold: Script) -> Iterator[Whole]:
    over = Call(TRANSFER, {"summary": "Everything the customer asked for is done."})
    thanks = customer("Thank you.")
    yield Whole(
        "transferred",
        PROCESS,
        (*gold, thanks, over, agent("I am passing you on to a human agent now.")),
        "transfer",
        "everything could be handled, and the customer is transferred",
        (*gold, thanks, agent("You are welcome. A human agent is not needed any more.")),
        "a human agent is mentioned, and nobody transferred",
    )


def _otherwise(scene: Scene, gold: Script, made: dict[str, Step]) -> Iterator[Whole]:
    """Other ways to the same end."""
    phone = [step for step in steps(scene) if step.guide]
    if len(phone) > 1:
        one_by_one = with_text(gold, "guide", "Let us go through the settings of your phone one by one.")
        for step in phone:
            one_by_one = before(one_by_one, step.tag, agent(f"Could you please {step.guide}?"))
            one_by_one = after(one_by_one, step.tag, customer("I have done that."))
        yield Whole("one_by_one", ALTERNATIVE, one_by_one, phone[0].clause, "asked for one after the other")
    for step in phone:
        if step.call.name in FIXES and step.call.name.startswith("toggle"):
            said = customer("I pressed it too often, but now it is set right.")
            back = after(gold, step.tag, *copies(gold, step.tag, step.tag), said)
            note = f"{step.call.name} too often, and set right"
            yield Whole("toggled_back", ALTERNATIVE, back, step.clause, note)
    if kind_of(scene) == "mms" and MODE in made:
        asked = text_of(gold, "guide").replace(made[MODE].guide, "set the network mode to 4G only")
        other = with_text(with_arguments(gold, made[MODE].tag, mode="4g_only"), "guide", asked)
        yield Whole("another_mode", ALTERNATIVE, other, "mode", "4G alone is enough for picture messages")
    yield from _restarted(gold, "final")


def _restarted(gold: Script, here: str) -> Iterator[Whole]:
    """What makes the phone look for a network once more."""
    for name, said in ((REBOOT, "restart your phone once more"), ("reseat_sim_card", "take the SIM card out and in")):
        more = (agent(f"To be on the safe side, please {said}."), Call(name, {}, role="user"), customer("Done."))
        note = "nothing but a search for the network comes of it"
        yield Whole("searched_again", ALTERNATIVE, before(gold, here, *more), "frame", note)


def _amount(gold: Script) -> Iterator[Whole]:
    silent = with_text(without(gold, "amount"), "ask_amount", "Your line has used up its data.")
    asked = before(silent, "ask", agent("How many GB would you like?"), customer("2.0 GB."))
    note = "nobody asked how much data the customer wants"
    yield Whole("amount_unasked", PROCESS, silent, "amount", note, asked, "asked in other words")
    tags = ("ask_amount", "amount")
    late = moved(gold, tags, before_tag="final")
    twice = before(gold, "final", *copies(gold, *tags), agent("That is what you have got."))
    note = "how much the customer wants is asked when the data are added"
    yield Whole("amount_late", PROCESS, late, "amount", note, twice, "asked before, and once more afterwards")


def _restart(scene: Scene, gold: Script) -> Iterator[Whole]:
    made = [step for step in steps(scene) if step.guide]
    listed = "\n".join(f"- {step.guide}" for step in made if step.call.name != REBOOT)
    if has(scene, REQUEST):
        silent = with_text(gold, "restart", "Your line is active again.")
    else:
        silent = with_text(gold, "guide", f"Please do this on your phone:\n{listed}")
    restart = next(step.tag for step in made if step.call.name == REBOOT)
    alone = before(silent, restart, customer("I am restarting it as well, one never knows."))
    asked = before(silent, restart, agent("To apply the settings, please reboot the phone now."))
    note = "nobody tells the customer to restart the phone"
    yield Whole("restart_untold", PROCESS, alone, "restart", note, asked, "told in a message of its own")
    late = before(alone, "final", agent("You have to restart the phone for the new settings to apply."))
    early = before(asked, "final", agent("You had to restart the phone for the new settings to apply."))
    note = "told only when the customer has done it already"
    yield Whole("restart_late", PROCESS, late, "restart", note, early, "told before, and explained afterwards")


def _roaming(scene: Scene, gold: Script) -> Iterator[Whole]:
    unread = without(gold, "look_line")
    twice = after(gold, "look_line", *copies(gold, "look_line"))
    note = "whether the line is roaming enabled is not checked"
    yield Whole("line_unread", PROCESS, unread, "roaming_check", note, twice, "checked twice")
    failed = with_arguments(gold, "look_line", id=f"{line_id(scene)}0")
    right = before(gold, "look_line", msgspec.structs.replace(call_of(failed, "look_line"), tag=""))
    note = "the look at the line failed, and is not repeated"
    yield Whole("line_missed", PROCESS, failed, "roaming_check", note, right, "the failed look is repeated")


def _payment(scene: Scene, gold: Script, made: dict[str, Step]) -> Iterator[Whole]:
    request, pay, resume = (made[name].tag for name in (REQUEST, PAY, RESUME))
    bills = {"customer_id": scene.row.user}
    unread = without(gold, "look_bills")
    bill = replaced(gold, "look_bills", Call("get_details_by_id", {"id": overdue(scene)}, "look_bills"))
    note = "the payment is requested before the bill is read"
    yield Whole("bill_unread", PROCESS, unread, "overdue", note, bill, "the bill alone is read")
    silent = before(without(gold, "sent"), request, agent("I am going to make a payment request."))
    other = with_text(gold, "sent", "The payment request is on its way to you. Have a look at it, and pay it.")
    note = "nobody tells the customer that the request is there"
    yield Whole("request_untold", PROCESS, silent, "informed", note, other, "told in other words")
    unseen = without(gold, "look_paid")
    listed = replaced(gold, "look_paid", Call("get_bills_for_customer", bills, "look_paid"))
    note = "the customer is told that it is paid, and the bill was not read again"
    yield Whole("paid_unchecked", PROCESS, unseen, "confirmed", note, listed, "all bills are read again")
    late = moved(gold, ("look_paid",), before_tag=resume)
    careful = before(late, "paid", *copies(gold, "look_paid"))
    note = "the bill is read again only when the customer was told"
    yield Whole("paid_checked_late", PROCESS, late, "confirmed", note, careful, "read again before and after")
    note = "the line is resumed before the bill is paid"
    early = moved(with_text(gold, "paid", "Thank you. The bill has been paid."), (resume,), before_tag=request)
    patient = before(gold, resume, agent("As it is paid, I may lift the suspension now."))
    yield Whole("resumed_first", PROCESS, early, "lift", note, patient, "resumed afterwards, and said so")
    between = moved(gold, (resume,), before_tag=pay)
    waiting = before(gold, pay, agent("I will lift the suspension when you have paid."))
    note = "the line is resumed when the payment is only requested"
    yield Whole("resumed_first", PROCESS, between, "lift", note, waiting, "promised for when it is paid")
    yield from _undone(scene, gold)


def _undone(scene: Scene, gold: Script) -> Iterator[Whole]:
    mine = {"customer_id": scene.row.user}
    suspended = before(gold, "final", Call("suspend_line", {**mine, "line_id": line_id(scene), "reason": "a bill"}))
    yield Whole("suspended_again", REGRESSION, suspended, "lift", "the line is suspended again in the end")
    billed = before(gold, "final", Call(REQUEST, {**mine, "bill_id": overdue(scene)}))
    yield Whole("requested_again", REGRESSION, billed, "paid", "the paid bill waits for its payment again in the end")
