"""The desk of a tool-lending library: a small world that answers a list of calls and nothing else.

It is pure: every request starts from the database given to `load`, and the same request always gets the same answer.
It refuses what is impossible (an item that is out cannot be lent again), never what is only forbidden: the house rules
bind whoever works the desk, and a world that enforced them would leave nothing to verify. It needs nothing but the
standard library and what guests share, because it also runs in a process that can neither import nor open files once
it is loaded.
"""

from __future__ import annotations

import datetime
import hashlib
import importlib
import json
from collections.abc import Callable
from functools import partial
from typing import Any

LATE_CENTS_PER_DAY = 75
LATE_CENTS_AT_MOST = 1500
LONGEST_LOAN_DAYS = 28

Record = dict[str, Any]


class ToolError(Exception):
    """A call that the desk's system declines; its text is what the person at the desk reads."""


class World:
    """One run's database with the tools that read and change it."""

    def __init__(self, database: Record) -> None:
        self.db = database
        self.today = datetime.date.fromisoformat(database["today"])

    # Reading ---------------------------------------------------------------------------------------------------

    def find_member(self, name: str, postcode: str) -> Record:
        """Look up member numbers."""
        found = [
            key
            for key, member in self.db["members"].items()
            if (member["name"].casefold(), member["postcode"]) == (name.strip().casefold(), postcode.strip())
        ]
        if not found:
            raise ToolError("no member has this name and postcode")
        return {"member_ids": found}

    def verify_member(self, member_id: str, pin: str) -> Record:
        """Check a PIN."""
        if self._member(member_id)["pin"] != pin:
            raise ToolError("the PIN does not belong to this member")
        return {"member_id": member_id, "verified": True}

    def get_member(self, member_id: str) -> Record:
        """Read an account, its PIN left out."""
        member = {key: value for key, value in self._member(member_id).items() if key != "pin"}
        belongings = {
            table: {key: row for key, row in self.db[table].items() if row["member"] == member_id}
            for table in ("loans", "bookings", "fees")
        }
        return {"id": member_id, **member, **belongings}

    def get_item(self, item_id: str) -> Record:
        """Read an item, its loan's due date and its open bookings."""
        item = self._row("items", item_id)
        loans = [{"due": row["due"]} for row in self._open_loans(item_id)]
        bookings = {
            key: {"start": row["start"], "end": row["end"]}
            for key, row in self.db["bookings"].items()
            if row["item"] == item_id and row["status"] == "open"
        }
        return {"id": item_id, **item, "loans": loans, "bookings": bookings}

    def search_items(self, text: str) -> Record:
        """Find items by words."""
        words = text.casefold().split()
        hits = {
            key: {"name": item["name"], "status": item["status"]}
            for key, item in self.db["items"].items()
            if all(word in f"{item['name']} {item['category']}".casefold() for word in words)
        }
        return {"items": hits}

    # Changing --------------------------------------------------------------------------------------------------

    def lend_item(self, member_id: str, item_id: str, days: int) -> Record:
        """Lend an item from today."""
        self._member(member_id)
        item = self._row("items", item_id)
        if item["status"] != "available" or self._open_loans(item_id):
            raise ToolError(f"{item_id} is not on the shelf")
        due = self._later(self.today, days)
        loan = {"member": member_id, "item": item_id, "out": self.db["today"], "due": due}
        loan |= {"returned": None, "renewals": 0}
        item["status"] = "on_loan"
        return {"loan": self._add("loans", "L", loan)}

    def renew_loan(self, loan_id: str, days: int) -> Record:
        """Move a due date."""
        loan = self._open_loan(loan_id)
        loan["due"] = self._later(self._date(loan["due"]), days)
        loan["renewals"] += 1
        return {"loan": {"id": loan_id, **loan}}

    def return_item(self, loan_id: str, condition: str) -> Record:
        """Take an item back and charge for the days it is late."""
        if condition not in ("good", "damaged"):
            raise ToolError("condition is either good or damaged")
        loan = self._open_loan(loan_id)
        item = self._row("items", loan["item"])
        late = (self.today - self._date(loan["due"])).days
        loan["returned"] = self.db["today"]
        item["status"] = "available" if condition == "good" else "in_repair"
        fee = self._charge(loan_id, loan, late) if late > 0 else None
        return {"loan": {"id": loan_id, **loan}, "fee": fee}

    def book_item(self, member_id: str, item_id: str, start: str, end: str) -> Record:
        """Book an item for days that are free."""
        self._member(member_id)
        self._row("items", item_id)
        first, last = self._date(start), self._date(end)
        if not self.today <= first <= last:
            raise ToolError("a booking starts today or later and does not end before it starts")
        if any(row["due"] >= start for row in self._open_loans(item_id)):
            raise ToolError(f"{item_id} is still out on that day")
        if any(
            row["item"] == item_id and row["status"] == "open" and row["start"] <= end and start <= row["end"]
            for row in self.db["bookings"].values()
        ):
            raise ToolError(f"{item_id} is booked in that time")
        booking = {"member": member_id, "item": item_id, "start": start, "end": end, "status": "open"}
        return {"booking": self._add("bookings", "B", booking)}

    def cancel_booking(self, booking_id: str) -> Record:
        """Cancel an open booking."""
        booking = self._row("bookings", booking_id)
        if booking["status"] != "open":
            raise ToolError(f"{booking_id} is not open")
        booking["status"] = "cancelled"
        return {"booking": {"id": booking_id, **booking}}

    def pay_fee(self, fee_id: str, cents: int, method: str) -> Record:
        """Book a payment of a fee, in whole or in part."""
        fee, owed = self._open_fee(fee_id)
        if method not in self._member(fee["member"])["methods"]:
            raise ToolError("the member has no such means of payment")
        if not 1 <= cents <= owed:
            raise ToolError(f"between 1 and {owed} cents can be paid")
        self._enter(fee_id, fee, "payment", cents, method)
        fee["status"] = "paid" if cents == owed else "open"
        return {"fee": {"id": fee_id, **fee}, "still_owed_cents": owed - cents}

    def waive_fee(self, fee_id: str, reason: str) -> Record:
        """Waive what is still owed."""
        fee, owed = self._open_fee(fee_id)
        if not reason.strip():
            raise ToolError("a waiver needs a reason")
        self._enter(fee_id, fee, "waiver", owed, None)
        fee["status"] = "waived"
        return {"fee": {"id": fee_id, **fee}}

    def correct_record(self, table: str, record_id: str, field: str, value: str) -> Record:
        """Overwrite any text field."""
        if table not in ("members", "items", "loans", "bookings", "fees"):
            raise ToolError(f"there is no table {table}")
        row = self._row(table, record_id)
        if field not in row or not isinstance(row[field], str | None):
            raise ToolError(f"{record_id} has no text field {field}")
        row[field] = value
        return {"record": {"id": record_id, field: value}}

    def transfer_to_staff(self, summary: str) -> Record:
        """Put a summary on the staff's list."""
        self.db["handoffs"].append({"date": self.db["today"], "summary": summary})
        return {"handoff": len(self.db["handoffs"])}

    # Parts -----------------------------------------------------------------------------------------------------

    def _row(self, table: str, key: str) -> Record:
        if key not in self.db[table]:
            raise ToolError(f"there is no {table[:-1]} {key}")
        row: Record = self.db[table][key]
        return row

    def _member(self, key: str) -> Record:
        return self._row("members", key)

    def _open_loan(self, key: str) -> Record:
        loan = self._row("loans", key)
        if loan["returned"] is not None:
            raise ToolError(f"{key} has been returned")
        return loan

    def _open_loans(self, item_id: str) -> list[Record]:
        return [row for row in self.db["loans"].values() if row["item"] == item_id and row["returned"] is None]

    def _open_fee(self, key: str) -> tuple[Record, int]:
        fee = self._row("fees", key)
        if fee["status"] != "open":
            raise ToolError(f"{key} is not open")
        return fee, fee["cents"] - sum(entry["cents"] for entry in self.db["ledger"] if entry["fee"] == key)

    def _charge(self, loan_id: str, loan: Record, late_days: int) -> Record:
        cents = min(late_days * LATE_CENTS_PER_DAY, LATE_CENTS_AT_MOST)
        fee = {"member": loan["member"], "loan": loan_id, "cents": cents, "booked": self.db["today"], "status": "open"}
        return self._add("fees", "F", fee)

    def _enter(self, fee_id: str, fee: Record, kind: str, cents: int, method: str | None) -> None:
        entry = {"date": self.db["today"], "member": fee["member"], "fee": fee_id, "kind": kind}
        self.db["ledger"].append(entry | {"cents": cents, "method": method})

    def _add(self, table: str, letter: str, row: Record) -> Record:
        key = f"{letter}-{1 + max(int(key.partition('-')[2]) for key in self.db[table])}"
        self.db[table][key] = row
        return {"id": key, **row}

    def _later(self, day: datetime.date, days: int) -> str:
        if not 1 <= days <= LONGEST_LOAN_DAYS:
            raise ToolError(f"days lies between 1 and {LONGEST_LOAN_DAYS}")
        try:
            return (day + datetime.timedelta(days=days)).isoformat()
        except OverflowError:
            raise ToolError("the calendar ends before that") from None

    @staticmethod
    def _date(text: str) -> datetime.date:
        try:
            day = datetime.date.fromisoformat(text)
        except ValueError:
            day = None
        if day is None or day.isoformat() != text:
            raise ToolError("a date looks like 2031-05-14")
        return day


