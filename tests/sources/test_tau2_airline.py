"""The airline: what was read into upstream's entries, against its records, and the cases made of them."""

from collections import Counter
from functools import cache

import pytest
from msgspec.structs import replace

from verifierbench.core import CaseKind, Inconsistent, Season, Verdict, atoms
from verifierbench.families.state import FAMILY
from verifierbench.families.state.checks import CHECKS
from verifierbench.families.view import decide
from verifierbench.sources.tau2 import NEEDS, TAU2
from verifierbench.sources.tau2 import data as tau2_data
from verifierbench.sources.tau2.airline.policy import WRITES
from verifierbench.sources.tau2.airline.rules import _booking
from verifierbench.sources.tau2.curation import Row, Write, curation
from verifierbench.sources.tau2.data import load, policy
from verifierbench.sources.tau2.environment import simulators
from verifierbench.sources.tau2.talking import asking, closing, itemised, vague
from verifierbench.sources.tau2.tasks import Kit, candidate

SEASON = Season(name="test", secret="test")
upstream = pytest.mark.skipif(not TAU2.status().ready, reason=NEEDS)


# What needs nothing of upstream -------------------------------------------------------------------------------------


def _view(*events):
    """A conversation: a text is the customer's, a name is a call that succeeded."""
    made, results = [], []
    for event in events:
        if event in WRITES:
            made.append({"role": "assistant", "call": {"name": event, "arguments": {}}})
            results.append({"name": event, "arguments": {}, "result": {}, "changed": True})
        else:
            made.append({"role": "user", "message": event})
    return {"solution": {"events": made, "answer": None}, "runs": {"replay": {"results": results, "changes": []}}}


def test_what_a_customer_must_have_said_counts_only_before_the_call():
    check = CHECKS["user_told_before"]
    spec = {"call": {"name": "cancel_reservation"}, "words": [["unwell", "sick"]]}
    assert check(_view("I feel unwell.", "cancel_reservation"), spec)
    assert check(_view("I am SICK.", "Please.", "cancel_reservation"), spec)
    assert not check(_view("cancel_reservation", "I feel unwell."), spec)
    assert not check(_view("Please.", "cancel_reservation"), spec)
    assert check(_view("Please.", "book_reservation"), spec)


def test_a_booking_may_have_its_passengers_and_payments_in_any_order():
    people, paid = [{"dob": "1"}, {"dob": "2"}], [{"amount": 3}]
    record = dict.fromkeys(
        ("user_id", "origin", "destination", "flight_type", "cabin", "total_baggages", "nonfree_baggages", "insurance")
    )
    record |= {"flights": [{"price": 3}], "passengers": people, "payment_history": paid, "created_at": "now"}
    seats = {"path": "/flights/X/dates/Y/available_seats/economy", "new": 1}
    made = _booking((seats, {"path": "/reservations/NEW", "new": record}))
    assert made["among"] == {"passengers": [people, people[::-1]]}
    assert made["fields"]["payment_history"] == paid
    assert "created_at" not in made["fields"]


def test_all_wordings_of_a_question_name_the_same():
    write = {"does": "x", "what": "", "why": "", "says": "add {two bags|bags} to {ABC|it}", "done": "Done."}
    row = Row(id="airline_1", user="u", who="", open="", write=(Write(**write),))
    assert "add {two bags|bags} to {ABC|it}" in asking(row)
    assert "add two bags to ABC" in itemised(row)
    assert [variant.new.count("ABC") for variant in vague(asking(row))] == [1, 0]
    assert closing(row) == "Done."


def test_a_look_is_given_where_no_gold_write_reads_the_reservation():
    rows = {row.id: row for row in curation("airline").task}
    refused = [row for row in rows.values() if row.refuse]
    assert len(refused) >= 15
    assert all(any(made.name == "get_reservation_details" for made in row.looks) for row in refused)


# What was read, against the records ---------------------------------------------------------------------------------


@cache
def _kit():
    return Kit("airline", simulators(TAU2.packages, TAU2.folder, "airline"), policy(TAU2.folder, "airline"))


@cache
def _made(identifier):
    row = next(row for row in curation("airline").task if row.id == identifier)
    return candidate(_kit(), row, load(TAU2.folder, [identifier])[identifier], SEASON)


