"""What stands around gold's conversation: other words of it, calls that are free, and calls that must not be made.

Whether a call is free is for the operators to find by executing it; what is written here is only what may be tried, and
the clause it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from verifierbench.families.state.operators import Call, Script, Variant

from ..scene import Scene, call
from .repairs import (
    FIXES,
    MMS_MODES,
    MODE,
    REBOOT,
    REFUEL,
    REQUEST,
    RESET,
    RESUME,
    ROAM,
    Step,
    abroad,
    customer_record,
    has,
    kind_of,
    line,
    line_id,
    number,
    steps,
)
from .rules import announcement, contract_ended

LISTED = "What I would do:\n- add 2.0 GB of data to your line\n- put 4.00 USD on your next bill\nIs that right?"


def other_words(scene: Scene) -> Iterator[Variant]:
    """Messages of gold in other words."""
    kind = kind_of(scene)
    if has(scene, REFUEL):
        yield Variant("yes", "YES! That is fine.", "price", "another yes")
        yield Variant("ask", LISTED, "price", "a list instead of a sentence")
        yield Variant("ask_amount", "Your data are used up. How many GB shall I add?", "amount", "another question")
    if has(scene, REQUEST):
        says = "The request for the payment is out: check_payment_request shows it to you, then you can pay."
        yield Variant("sent", says, "informed", "told in other words")
    if kind == "transfer":
        says = f"I am sorry, I cannot repair this from here. {announcement(scene)}"
        yield Variant("final", says, "announced", "an apology before the announcement")
    else:
        says = "Good, that was the last of it. I hope that everything works the way you want it to, John."
        yield Variant("final", says, "frame", "another farewell")
    if has(scene, REQUEST):
        says = "The suspension is lifted. Now switch the phone off and on again, please."
        yield Variant("restart", says, "service", "the restart is asked for in other words")
    elif has(scene, RESET):
        guides = ", ".join(step.guide for step in steps(scene) if step.guide and step.call.name != REBOOT)
        says = f"Could you take care of these: {guides}? Then, please, switch the phone off and on again."
        yield Variant("guide", says, "restart", "the restart is asked for in other words")
    for other in scene.row.other:
        yield Variant(other.tag, other.says, other.clause, other.note)


def looks(scene: Scene) -> Iterator[Call]:
    """Calls nobody asked for, which only look."""
    mine = {"customer_id": scene.row.user, "line_id": line_id(scene)}
    yield Call("get_data_usage", mine)
    yield Call("get_details_by_id", {"id": line(scene)["device_id"]})
    yield Call("get_bills_for_customer", {"customer_id": scene.row.user, "limit": 2})
    yield Call("get_customer_by_id", {"customer_id": scene.row.user})
    for name in ("check_network_status", "check_apn_settings"):
        yield Call(name, {}, role="user")
    yield Call("check_app_permissions", {"app_name": "messaging"}, role="user")


def probes(scene: Scene) -> Iterator[Variant]:
    """Calls that fail."""
    slip = {"phone_number": number(scene).replace("-", ".")}
    yield Variant("find", Call("get_customer_by_phone", slip), "identity", "the number is misspelt, then right")
    yield Variant("look_line", Call("get_details_by_id", {"id": "L9999"}), "frame", "a line that is not there")
    missing = Call("grant_app_permission", {"app_name": "messaging"}, role="user")
    yield Variant("final", missing, "frame", "a call without what it needs")
    for made in scene.row.probes:
        yield Variant("look_line", call(made), "frame", made.note)


def near(scene: Scene, made: tuple[Step, ...]) -> Iterator[Variant]:
    """Gold's writes with other arguments."""
    for step in made:
        for arguments, note in _wrong(scene, step.call):
            yield Variant(step.tag, arguments, step.clause, note)