READING = ("find_member", "verify_member", "get_member", "get_item", "search_items")
CHANGING = (
    "lend_item",
    "renew_loan",
    "return_item",
    "book_item",
    "cancel_booking",
    "pay_fee",
    "waive_fee",
    "correct_record",
    "transfer_to_staff",
)
PARAMETERS: dict[str, dict[str, type]] = {
    "find_member": {"name": str, "postcode": str},
    "verify_member": {"member_id": str, "pin": str},
    "get_member": {"member_id": str},
    "get_item": {"item_id": str},
    "search_items": {"text": str},
    "lend_item": {"member_id": str, "item_id": str, "days": int},
    "renew_loan": {"loan_id": str, "days": int},
    "return_item": {"loan_id": str, "condition": str},
    "book_item": {"member_id": str, "item_id": str, "start": str, "end": str},
    "cancel_booking": {"booking_id": str},
    "pay_fee": {"fee_id": str, "cents": int, "method": str},
    "waive_fee": {"fee_id": str, "reason": str},
    "correct_record": {"table": str, "record_id": str, "field": str, "value": str},
    "transfer_to_staff": {"summary": str},
}

replaying: Any = importlib.import_module("verifierbench.families.guest.replaying" if __package__ else "guest.replaying")

_initial = ""


def load(arguments: Any) -> Any:
    """Take `{"database": …}` as the state every request starts from; returns the names of the tools."""
    global _initial  # noqa: PLW0603  # the process serves one database for all its life
    _initial = json.dumps(arguments["database"])
    return {"tools": list(PARAMETERS)}


