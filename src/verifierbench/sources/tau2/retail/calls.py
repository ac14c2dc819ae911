"""What is called at the shop beside gold's writes: looks, slips, near misses, and changes that nobody asked for.

All of it follows from the records; whether a call is free or wrong is found by executing it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from verifierbench.families.state.operators import Call, Variant

from ..scene import Scene, call
from ..talking import tag_of
from .rules import FINDS, own_orders, status_clause, touched

_NOBODY = "#W0000000"
_ADDRESS = {"address1", "zip"}


def look_of(order: str) -> str:
    """The tag of the look at an order."""
    return f"look_{order.lstrip('#')}"


def _record(scene: Scene) -> Any:
    return scene.initial["users"][scene.row.user]


def _ways(scene: Scene) -> tuple[dict[str, Any], dict[str, Any]]:
    record = _record(scene)
    return {"email": record["email"]}, {**record["name"], "zip": record["address"]["zip"]}


def find(scene: Scene) -> Call:
    """The search by what the customer can tell."""
    by_email, by_name = _ways(scene)
    told = by_email["email"] in scene.row.who
    return Call(FINDS[0], by_email, "find") if told else Call(FINDS[1], by_name, "find")


def otherwise(scene: Scene) -> Call:
    """The search by what the customer has not told."""
    by_email, by_name = _ways(scene)
    return Call(FINDS[1], by_name) if find(scene).name == FINDS[0] else Call(FINDS[0], by_email)


def misspelt(find: Call) -> Call:
    """The same search with a slip that finds nobody."""
    key = "email" if "email" in find.arguments else "last_name"
    return Call(find.name, {**find.arguments, key: f"{find.arguments[key]}x"})


def unneeded(scene: Scene) -> Iterator[Call]:
    """Calls that change nothing and that nobody asked for."""
    yield Call("list_all_product_types", {})
    yield Call("calculate", {"expression": "12.50 + 3"})
    for order in touched(scene):
        item = scene.initial["orders"][order]["items"][0]
        yield Call("get_product_details", {"product_id": item["product_id"]})
        yield Call("get_item_details", {"item_id": item["item_id"]})


def probes(scene: Scene) -> Iterator[Variant]:
    """Calls that fail and are within the rules."""
    here = "ask" if scene.row.write else "final"
    yield Variant(here, Call("get_order_details", {"order_id": _NOBODY}), "frame", "a slip in an order's number")
    yield Variant("final", Call("get_item_details", {"item_id": "0000000000"}), "frame", "an item that is not there")
    for made in scene.row.probes:
        yield Variant(here, call(made), "frame", made.note)


def near(scene: Scene) -> Iterator[Variant]:
    """Gold's writes with something wrong in them."""
    for place, (write, each) in enumerate(zip(scene.row.write, scene.played.calls, strict=True)):
        own = [near.arguments for near in write.near]
        for arguments, note in (*_wrong(scene, each, write.also), *_other_items(scene, each)):
            kept = set(arguments) <= _ADDRESS - _written(scene, place)
            if arguments not in own:
                yield Variant(tag_of(place), arguments, "frame" if kept else write.does, note)
        for near in write.near:
            yield Variant(tag_of(place), near.arguments, write.does, near.note)


def _written(scene: Scene, place: int) -> set[str]:
    """The fields that gold's n-th write changes; what else is wrong in an address was to stay as it is."""
    return {change["path"].rpartition("/")[2] for change in scene.played.changes[place]}


def _wrong(
    scene: Scene, each: dict[str, Any], also: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[dict[str, Any], str]]:
    """Arguments that make a write a near miss whatever the request is."""
    arguments = each["arguments"]
    if "zip" in arguments:
        yield {"zip": arguments["zip"][::-1]}, "the zip code is reversed"
        yield {"address1": f"1{arguments['address1']}"}, "another house number"
    if "new_item_ids" in arguments:
        variants = _variants(scene, arguments["order_id"], arguments["item_ids"][0])
        used = (*arguments["item_ids"], *arguments["new_item_ids"], *also.get("new_item_ids", ()))
        for item in [item for item in variants if item not in used][:2]:
            yield {"new_item_ids": [item, *arguments["new_item_ids"][1:]]}, "another variant of the product"
    if "reason" in arguments:
        reasons = ("no longer needed", "ordered by mistake")
        yield {"reason": reasons[arguments["reason"] == reasons[0]]}, "the other reason"
    methods = _record(scene)["payment_methods"] if "payment_method_id" in arguments else {}
    for method in methods:
        if method not in (arguments["payment_method_id"], *also.get("payment_method_id", ())):
            yield {"payment_method_id": method}, "another payment method"