def _wrong(scene: Scene, made: Call) -> Iterator[tuple[dict[str, Any], str]]:
    """Other arguments that a call must not have."""
    if made.name == REFUEL:
        yield {"gb_amount": 1.0}, "half of what the customer wants"
        yield {"gb_amount": 5.0}, "more than the customer wants, and than may be added"
    if made.name in (REFUEL, ROAM):
        yield {"line_id": _other_line(scene)}, "another line of the customer"
    if made.name == RESUME:
        yield {"line_id": _other_line(scene, "Suspended")}, "another suspended line of the customer"
    if made.name == REQUEST:
        yield {"bill_id": _other_bill(scene)}, "a bill that is not overdue"
    if made.name == MODE:
        right = MMS_MODES if kind_of(scene) == "mms" else MMS_MODES[:1]
        for mode in ("2g_only", "3g_only", "5g"):
            if mode not in right:
                yield {"mode": mode}, f"the mode {mode}, with which it does not work"
    if made.name == "grant_app_permission":
        yield {"permission": "phone"}, "another permission"
        yield {"app_name": "browser"}, "another app"


def _other_line(scene: Scene, status: str = "Active") -> str:
    mine = customer_record(scene)["line_ids"]
    lines = [one for one in scene.initial["lines"] if one["line_id"] in mine and one["line_id"] != line_id(scene)]
    return str(next(one["line_id"] for one in lines if one["status"] == status))


def _other_bill(scene: Scene) -> str:
    mine = [one for one in scene.initial["bills"] if one["customer_id"] == scene.row.user]
    return str(next(one["bill_id"] for one in mine if one["status"] == "Issued"))


def collateral(scene: Scene) -> Iterator[Variant]:
    """Changes that nobody asked for: of the customer's other line, of another customer, of the phone."""
    mine, other = {"customer_id": scene.row.user}, _other_line(scene)
    here = "final" if kind_of(scene) != "transfer" else "transfer"
    stranger = next(one for one in scene.initial["customers"] if one["customer_id"] != scene.row.user)
    theirs = {"customer_id": stranger["customer_id"], "line_id": stranger["line_ids"][0]}
    spare = next(name for name in ("toggle_wifi_calling", "toggle_data_saver_mode") if not has(scene, name))
    calls = [
        (Call("suspend_line", {**mine, "line_id": other, "reason": "not used"}), "another line is suspended"),
        (Call(ROAM, {**mine, "line_id": other}), "roaming is enabled for another line as well"),
        (Call(REFUEL, {**mine, "line_id": other, "gb_amount": 1.0}), "data are added to another line, at a cost"),
        (Call("suspend_line", {**theirs, "reason": "not used"}), "another customer's line is suspended"),
        (Call("disable_roaming", theirs), "another customer's roaming is disabled"),
        (Call(spare, {}, role="user"), "a setting of the phone is changed that has nothing to do with it"),
    ]
    if kind_of(scene) != "service":
        calls.append((Call("connect_vpn", {}, role="user"), "a VPN is connected that nobody needs"))
    for made, note in calls:
        yield Variant(here, made, "frame", note)
    for one in scene.row.collateral:
        yield Variant(here, call(one), "frame", one.note)


def independent(scene: Scene, gold: Script, made: tuple[Step, ...]) -> Iterator[tuple[str, str]]:
    """Pairs of calls that may change places."""
    for role in ("assistant", "user"):
        tags = [e.tag for e in gold if isinstance(e, Call) and e.role == role and e.tag.startswith("look")]
        if kind_of(scene) != "transfer":
            yield from list(pairwise(tags))[:1]
    for names_of in ((REFUEL, ROAM), FIXES):
        yield from pairwise(step.tag for step in made if step.call.name in names_of and step.call.name != RESET)


def misread(scene: Scene) -> Iterator[Variant]:
    """Where a record has to be read, another is."""
    if abroad(scene) and kind_of(scene) != "transfer":
        yield Variant("look_line", {"id": _other_line(scene)}, "roaming_check", "another line is read")
    if has(scene, REQUEST):
        stranger = next(c["customer_id"] for c in scene.initial["customers"] if c["customer_id"] != scene.row.user)
        yield Variant("look_bills", {"customer_id": stranger}, "overdue", "another customer's bills are read")
    if contract_ended(scene):
        yield Variant("look_line", {"id": _other_line(scene)}, "tried", "another line is read, and not this one")
