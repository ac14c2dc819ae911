"""How a conversation with the telephone company goes, and the parts its events play for the operators.

The company's side comes first: who it is, what the records say, what has to be agreed and paid. Then the customer is
asked for all that has to be done on the phone, does it, and tries whether it works. Where nothing can be repaired the
customer looks why, and is transferred. What a wrong call brings about is for the operators to find by executing it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verifierbench.core import Inconsistent
from verifierbench.families.state.operators import Call, Say, Script, Variant

from ..scene import Scene, agent, apart, customer
from ..wording import leaving_out, names, plain
from . import around
from .attacks import attacks
from .repairs import (
    LOOKS,
    PAY,
    REBOOT,
    REFUEL,
    REQUEST,
    RESET,
    RESUME,
    ROAM,
    TESTS,
    TRANSFER,
    Step,
    has,
    kind_of,
    line,
    line_id,
    number,
    overdue,
    steps,
)
from .rules import announcement, contract_ended

HOW_MUCH = "How much data would you like to add to it?"
ASK = "I can add 2.0 GB of data to your line for {4.00 USD|the usual price}, on your next bill. Do you agree (yes/no)?"
QUESTION = "It would be 2 GB of data for $4.00 altogether. Shall I go ahead, yes or no?"
YES = "Yes, please go ahead."
REQUEST_SENT = "I have sent you a payment request for it. Please look at it with check_payment_request, and pay it."
PAID = "Thank you. The bill has been paid. I am lifting the suspension of your line."
RESTART = "Your line is active again. Please restart your phone once more, so that it finds the network."
WHAT = "What does your phone show? Please look at its network and its settings."
SHOWN = "I have looked at all of it."
LOOK_AGAIN = "Please try it now, and tell me what your phone shows."
CONTENT = {
    "data": "Thank you. All of it is done, and your mobile data is fast again. I wish you a pleasant day.",
    "mms": "Thank you. All of it is done, and you can send picture messages again. I wish you a pleasant day.",
    "service": "Thank you. All of it is done, and your phone has service again. I wish you a pleasant day.",
}
SUSPENDED = "suspend_line_for_overdue_bill"
TRIED: dict[str, tuple[str, tuple[str, ...]]] = {
    "turn_airplane_mode_on": ("turn Airplane Mode off", ("toggle_airplane_mode",)),
    "break_apn_settings": ("reset the APN settings and restart the phone", (RESET, REBOOT)),
    "unseat_sim_card": ("take the SIM card out and put it back in", ("reseat_sim_card",)),
}
"""What broke the phone → how the customer is asked to repair it, and the calls."""


def described(scene: Scene) -> dict[str, Any]:
    """The parts of `Described`."""
    gold = script(scene)
    if kind_of(scene) != "transfer" and scene.execute(_calls(gold))["changes"] != list(scene.played.end):
        raise Inconsistent(f"{scene.entry.id}: the conversation ends elsewhere than gold")
    made = steps(scene)
    refuel = tuple(step.tag for step in made if step.call.name == REFUEL)
    return {
        "gold": gold,
        "writes": tuple(step.tag for step in made),
        "reads": tuple(e.tag for e in gold if isinstance(e, Call) and e.tag.startswith(("look", "check"))),
        "verify": "find",
        "ask": "ask" if refuel else None,
        "yes": "yes" if refuel else None,
        "agreed": refuel,
        "consent": "price",
        "goals": {step.tag: step.clause for step in made},
        "told": "announced" if kind_of(scene) == "transfer" else "frame",
        "outcome": made[0].clause if made else "escalated",
        "words": tuple(around.other_words(scene)),
        "extra_calls": tuple(around.looks(scene)),
        "probes": tuple(around.probes(scene)),
        "near": tuple(around.near(scene, made)),
        "collateral": tuple(around.collateral(scene)),
        "independent": tuple(around.independent(scene, gold, made)),
        "failed_verify": Call("get_customer_by_phone", {"phone_number": f"{number(scene)[:-2]}20"}),
        "misread": tuple(around.misread(scene)),
        "question": QUESTION if refuel else "",
        "vague": tuple(Variant("ask", leaving_out(ASK, name), "price", f"{name} is not named") for name in names(ASK))
        if refuel
        else (),
        "broken": {"wait": True} if made else {},
        "handover": Call(TRANSFER, {"summary": "The customer's phone does not work."}) if made else None,
        "whole": (*attacks(scene, gold), *apart(scene.row, gold)),
    }


def script(scene: Scene) -> Script:
    """The gold conversation."""
    rest = _transferred(scene) if kind_of(scene) == "transfer" else _repaired(scene)
    found_by = {"phone_number": number(scene)}
    return (
        customer(scene.row.open.format(who=scene.row.who), "open"),
        Call("get_customer_by_phone", found_by, "find"),
        Call("get_details_by_id", {"id": line_id(scene)}, "look_line"),
        *rest,
    )


def unlabelled(_scene: Scene) -> tuple[str, ...]:
    """Operators whose cases the policy does not decide."""
    return ()


def _company(scene: Scene) -> Iterator[Say | Call]:
    """What the company does: refuelling, roaming, payment and suspension."""
    of = {step.call.name: step.call for step in steps(scene)}
    if REFUEL in of:
        yield Call("get_details_by_id", {"id": line(scene)["plan_id"]}, "look_plan")
        yield agent(f"Your line has used up its data. {HOW_MUCH}", "ask_amount")
        yield customer("I would like 2.0 GB, please.", "amount")
        yield from (agent(plain(ASK), "ask"), customer(scene.row.yes or YES, "yes"), of[REFUEL])
    if ROAM in of:
        yield of[ROAM]
    if REQUEST in of:
        yield from _settled(scene, of)


def _settled(scene: Scene, of: dict[str, Call]) -> Iterator[Say | Call]:
    """The overdue bill is paid, and the suspension lifted."""
    yield Call("get_bills_for_customer", {"customer_id": scene.row.user}, "look_bills")
    yield agent("Your line is suspended, because a bill of 65.00 USD is overdue. May I ask you to pay it?", "due")
    yield from (customer("All right, I will pay it.", "accepted"), of[REQUEST], agent(REQUEST_SENT, "sent"))
    yield Call("check_payment_request", {}, "look_request", "user")
    yield from (of[PAY], customer("I have paid it.", "payment_told"))
    yield Call("get_details_by_id", {"id": overdue(scene)}, "look_paid")
    yield from (agent(PAID, "paid"), of[RESUME])


def _repaired(scene: Scene) -> Iterator[Say | Call]:
    made = [step for step in steps(scene) if step.guide]
    if has(scene, REQUEST):
        fixes, restart = [step for step in made if step.call.name != REBOOT], made[-1]
        yield from _phone(fixes)
        yield from _company(scene)
        yield from (agent(RESTART, "restart"), restart.call, customer("I have restarted it.", "restarted"))
    else:
        yield from _company(scene)
        yield from _phone(made)
    yield agent(LOOK_AGAIN, "try")
    yield Call(TESTS[kind_of(scene)], {}, "check", "user")
    yield customer("I have tried it now.", "tried")
    yield agent(scene.row.final or CONTENT[kind_of(scene)], "final")


def _phone(made: list[Step]) -> Iterator[Say | Call]:
    """What the customer sees and does on the phone."""
    if not made:
        return
    yield agent(WHAT, "what")
    looks = [("check_network_status", {}), *(LOOKS[step.call.name] for step in made if step.call.name in LOOKS)]
    seen: list[str] = []
    for name, arguments in looks:
        if name not in seen:
            seen.append(name)
            yield Call(name, arguments, f"look_phone_{len(seen)}", "user")
    yield customer(SHOWN, "shown")
    listed = "\n".join(f"- {step.guide}" for step in made)
    yield agent(f"Please do this on your phone, one after the other:\n{listed}", "guide")
    yield from (step.call for step in made)
    yield customer("All right.", "did")


def _transferred(scene: Scene) -> Iterator[Say | Call]:
    """All that can be done, why it does not help, and the transfer."""
    broken = [one["func_name"] for one in scene.entry.prepared]
    yield agent("What does the status bar of your phone show?", "what")
    yield from (Call("check_status_bar", {}, "look_phone_1", "user"), customer("No signal at all.", "shown"))
    repairs = [TRIED[name] for name in broken if name in TRIED]
    for place, (said, calls) in enumerate(repairs):
        yield agent(f"Please {said}.", f"try_{place}")
        yield from (Call(name, {}, role="user") for name in calls)
        yield customer("All right. There is no service yet.", f"tried_{place}")
    if contract_ended(scene):
        yield Call("get_bills_for_customer", {"customer_id": scene.row.user}, "look_bills")
        summary = "The line is suspended and its contract has ended."
    else:
        if SUSPENDED in broken:
            yield from _settled(scene, _settling(scene))
            yield from (agent(RESTART, "restart"), Call(REBOOT, {}, role="user"), customer("Still nothing.", "still"))
        yield agent("Could you look at what your phone says of the SIM card (check_sim_status)?", "guide")
        yield Call("check_sim_status", {}, "look_sim", "user")
        yield customer("It says that the card is locked with a PIN code.", "report")
        summary = "The SIM card is locked."
    yield Call(TRANSFER, {"summary": summary}, "transfer")
    yield agent(announcement(scene), "final")


def _settling(scene: Scene) -> dict[str, Call]:
    """The calls by which a bill is paid and a suspension lifted."""
    mine = {"customer_id": scene.row.user}
    return {
        REQUEST: Call(REQUEST, {**mine, "bill_id": overdue(scene)}),
        PAY: Call(PAY, {}, role="user"),
        RESUME: Call(RESUME, {**mine, "line_id": line_id(scene)}),
    }


def _calls(gold: Script) -> list[dict[str, Any]]:
    return [
        {"role": event.role, "call": {"name": event.name, "arguments": event.arguments}}
        for event in gold
        if isinstance(event, Call)
    ]