def _other_items(scene: Scene, each: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Returns and exchanges of fewer, of more and of other items than the request names."""
    arguments = each["arguments"]
    items, new = arguments.get("item_ids", []), arguments.get("new_item_ids", [])
    if len(items) > 1:
        rest = {"item_ids": items[1:], "new_item_ids": new[1:]} if new else {"item_ids": items[1:]}
        yield rest, "an item is left out"
    if items and not new:
        ordered = [one["item_id"] for one in scene.initial["orders"][arguments["order_id"]]["items"]]
        for other in [item for item in ordered if item not in items][:1]:
            yield {"item_ids": [*items, other]}, "an item more than asked for"
            yield {"item_ids": [*items[1:], other]}, "another item of the order"


def _variants(scene: Scene, order: str, item: str) -> list[str]:
    """The variants of an ordered item's product that can be had."""
    product = next(one["product_id"] for one in scene.initial["orders"][order]["items"] if one["item_id"] == item)
    variants = scene.initial["products"][product]["variants"]
    return [key for key, variant in variants.items() if variant["available"]]


def collateral(scene: Scene) -> Iterator[Variant]:
    """Changes that nobody asked for, of this customer's records and of another's."""
    mine = [order for order in own_orders(scene) if order not in touched(scene)]
    for order in mine:
        record = scene.initial["orders"][order]
        if record["status"] == "pending":
            again = {"order_id": order, "reason": "no longer needed"}
            yield Variant("final", Call("cancel_pending_order", again), "frame", "another order is cancelled")
        if record["status"] == "delivered":
            items = [record["items"][0]["item_id"]]
            method = record["payment_history"][0]["payment_method_id"]
            back = {"order_id": order, "item_ids": items, "payment_method_id": method}
            yield Variant("final", Call("return_delivered_order_items", back), "frame", "a return nobody wants")
    if all(each["name"] != "modify_user_address" for each in scene.played.calls):
        address = {**_record(scene)["address"], "address1": "1 Elsewhere Street"}
        moving = Call("modify_user_address", {"user_id": scene.row.user, **address})
        yield Variant("final", moving, "frame", "the address in the profile is changed as well")
    stranger = strange(scene, "pending")
    arguments = {"order_id": stranger, "reason": "ordered by mistake"}
    yield Variant("final", Call("cancel_pending_order", arguments), "frame", "another customer's order is cancelled")
    for made in scene.row.collateral:
        yield Variant("final", call(made), "frame", made.note)


def strange(scene: Scene, status: str) -> str:
    """An order of somebody else."""
    orders = scene.initial["orders"]
    return str(next(key for key, one in orders.items() if one["user_id"] != scene.row.user and one["status"] == status))


def independent(scene: Scene) -> Iterator[tuple[str, str]]:
    """Pairs of looks, and of writes, on different records."""
    orders = list(touched(scene))
    yield from pairwise(map(look_of, orders))
    calls = scene.played.calls
    for place, (one, other) in enumerate(pairwise(calls)):
        if one["arguments"].get("order_id") != other["arguments"].get("order_id"):
            yield tag_of(place), tag_of(place + 1)


def misread(scene: Scene) -> Iterator[Variant]:
    """Where an order has to be read, another of the customer's is, or the look fails."""
    for order, name in touched(scene).items():
        others = [each for each in own_orders(scene) if each not in touched(scene)] or [_NOBODY]
        note = f"{others[0]} is read instead of {order}"
        yield Variant(look_of(order), {"order_id": others[0]}, status_clause(name) or "frame", note)


def broken(scene: Scene) -> dict[str, Any]:
    """Arguments that make the last write fail."""
    if not scene.played.calls:
        return {}
    key = "order_id" if "order_id" in scene.played.calls[-1]["arguments"] else "user_id"
    return {key: _NOBODY}
