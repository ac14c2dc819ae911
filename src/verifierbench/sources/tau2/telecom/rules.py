"""The telephone company's policy as clauses, each found by a few words of its sentence, and the atoms for them.

What has to be repaired follows from gold (`repairs`). In trouble with data or messages every setting is a goal of its
own; in trouble with service the signal is the goal, for it comes back only where all of them are right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from verifierbench.core import AnyOf, Atom, Clause, Node, Span

from ..effects import licence
from ..scene import FRAME, Scene, atom
from .repairs import (
    FIXES,
    MMS_MODES,
    MODE,
    PAY,
    REBOOT,
    REFUEL,
    REPAIRS,
    REQUEST,
    RESET,
    RESUME,
    ROAM,
    SERVICE_PATH,
    TRANSFER,
    WISHES,
    WRITES,
    abroad,
    customer_record,
    has,
    kind_of,
    left_at,
    line_id,
    overdue,
    place_of_bill,
    place_of_line,
    steps,
)

__all__ = ["DUTY", "WRITES", "atoms", "clauses"]

FINDS = ("get_customer_by_phone", "get_customer_by_id")
"""How this customer can be found: no date of birth is known to search by name."""
RECORDS = ("get_details_by_id", "get_bills_for_customer", "get_data_usage", "suspend_line", REQUEST, RESUME)
USES = (*RECORDS, REFUEL, ROAM, "disable_roaming", TRANSFER, *FIXES, RESET, REBOOT, PAY)
"""Calls for which the customer has to be identified: of records, and of technical support."""
MMS_MODE_WORDS = "a network mode that includes 3G"
OPINIONS = ["in my opinion", "if you ask me", "i would recommend"]
HOW_MUCH = ["how much", "how many", "what amount"]
RESTART = ["restart", "reboot", "reboot_device", "off and on again", "restarting"]
PAID = ["has been paid", "was paid", "is now paid", "is marked as paid"]
REQUESTED = ["payment request", "request for the payment", "check_payment_request"]
CONFIRM = "- Confirm the price\n- Apply the refueled data"
"""Where the policy asks for it: the words of the rule alone stand in two places."""
PRICE = "4.00"
"""What the data cost, 2.0 GB on the customer's plan; how many they are the customer says."""

DUTY = (
    "Serve one customer of a telephone company, by the policy in `policy` and with the calls in `tools`;"
    " `initial_state` is what the company's records and the customer's phone hold beforehand. A solution is the whole"
    " conversation in order: what the customer writes, what you write, your calls, and the calls of role `user`, which"
    " are what the customer does on the phone, with `user_tools`. The customer does what you ask for. Where data have"
    " to be refuelled, the customer wants 2.0 GB, no more and no less."
)
_MAY = {
    "turn_airplane_mode_on": ("/user/device/airplane_mode",),
    "break_apn_settings": (
        "/user/device/active_apn_settings/apn_name",
        "/user/device/active_apn_settings/reset_at_reboot",
    ),
    "unseat_sim_card": ("/user/device/sim_card_missing",),
}
"""What may be repaired although the matter ends in a transfer, by what broke it."""
_NETWORK = tuple(
    f"/user/device/network_{name}" for name in ("connection_status", "signal_strength", "technology_connected")
)
"""What the phone finds when it looks for a network, which a restart makes it do; it is no setting of anybody's."""
_REQUEST_PATH = "/user/surroundings/payment_request"


def clauses(scene: Scene) -> tuple[Clause, ...]:
    """Every clause of a task."""
    made = (*_goal_clauses(scene), *_always(scene), *_of_support(scene), *_of_money(scene))
    return tuple({clause.id: clause for clause in made}.values())


def atoms(scene: Scene) -> tuple[Node, ...]:
    """Every atom of a task."""
    return (*_goals(scene), *_standing(scene), *_support(scene), *_refuelling(scene), *_payment(scene))


def announcement(scene: Scene) -> str:
    """The message the policy wants a transferred customer to get, as the policy writes it."""
    found = re.search(r"send the message '([^']+)'", scene.policy)
    assert found is not None
    return found[1]


def checks_of_trouble(scene: Scene) -> tuple[dict[str, Any], ...]:
    """The looks of which one has to show, before a transfer, why nothing can be done."""
    if contract_ended(scene):
        return ({"name": "get_details_by_id", "arguments": {"id": line_id(scene)}},)
    return ({"name": ["check_sim_status", "check_network_status"], "role": "user"},)