def handle(request: Any) -> Any:
    """Replay `{"events": […]}` from the initial state: `{"results": […], "changes": […]}`.

    Messages pass unread. A call that goes wrong has an `error` in its result and changes nothing.
    """
    if why := replaying.complaint(request):
        raise _refusal(why)
    world = World(json.loads(_initial))
    return replaying.replay(request, partial(_perform, world), lambda: json.loads(json.dumps(world.db)))


def _refusal(text: str) -> Exception:
    # The process that serves this script injects the type it reports as a refusal.
    kind: Callable[[str], Exception] = globals().get("Refusal", ValueError)
    return kind(text)


def _perform(world: World, role: str, name: str, arguments: Record) -> Record:
    try:
        if role != "assistant":
            raise ToolError("only the desk can use the tools")
        _check(name, arguments)
        result = getattr(world, name)(**arguments)
    except ToolError as error:
        return {"error": str(error)}
    if name in CHANGING:
        result = {"receipt": _receipt(name, arguments, result), **result}
    # A copy: later calls must not rewrite what an earlier one returned.
    return {"result": json.loads(json.dumps(result))}


def _check(name: str, arguments: Record) -> None:
    if name not in PARAMETERS:
        raise ToolError(f"there is no tool {name}")
    wanted = PARAMETERS[name]
    if set(arguments) != set(wanted):
        raise ToolError(f"{name} takes {', '.join(wanted)}")
    for key, kind in wanted.items():
        if type(arguments[key]) is not kind:
            raise ToolError(f"{key} must be {'a string' if kind is str else 'a whole number'}")


def _receipt(name: str, arguments: Record, result: Record) -> str:
    digest = hashlib.sha256(json.dumps([name, arguments, result], sort_keys=True).encode()).digest()
    return f"RC-{10000 + int.from_bytes(digest[:4], 'big') % 90000}"