def _records():
    return _kit().public("airline_0")["initial_state"]


def _found(name, **given):
    answer = _kit().simulators.play("airline_0", {"events": [{"role": "assistant", "call": _call(name, given)}]})
    return answer["results"][0]["result"]


def _call(name, given):
    return {"name": name, "arguments": given}


def _onestop(origin, destination, date, cabin):
    """Price, departure, arrival and numbers of the connections that have a seat."""
    for one, two in _found("search_onestop_flight", origin=origin, destination=destination, date=date):
        if min(one["available_seats"][cabin], two["available_seats"][cabin]) > 0:
            numbers = [one["flight_number"], two["flight_number"]]
            times = one["scheduled_departure_time_est"], two["scheduled_arrival_time_est"]
            yield one["prices"][cabin] + two["prices"][cabin], *times, numbers


def _direct(origin, destination, date, cabin):
    for one in _found("search_direct_flight", origin=origin, destination=destination, date=date):
        if one["available_seats"][cabin] > 0:
            yield one["prices"][cabin], one["scheduled_departure_time_est"], one["flight_number"]


@upstream
def test_every_entry_is_a_task_or_is_left_out_with_a_reason():
    table = curation("airline")
    named = [row.id for row in (*table.task, *table.left_out)]
    assert sorted(named) == sorted(tau2_data._rows(TAU2.folder, "airline"))


@upstream
def test_the_cheapest_connections_are_the_ones_that_gold_takes():
    seattle = [
        found
        for origin in ("JFK", "LGA", "EWR")
        for found in _onestop(origin, "SEA", "2024-05-20", "economy")
        if found[1] >= "11:00"
    ]
    assert min(seattle)[3] == ["HAT136", "HAT039"]
    assert min(seattle)[0] == 255 < sorted(seattle)[1][0]
    late = [one for origin in ("JFK", "LGA", "EWR") for one in _direct(origin, "SEA", "2024-05-20", "economy")]
    assert not [one for one in late if one[1] >= "11:00"]
    next_day = sorted(_onestop("ATL", "PHL", "2024-05-24", "economy"))
    assert next_day[0][3] == ["HAT110", "HAT172"]
    assert next_day[0][0] < next_day[1][0]
    coast = ("SFO", "LAX", "SEA")
    trips = {
        (home, there): min(_direct(home, there, "2024-05-20", "basic_economy"))[0]
        + min(_direct(there, home, "2024-05-25", "basic_economy"))[0]
        for home in ("JFK", "EWR")
        for there in coast
        if list(_direct(home, there, "2024-05-20", "basic_economy"))
        and list(_direct(there, home, "2024-05-25", "basic_economy"))
    }
    assert min(trips, key=trips.get) == ("JFK", "SEA")
    assert trips["JFK", "SEA"] == 106 < sorted(trips.values())[1]


@upstream
def test_the_fastest_way_back_that_has_a_seat_is_the_one_that_gold_takes():
    back = [found for found in _onestop("DEN", "IAH", "2024-05-27", "economy") if found[1] >= "06:00"]
    assert [found[3] for found in back] == [["HAT290", "HAT175"]]
    cards = _records()["users"]["sofia_kim_7287"]["payment_methods"]
    difference = back[0][0] - (122 + 131)
    balances = sorted(card["amount"] for card in cards.values() if card["source"] == "gift_card")
    assert next(amount for amount in balances if amount >= difference) == cards["gift_card_6276644"]["amount"]


@upstream
def test_what_is_to_be_told_follows_from_the_records():
    records, saved = _records(), 0
    for call in load(TAU2.folder, ["airline_18"])["airline_18"].gold:
        if call["name"] == "update_reservation_flights":
            record = records["reservations"][call["arguments"]["reservation_id"]]
            assert record["cabin"] == "business"
            now = [records["flights"][one["flight_number"]]["dates"][one["date"]] for one in record["flights"]]
            each = sum(old["price"] - new["prices"]["economy"] for old, new in zip(record["flights"], now, strict=True))
            saved += each * len(record["passengers"])
    assert saved == 23553
    means = records["users"]["mohamed_silva_9265"]["payment_methods"].values()
    sums = Counter()
    for one in means:
        sums[one["source"]] += one.get("amount", 0)
    assert (sums["gift_card"], sums["certificate"]) == (198 + 129, 500 + 250 + 250)