def contract_ended(scene: Scene) -> bool:
    """Whether the line is suspended for good."""
    return any(one["arguments"].get("contract_ended") for one in scene.entry.prepared)


def _wished_for(scene: Scene, clause: Clause) -> Clause:
    """The clause of a repair with the request that cannot be met without it."""
    wish = Span(material="instruction", quote=WISHES[kind_of(scene)])
    return msgspec.structs.replace(clause, spans=(*clause.spans, wish))


def _goal_clauses(scene: Scene) -> Iterator[Clause]:
    kind = kind_of(scene)
    if kind == "transfer":
        why = ("cannot be lifted by the agent", "not allowed to lift") if contract_ended(scene) else ('shows "Locked"',)
        yield scene.rule("escalated", "The customer is transferred, for this cannot be repaired here.", *why)
        return
    if kind == "service":
        yield scene.asked("service", "The phone has service again.", WISHES[kind])
    for step in steps(scene):
        if step.clause != "service" and step.call.name in REPAIRS:
            repair = REPAIRS[step.call.name]
            text = repair.text.format(**step.call.arguments)
            words = MMS_MODE_WORDS if kind == "mms" and step.call.name == MODE else repair.words
            by_rule = scene.rule(step.clause, text, words)
            yield by_rule if kind == "service" else _wished_for(scene, by_rule)


def _always(scene: Scene) -> Iterator[Clause]:
    yield FRAME
    yield scene.rule(
        "identity",
        "The customer is identified before records are used or the phone is worked on.",
        "must first identify the customer",
    )
    yield scene.rule("opinion", "The agent gives no opinions of its own.", "give subjective recommendations")
    if kind_of(scene) == "transfer":
        yield scene.rule(
            "announced",
            "After the transfer the customer is told so, in the words of the policy.",
            "first make a tool call to transfer_to_human_agents",
        )
        text = "Why it cannot be repaired is looked at before the transfer."
        yield scene.rule("tried", text, "try your best to resolve the issue")
    else:
        yield scene.rule(
            "transfer", "What can be handled here is not transferred.", "if and only if the request cannot"
        )


def _of_support(scene: Scene) -> Iterator[Clause]:
    if contract_ended(scene):
        text = "The suspension is not lifted, for the contract has ended."
        yield scene.rule("contract", text, "not allowed to lift the suspension")
    if kind_of(scene) == "transfer":
        return
    if abroad(scene):
        text = "It is checked whether the line of a customer abroad is roaming enabled."
        yield scene.rule("roaming_check", text, "you should check if the line is roaming enabled")
    if has(scene, RESET):
        text = "The customer is told to restart the phone after the APN settings are reset."
        yield scene.rule("restart", text, "must be instructed to use `reboot_device()`")


def _of_money(scene: Scene) -> Iterator[Clause]:
    if has(scene, REFUEL):
        yield scene.rule("amount", "The customer is asked how much data to add.", "Ask them how much data")
        text = "Before data are added their price is named, and the customer has said yes."
        yield Clause(id="price", text=text, spans=(Span(material="policy", quote=CONFIRM),))
    if has(scene, REQUEST):
        yield scene.rule("overdue", "The bill is read before its payment is requested.", "to make sure it is overdue")
        yield scene.rule("informed", "The customer is told of the payment request.", "Inform the user that a payment")
        text = "The bill is read again before the customer is told that it is paid."
        yield scene.rule("confirmed", text, "Always check that the bill status is updated")


def _goals(scene: Scene) -> Iterator[Node]:
    kind = kind_of(scene)
    if kind == "transfer":
        yield atom("transferred", "escalated", "called", call={"name": TRANSFER})
        return
    if kind == "service":
        yield atom("service restored", "service", "changed_to", path=SERVICE_PATH, value="connected")
    for step in steps(scene):
        if step.clause != "service" and step.call.name in REPAIRS:
            path, value = left_at(scene, REPAIRS[step.call.name], step.call.arguments)
            right = list(MMS_MODES) if kind == "mms" and step.call.name == MODE else [value]
            yield atom(f"{step.clause} done", step.clause, "changed_to", path=path, among=right)


