"""The airline's tools, what each of them is asked for, and the words by which our checks know a rule is kept.

A table from the rules on what has to be asked or told before a call to what shows it: `TURNS`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from ..effects import Goal

BOOK, CANCEL, COMPENSATE, TRANSFER = (
    "book_reservation",
    "cancel_reservation",
    "send_certificate",
    "transfer_to_human_agents",
)
FLIGHTS, BAGS, PASSENGERS = (
    "update_reservation_flights",
    "update_reservation_baggages",
    "update_reservation_passengers",
)
WRITES = (BOOK, CANCEL, COMPENSATE, FLIGHTS, BAGS, PASSENGERS)
RECORDS = ("get_user_details", "get_reservation_details", *WRITES)
"""Calls that use a customer's records."""
DUTY = (
    "Serve one customer of an airline, by the policy in `policy` and with the calls in `tools`; `initial_state` is what"
    " the airline's records hold beforehand. A solution is the whole conversation in order: what the customer writes,"
    " what you write, and your calls."
)
ANNOUNCED = "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT"

_RESERVATION = "/reservations/{reservation_id}"
GOALS = {
    CANCEL: Goal({f"{_RESERVATION}/status": ""}),
    FLIGHTS: Goal(
        {
            f"{_RESERVATION}/cabin": "",
            f"{_RESERVATION}/flights/*/flight_number": "",
            f"{_RESERVATION}/flights/*/date": "",
            f"{_RESERVATION}/payment_history/*": "",
        }
    ),
    BAGS: Goal({f"{_RESERVATION}/total_baggages": ""}),
    PASSENGERS: Goal({f"{_RESERVATION}/passengers/*/*": ""}),
}
"""What each write is asked for, beside the booking of a flight; prices follow from it."""
BOOKED = (
    *("user_id", "origin", "destination", "flight_type", "cabin"),
    *("flights", "total_baggages", "nonfree_baggages", "insurance"),
)

NO = ("not", "no", "cannot", "can't", "never", "nothing", "none", "neither", "unable", "without", "isn't", "won't")
"""Words by which a sentence denies what it names."""
DECLINED = (
    *("cannot", "can't", "can not", "not possible", "impossible", "unable", "not able", "not allowed", "may not"),
    *("no refund", "not eligible", "not entitled", "decline", "have to say no"),
)
"""Words by which a request is declined."""
GESTURES = ("as a gesture", "voucher", "compensation", "compensate", "for your trouble")
ELSEWHERE = ("23 kg", "45 minutes", "if you ask me", "personally")
"""What our cases tell that is in no record and in no rule, or is a comment."""

CHECKED = {
    CANCEL: ("cancellable", "The reservation is read before it is cancelled.", "does not check that cancellation"),
    FLIGHTS: ("modifiable", "The reservation is read before its flights are changed.", "does not check these"),
}
"""Tool → the clause on what the agent has to check itself, and words of the sentence."""


class Obtained(NamedTuple):
    """A rule that something is asked or told before a call."""

    clause: str
    what: str
    policy: str
    call: str | None
    """The call that needs it; None where it is needed whatever is called."""
    by: Literal["user", "assistant"]


TURNS = {
    "reason": Obtained(
        "reason",
        "The customer has told the reason for the cancellation before it.",
        "must also obtain the reason for cancellation",
        CANCEL,
        "user",
    ),
    "payment": Obtained(
        "payment",
        "The customer has said how a change of flights is paid for or refunded before it is made.",
        "needs to provide a single gift card or credit card",
        FLIGHTS,
        "user",
    ),
    "insurance": Obtained(
        "insurance",
        "The customer is asked about travel insurance before the booking.",
        "should ask if the user wants to buy the travel insurance",
        BOOK,
        "assistant",
    ),
    "passenger": Obtained(
        "passenger",
        "The data of the other passenger are collected before the booking.",
        "needs to collect the first name, last name, and date of birth",
        BOOK,
        "user",
    ),
    "trip": Obtained(
        "trip",
        "The customer is asked for the type of the trip before the booking.",
        "should then ask for the trip type",
        BOOK,
        "assistant",
    ),
    "denied": Obtained(
        "denied", "What the rules forbid is declined.", "should deny user requests that are against", None, "assistant"
    ),
}
"""Rule of a turn → what it asks for."""
