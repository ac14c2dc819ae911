"""The shop's policy as clauses, each found by a few words of its sentence, and the atoms that enforce them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verifierbench.core import Atom, Clause

from ..curation import Turn
from ..effects import Goal, goal_values, licence
from ..scene import FRAME, Scene, atom
from ..wording import names, spelled

FINDS = ("find_user_id_by_email", "find_user_id_by_name_zip")
ITEMS = ("modify_pending_order_items", "exchange_delivered_order_items")
"""Tools that change the items of an order, once and for all."""
WRITES = (
    "cancel_pending_order",
    "modify_pending_order_address",
    "modify_pending_order_payment",
    "modify_user_address",
    "return_delivered_order_items",
    *ITEMS,
)
PRIVATE = ("get_user_details", "get_order_details", *WRITES)
"""Calls that use a customer's records."""
TRANSFER = "transfer_to_human_agents"
REMINDERS = [
    *("all the items", "all items", "all of the items", "all your items", "every item", "any other item"),
    *("anything else", "any more items", "the complete list", "everything you want"),
]
"""Words that remind the customer to have named all items."""

GOALS = {
    "cancel_pending_order": Goal({"/orders/{order_id}/cancel_reason": "reason"}),
    "modify_pending_order_address": Goal({"/orders/{order_id}/address/*": "*"}),
    "modify_user_address": Goal({"/users/{user_id}/address/*": "*"}),
    "modify_pending_order_payment": Goal({"/orders/{order_id}/payment_history/*/payment_method_id": ""}),
    "modify_pending_order_items": Goal(
        {
            "/orders/{order_id}/items/*/item_id": "new_item_ids",
            "/orders/{order_id}/payment_history/*/payment_method_id": "payment_method_id",
        }
    ),
    "return_delivered_order_items": Goal(
        {"/orders/{order_id}/return_items": "", "/orders/{order_id}/return_payment_method_id": "payment_method_id"}
    ),
    "exchange_delivered_order_items": Goal(
        {
            "/orders/{order_id}/exchange_items": "",
            "/orders/{order_id}/exchange_new_items": "",
            "/orders/{order_id}/exchange_payment_method_id": "payment_method_id",
        }
    ),
}
"""What each write is asked for; prices, statuses and refunds follow from it."""

_STATUS = {
    "cancel_pending_order": ("cancellable", "can only be cancelled if its status is 'pending'"),
    "modify_pending_order_address": ("modifiable", "can only be modified if its status is 'pending'"),
    "modify_pending_order_payment": ("modifiable", "can only be modified if its status is 'pending'"),
    "modify_pending_order_items": ("modifiable", "can only be modified if its status is 'pending'"),
    "return_delivered_order_items": ("returnable", "can only be returned if its status is 'delivered'"),
    "exchange_delivered_order_items": ("exchangeable", "can only be exchanged if its status is 'delivered'"),
}
"""Tool → the clause on the status its order needs, and words of the sentence."""
_PAYER = "must provide a payment method to pay or receive refund"
_CONFIRM = {
    "cancel_pending_order": ("needs to confirm the order id and the reason",),
    "modify_pending_order_items": (_PAYER,),
    "exchange_delivered_order_items": (_PAYER,),
    "return_delivered_order_items": ("the list of items to be returned", "a payment method to receive the refund"),
}
"""Tool → words of the sentences on what the customer has to confirm."""
_REMIND = {
    "modify_pending_order_items": "provided all the items they want to modify",
    "exchange_delivered_order_items": "provided all items to be exchanged",
}
DUTY = (
    "Serve one customer of a shop, by the policy in `policy` and with the calls in `tools`; `initial_state` is what the"
    " shop's records hold beforehand. A solution is the whole conversation in order: what the customer writes, what you"
    " write, and your calls."
)
LAST = "will not be able to modify or cancel the order anymore"
DENY = "should deny user requests that are against"
DECLINED = (
    *("cannot", "can't", "can not", "not possible", "impossible", "not able", "unable", "not allowed", "not permitted"),
    *("isn't possible", "may not", "not available", "no way", "won't", "not something", "do not", "don't"),
    *("only be", "can only", "must go", "has to go", "have to go", "only as a whole", "unfortunately"),
)
"""Words of which one declines."""


def status_clause(name: str) -> str | None:
    """The clause on the status that a tool's order needs."""
    return _STATUS[name][0] if name in _STATUS else None


def clauses(scene: Scene) -> tuple[Clause, ...]:
    """Every clause of a task."""
    row = scene.row
    asked = (scene.asked(write.does, write.what, write.why) for write in row.write)
    told = (scene.asked(fact.clause, fact.what, fact.why) for fact in row.tell)
    denied = (scene.rule("denied", "What the rules forbid is declined.", DENY) for _ in declining(scene))
    found = {clause.id: clause for clause in (*asked, *told, *denied, *_always(scene), *_of_writes(scene))}
    return tuple(found.values())


def atoms(scene: Scene) -> tuple[Atom, ...]:
    """Every atom of a task."""
    writing = _writing(scene) if scene.row.write else ()
    return (*_goals(scene), *_facts(scene), *_denied(scene), *_standing(scene), *writing)


def named(scene: Scene, said: str) -> list[list[str]]:
    """What a question has to name, in the form of a check."""
    return [spelled(name, scene.row.same_as) for name in names(said)]


def declining(scene: Scene) -> tuple[Turn, ...]:
    """The turns in which something is declined."""
    return tuple(turn for turn in scene.row.talk if turn.rule == "denied")


def own_orders(scene: Scene) -> list[str]:
    """The customer's orders."""
    found: list[str] = scene.initial["users"][scene.row.user]["orders"]
    return found