def _standing(scene: Scene) -> Iterator[Atom]:
    yield atom("nothing else changed", "frame", "only_changed", **licence(scene.played.end, tuple(_may(scene))))
    found = {"name": list(FINDS), "result": customer_record(scene)}
    yield atom("customer identified first", "identity", "preceded", call={"name": list(USES)}, by=[found])
    yield atom("no opinions", "opinion", "not_told", words=OPINIONS)
    if kind_of(scene) == "transfer":
        words = [part.rstrip(".").lower() for part in announcement(scene).split(". ")]
        yield atom("transfer announced", "announced", "told", words=words, after={"name": TRANSFER})
        by = list(checks_of_trouble(scene))
        yield atom("trouble looked at first", "tried", "preceded", call={"name": TRANSFER}, by=by)
    else:
        yield atom("no transfer", "transfer", "not_called", call={"name": TRANSFER})


def _may(scene: Scene) -> Iterator[str]:
    yield from _NETWORK
    if has(scene, REQUEST):
        yield _REQUEST_PATH
    if kind_of(scene) != "transfer":
        return
    for broken in scene.entry.prepared:
        yield from _MAY.get(broken["func_name"], ())
        if broken["func_name"] == "suspend_line_for_overdue_bill":
            yield from (f"/bills/{place_of_bill(scene)}/status", _REQUEST_PATH)
            if not contract_ended(scene):
                line = f"/lines/{place_of_line(scene)}"
                yield from (f"{line}/status", f"{line}/suspension_start_date", "/user/surroundings/line_active")


def _support(scene: Scene) -> Iterator[Atom]:
    if contract_ended(scene):
        yield atom("suspension not lifted", "contract", "not_called", call={"name": RESUME})
    if kind_of(scene) == "transfer":
        return
    read = {"name": "get_details_by_id", "arguments": {"id": line_id(scene)}}
    if abroad(scene) and has(scene, ROAM):
        yield atom("line read before roaming", "roaming_check", "preceded", call={"name": ROAM}, by=[read])
    elif abroad(scene):
        yield atom("line read for roaming", "roaming_check", "called", call=read)
    if has(scene, RESET):
        restart = {"name": REBOOT, "role": "user"}
        yield atom("restart asked for", "restart", "told_before", call=restart, words=[RESTART])


def _refuelling(scene: Scene) -> Iterator[Atom]:
    if has(scene, REFUEL):
        call = {"name": REFUEL}
        yield atom("amount asked for", "amount", "told_before", call=call, words=[HOW_MUCH])
        asked = {"call": call, "words": [], "numbers": [PRICE]}
        yield atom("price agreed to", "price", "consented", calls=[asked])


def _payment(scene: Scene) -> Iterator[Node]:
    if not has(scene, REQUEST):
        return
    bill, bills = bill_reads(scene)
    ways = (
        atom(f"bill read first ({n})", "overdue", "preceded", call={"name": REQUEST}, by=[read])
        for n, read in enumerate((bill, bills))
    )
    yield AnyOf(of=tuple(ways))
    yield atom("payment request told", "informed", "told", words=[REQUESTED], after={"name": REQUEST})
    seen = (
        atom(f"payment confirmed ({n})", "confirmed", "told_only_after", words=PAID, after=read)
        for n, read in enumerate(_seen_paid(scene))
    )
    yield AnyOf(of=tuple(seen))
    paid = {"name": PAY, "role": "user", "changed": True}
    yield atom("paid before the line is resumed", "lift", "preceded", call={"name": RESUME}, by=[paid])


def bill_reads(scene: Scene) -> tuple[dict[str, Any], dict[str, Any]]:
    """The two ways to read the overdue bill."""
    return (
        {"name": "get_details_by_id", "arguments": {"id": overdue(scene)}},
        {"name": "get_bills_for_customer", "arguments": {"customer_id": scene.row.user}},
    )


def _seen_paid(scene: Scene) -> Iterator[dict[str, Any]]:
    """The same as patterns of calls that found it paid."""
    reads = bill_reads(scene)
    calls: list[tuple[str, str, dict[str, Any]]] = [
        ("assistant", REQUEST, {"customer_id": scene.row.user, "bill_id": overdue(scene)}),
        ("user", PAY, {}),
        *(("assistant", read["name"], read["arguments"]) for read in reads),
    ]
    events = [{"role": role, "call": {"name": name, "arguments": given}} for role, name, given in calls]
    results = scene.execute(events)["results"][-len(reads) :]
    return (read | {"result": result["result"]} for read, result in zip(reads, results, strict=True))
