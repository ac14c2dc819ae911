"""A verifier of the usual weight: parses a service conversation and decides whether a refund was handled rightly."""

import collections
import dataclasses
import datetime
import itertools
import json
import math
import re

MONEY = re.compile(r"\$(\d+(?:\.\d\d)?)")
DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
WRITES = {"refund_payment", "cancel_booking", "rebook", "issue_voucher"}
CONFIRMATIONS = ("yes", "confirm", "go ahead", "please do")
PROMISES = ("i will refund", "i am going to refund", "we will return")


@dataclasses.dataclass
class Step:
    """One call of a tool, with the words spoken before it."""

    name: str
    arguments: dict
    before: list

    def amount(self):  # noqa: D102
        value = self.arguments.get("amount")
        return float(value) if isinstance(value, (int, float)) else math.nan


class Ledger:
    """What the calls did to each booking."""

    def __init__(self):
        self.refunds = collections.Counter()
        self.touched = []

    def record(self, step):  # noqa: D102
        booking = step.arguments.get("booking")
        self.touched.append(booking)
        if step.name == "refund_payment":
            self.refunds[booking] += step.amount()


def steps(events):
    spoken = []
    for event in events:
        if "call" in event:
            yield Step(event["call"]["name"], event["call"]["arguments"], spoken)
            spoken = []
        else:
            spoken.append((event["role"], event["message"].strip().lower()))


def words(text):
    return {word.strip(".,!?;:") for word in text.lower().split()}


def overlap(left, right):
    one, other = words(left), words(right)
    return len(one & other) / max(1, len(one | other))


def amounts(messages):
    for text in messages:
        if "$" in text:
            yield from map(float, MONEY.findall(text))


def days(messages):
    for text in messages:
        for year, month, day in DAY.findall(text):
            yield datetime.date(int(year), int(month), int(day))


def dates_are_real(messages):
    try:
        found = list(days(messages))
    except ValueError:
        return False
    return all(abs((later - earlier).days) < 400 for earlier, later in itertools.pairwise(found))


def confirmed(step):
    """Tell whether the customer agreed in one of the last messages before a call that writes."""
    return any(text.startswith(CONFIRMATIONS) for role, text in step.before[-3:] if role == "user")


def bookings_are_known(events, known):
    called = (event["call"]["arguments"].get("booking") for event in events if "call" in event)
    return {booking for booking in called if booking} <= set(known)


def promises_are_kept(events, ledger):
    said = [event["message"].lower() for event in events if event["role"] == "assistant" and "message" in event]
    promised = any(promise in text for text in said for promise in PROMISES)
    return not promised or bool(ledger.refunds)


def last_call(events):
    calls = [event["call"] for event in events if "call" in event]
    return calls[-1] if calls else None


def arguments_are_plain(call):
    return call is not None and json.loads(json.dumps(call)) == call


def verify(solution, env):
    expected, events = env.task["expected"], solution["events"]
    messages = [event["message"] for event in events if "message" in event]
    ledger = Ledger()
    for step in steps(events):
        if step.name in WRITES:
            if not confirmed(step):
                return "FAIL"
            ledger.record(step)
    checks = (
        math.isclose(ledger.refunds[expected["booking"]], expected["refund"], abs_tol=0.005),
        set(ledger.touched) == {expected["booking"]},
        dates_are_real(messages),
        bookings_are_known(events, expected["known_bookings"]),
        promises_are_kept(events, ledger),
        arguments_are_plain(last_call(events)),
        expected["refund"] in amounts(messages),
        overlap(solution["answer"] or "", expected["answer"]) >= 0.5,
    )
    return "PASS" if all(checks) else "FAIL"