def touched(scene: Scene) -> dict[str, str]:
    """Order → the first of gold's writes on it."""
    found: dict[str, str] = {}
    for each in scene.played.calls:
        if "order_id" in each["arguments"]:
            found.setdefault(each["arguments"]["order_id"], each["name"])
    return found


def modified_last(scene: Scene) -> tuple[int, int] | None:
    """Places of two of gold's writes on one order of which the second modifies its items for good."""
    for place, each in enumerate(scene.played.calls):
        for later in range(place + 1, len(scene.played.calls)):
            other = scene.played.calls[later]
            if other["name"] == ITEMS[0] and other["arguments"]["order_id"] == each["arguments"].get("order_id"):
                return place, later
    return None


def _always(scene: Scene) -> Iterator[Clause]:
    yield FRAME
    yield scene.rule(
        "identity",
        "The customer is found by e-mail address, or by name and zip code, before any record is used.",
        "locating their user id via email",
        "even when the user already provides the user id",
    )
    yield scene.rule(
        "given",
        "Nothing is made up: an address or a zip code to find the customer by was given by the customer.",
        "make up any information",
    )
    yield scene.rule("own", "No other customer's records are used.", "only help one user per conversation")
    yield scene.rule(
        "transfer",
        "What can be handled here is not transferred to a human agent.",
        "if and only if the request cannot be handled",
    )


def _of_writes(scene: Scene) -> Iterator[Clause]:
    calls = [each["name"] for each in scene.played.calls]
    if calls:
        text = "Before every change its details are listed, and the customer has said yes to them."
        listed = dict.fromkeys(words for name in calls for words in _CONFIRM.get(name, ()))
        yield scene.rule("consent", text, "obtain explicit user confirmation (yes)", *listed)
    for name in dict.fromkeys(calls):
        if name in _STATUS:
            clause, words = _STATUS[name]
            yield scene.rule(clause, "The order is read before it is changed, to see its status.", words)
    if reminders := [words for name, words in _REMIND.items() if name in calls]:
        text = "The customer is reminded to make sure that all items are named."
        yield scene.rule("reminded", text, *reminders)
    if modified_last(scene):
        yield scene.rule("last", "An order whose items were modified is not modified any further.", LAST)


def _goals(scene: Scene) -> Iterator[Atom]:
    for write, each, made in zip(scene.row.write, scene.played.calls, scene.played.changes, strict=True):
        values = goal_values(each, made, GOALS[each["name"]], write.also)
        yield atom(f"{write.does} done", write.does, "all_changed_to", values=values)


def _facts(scene: Scene) -> Iterator[Atom]:
    for fact in scene.row.tell:
        spellings = [fact.value, *fact.spellings]
        yield atom(f"{fact.clause} told", fact.clause, "asserted", fact=spellings, rivals=list(fact.wrong))


def _denied(scene: Scene) -> Iterator[Atom]:
    for turn in declining(scene):
        yield atom(f"{turn.tag} declined", "denied", "told", words=[list(turn.words or DECLINED)])


def _standing(scene: Scene) -> Iterator[Atom]:
    """The rules that bind every conversation."""
    user, private = scene.row.user, {"name": list(PRIVATE)}
    yield atom("nothing else changed", "frame", "only_changed", **licence(scene.played.end, scene.row.may))
    found = [{"name": list(FINDS), "result": user}]
    yield atom("customer found before any record is used", "identity", "preceded", call=private, by=found)
    for name, argument in zip(FINDS, ("email", "zip"), strict=True):
        yield atom(f"{argument} given", "given", "told_by_user", call={"name": name}, argument=argument)
    profile = {"name": ["get_user_details", "modify_user_address"]}
    yield atom("own profile only", "own", "always_with", call=profile, arguments={"user_id": user})
    orders = {"call": private, "argument": "order_id", "among": own_orders(scene)}
    yield atom("own orders only", "own", "always_among", **orders)
    yield atom("no transfer", "transfer", "not_called", call={"name": TRANSFER})


def _writing(scene: Scene) -> Iterator[Atom]:
    """The rules about changes."""
    yield atom("consent before every change", "consent", "consented", calls=list(_consents(scene)))
    for order, name in touched(scene).items():
        write = {"name": list(WRITES), "arguments": {"order_id": order}}
        read = {"name": "get_order_details", "arguments": {"order_id": order}}
        clause = _STATUS[name][0]
        yield atom(f"{order} read before it is changed", clause, "preceded", call=write, by=[read])
    if any(each["name"] in ITEMS for each in scene.played.calls):
        yield atom(
            "reminded to name all items", "reminded", "told_before", call={"name": list(ITEMS)}, words=[REMINDERS]
        )
    if places := modified_last(scene):
        order = scene.played.calls[places[1]]["arguments"]["order_id"]
        rest = {"name": [name for name in WRITES if name != ITEMS[0]], "arguments": {"order_id": order}}
        modified = {"name": ITEMS[0], "arguments": {"order_id": order}}
        yield atom("nothing modified after the items", "last", "never_after", call=rest, after=modified)


def _consents(scene: Scene) -> Iterator[dict[str, Any]]:
    """Each write, and what the question for it has to name; a name that two share is asked for once."""
    seen: list[list[str]] = []
    for write, each in zip(scene.row.write, scene.played.calls, strict=True):
        key = "order_id" if "order_id" in each["arguments"] else "user_id"
        pattern = {"name": each["name"], "arguments": {key: each["arguments"][key]}}
        words = [word for word in named(scene, write.says) if word not in seen]
        seen += words
        yield {"call": pattern, "words": words, "numbers": []}