@upstream
def test_what_is_declined_meets_none_of_the_conditions():
    records = _records()
    for row in curation("airline").task:
        if row.refuse and row.refuse.gives_in.name == "cancel_reservation":
            record = records["reservations"][row.refuse.gives_in.arguments["reservation_id"]]
            assert record["created_at"] < "2024-05-14T15:00:00"
            assert record["cabin"] != "business"
            assert record["insurance"] == "no" or row.id == "airline_47"
            dates = [records["flights"][one["flight_number"]]["dates"][one["date"]] for one in record["flights"]]
            assert all(one["status"] != "cancelled" for one in dates)
            assert record["user_id"] == row.user


# The tasks ----------------------------------------------------------------------------------------------------------

SAMPLE = ("airline_3", "airline_8", "airline_13", "airline_19", "airline_30", "airline_38", "airline_43")


@upstream
@pytest.mark.parametrize("identifier", SAMPLE)
def test_the_reference_decides_as_the_labels_say_and_for_the_same_reason(identifier):
    made = _made(identifier)
    environment, failing = TAU2.environment(made.task), set()
    for case in made.cases:
        found = decide(FAMILY, made.task.reference, case.content, environment.execute)
        assert found.ok is (case.label is Verdict.PASS), case.id
        cited = {ground.clause for ground in case.grounds}
        assert found.ok or cited & {atom.clause for atom in found.failed}, case.id
        failing |= {atom.name for atom in found.failed}
    assert failing == {atom.name for atom in atoms(made.task.reference.root)}


@upstream
@pytest.mark.parametrize("identifier", SAMPLE)
def test_there_are_enough_cases_of_every_sort(identifier):
    cases = _made(identifier).cases
    valid = [case for case in cases if case.label is Verdict.PASS]
    attacks = [case for case in cases if case.kind.is_attack]
    assert len(cases) >= 25
    assert len(valid) / len(cases) >= 0.35
    assert len({case.operator for case in valid}) >= 6
    assert len(attacks) >= 4
    controlled = {case.control_of for case in valid}
    assert {attack.id for attack in attacks} <= controlled


@upstream
def test_process_violations_cite_many_sentences_of_the_policy():
    cited = set()
    for made in map(_made, SAMPLE):
        clauses = {clause.id: clause for clause in made.task.clauses}
        for case in made.cases:
            if case.kind is CaseKind.PROCESS_VIOLATION:
                spans = (span for ground in case.grounds for span in clauses[ground.clause].spans)
                cited |= {span.quote for span in spans if span.material == "policy"}
    assert len(cited) >= 8


@upstream
def test_passengers_in_another_order_are_as_right():
    made = _made("airline_8")
    (case,) = [case for case in made.cases if case.operator == "permuted"]
    gold = next(case for case in made.cases if case.operator == "gold")
    asked, turned = ([event["call"] for event in one.content["events"] if "call" in event][-1] for one in (gold, case))
    assert asked["name"] == turned["name"] == "book_reservation"
    people = asked["arguments"]["passengers"]
    assert turned["arguments"]["passengers"] == people[::-1] != people
    assert case.label is Verdict.PASS


@upstream
def test_a_sentence_of_the_policy_that_is_not_there_stops_the_build():
    row = next(row for row in curation("airline").task if row.id == "airline_0")
    wrong = replace(row, refuse=replace(row.refuse, policy="no such words"))
    with pytest.raises(Inconsistent, match="0 sentences"):
        candidate(_kit(), wrong, load(TAU2.folder, ["airline_0"])["airline_0"], SEASON)


@upstream
def test_powers_that_never_end_are_an_error_of_the_call_at_the_airline_too():
    events = [
        {"role": "assistant", "call": _call("calculate", {"expression": text})} for text in ("9**9**9**9", "2 + 2")
    ]
    answer = _kit().simulators.play("airline_0", {"events": events})
    assert answer["results"][0]["error"] == "Invalid characters in expression"
    assert answer["results"][1]["result"] == "4.0"
