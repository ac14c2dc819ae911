"""Why upstream's end-state check disagrees with a label: its entries of the ledger as predicates.

Upstream compares the states in which a session ends, class by class, with gold's. So it takes what only the calls or
the turns could tell and what it has no gold for, and rejects what is right in another form than gold's. Each predicate
looks at the solution, at what the reference asks for, at the ledger, and at what upstream said; none at the label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from verifierbench.core import Atom, Case, Decision, Explanation, Task, Verdict, atoms
from verifierbench.sources.due import entry_of, rights

from .curation import Defect, curation

UNSEEN, EXTRA, DISHES, WHOLE = "A20", "A8", "A21", "A22"

_NOT_STATE = {
    "turn_count": "how many turns there are",
    "looked_up": "what was looked up",
    "available": "whether a tool is on the list",
}
"""Checks of the reference that no end state decides."""
_RECORDS = {"add_reminder": "/ReminderApi/reminder_list", "send_message": "/MessageApi/inbox"}
"""Tools that add a record → where the records of their class are an object, by number."""
_ORDER, _ORDERS, _PLATFORM = "add_food_delivery_order", "/FoodPlatform/orders", "/FoodPlatform"
_DIFFERS = re.compile(r"class\((?P<name>\w+)\) attribute\((?P<attribute>[^)]*)\)")


def explain(task: Task, case: Case, decision: Decision) -> Explanation | None:
    """The entry that explains a decision that is not the label; None where the two agree or no entry holds."""
    if decision.verdict is None or decision.verdict is case.label:
        return None
    calls = [call for turn in case.content["turns"] for call in turn["calls"]]
    if decision.verdict is Verdict.PASS:
        named = {ground.clause for ground in case.grounds}
        reasons = [_overlooked(task, atom, calls) for atom in _asked(task) if atom.clause in named]
    else:
        reasons = [_held_against(task, pointer, calls) for pointer in differing(decision.detail)]
    return _first(reasons)


def differing(said: str) -> list[str]:
    """Pointers to what upstream found to differ, as it says it: `class(A) attribute(b.7)` is `/A/b/7`."""
    return [f"/{found['name']}/{found['attribute'].replace('.', '/')}" for found in _DIFFERS.finditer(said)]


def _first(reasons: list[Explanation | None]) -> Explanation | None:
    """The first reason, where there is one for everything."""
    return None if None in reasons else next((each for each in reasons if each), None)


def _overlooked(task: Task, atom: Atom, calls: Any) -> Explanation | None:
    """The entry under which a broken requirement goes unseen."""
    if atom.check in _NOT_STATE:
        return Explanation(defect=UNSEEN, what=f"{_NOT_STATE[atom.check]} does not show in the state at the end")
    if atom.check == "after_turn":
        return _unheld(task, atom.parameters["at"])
    return _one_more(task, calls) if atom.check == "turn_frame" else None


def _unheld(task: Task, pointer: str) -> Explanation | None:
    """A class under whose name gold has nothing, because it is misspelt there."""
    name = pointer.split("/")[1]
    for defect in _gold(task):
        for wrong in defect.at:
            if wrong.lower() == f"/{name}".lower() and wrong != f"/{name}":
                return Explanation(defect=defect.id, what=f"gold writes {name} as {wrong[1:]}, and compares nothing")
    return None


def _one_more(task: Task, calls: Any) -> Explanation | None:
    """A record more than the task asks for, among records that are an object."""
    for tool, records in _RECORDS.items():
        added = sum(call["name"] == tool for call in calls)
        due = {at.split("/")[3] for atom in _asked(task) if (at := atom.parameters.get("at", "")).startswith(records)}
        if added > len(due):
            what = f"{tool} is called {added} times for {len(due)} records that are due, and gold's alone are compared"
            return _unheld(task, records) or Explanation(defect=EXTRA, what=what)
    return None


def _held_against(task: Task, pointer: str, calls: Any) -> Explanation | None:
    """The entry under which upstream finds a right state to differ at a pointer."""
    for defect in _gold(task):
        if any(wrong == pointer or wrong.startswith(f"{pointer}/") for wrong in defect.at):
            return Explanation(defect=defect.id, what=f"at {pointer} {defect.what}")
    if pointer == _ORDERS and (found := _moved(task, calls)):
        return found
    return _fractional(calls) if pointer.startswith(_PLATFORM) else None


def _moved(task: Task, calls: Any) -> Explanation | None:
    """The dishes of an order in another order than gold's, which the reference has among the right ones."""
    for atom in _asked(task):
        if atom.parameters.get("at", "").startswith(_ORDERS):
            golds, *others = map(_dishes, rights(atom.parameters["right"]))
            for dishes in (_products(_items(call)) for call in calls):
                if dishes in others and dishes != golds:
                    return Explanation(
                        defect=DISHES, what=f"{', '.join(dishes)}: the right dishes, not in gold's order"
                    )
    return None


def _dishes(right: Any) -> list[Any]:
    """What is ordered in a right record, or in several."""
    return [dish for order in (right if isinstance(right, list) else [right]) for dish in _products(order["items"])]


def _fractional(calls: Any) -> Explanation | None:
    """A quantity written 2.0, which upstream's simulator refuses."""
    for quantity in (item.get("quantity") for call in calls for item in _items(call)):
        if isinstance(quantity, float) and quantity.is_integer():
            return Explanation(defect=WHOLE, what=f"the quantity {quantity} is the integer {int(quantity)}")
    return None


def _products(items: list[Any]) -> list[Any]:
    return [item.get("product") for item in items]


def _items(call: Any) -> list[Any]:
    """What a call orders; empty for one that orders nothing or is no order at all."""
    items = call["arguments"].get("items", []) if call["name"] == _ORDER else []
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _gold(task: Task) -> Iterator[Defect]:
    """The ledger's entries on gold of this task."""
    return (defect for defect in curation().defect if defect.kind == "gold" and defect.task == entry_of(task.id))


def _asked(task: Task) -> tuple[Atom, ...]:
    return atoms(task.reference.root)
