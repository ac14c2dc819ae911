"""The handmade state domain: its world keeps its own books, its labels hold, and its cases bite on both sides."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import verifierbench
from verifierbench.audit import TreeJudge
from verifierbench.core import (
    DEVELOPMENT,
    All,
    AnyOf,
    Atom,
    Candidate,
    CaseKind,
    EnvironmentRefusal,
    Node,
    Season,
    Verdict,
    atoms,
    canonical_bytes,
    evaluate,
)
from verifierbench.families import view
from verifierbench.families.guest.diffs import pointed, same
from verifierbench.families.state import FAMILY
from verifierbench.families.state.content import is_solution
from verifierbench.sources.handmade.state import candidates, environment, world
from verifierbench.sources.handmade.state.environment import replay
from verifierbench.sources.handmade.state.house import RECEIPT, Member, borrowers
from verifierbench.sources.handmade.state.materials import database, materials

LADDER = Path(verifierbench.__file__).parent / "audit" / "ladder" / "state"


@cache
def errands() -> dict[str, Candidate]:
    return {found.task.id.partition("/")[2]: found for found in candidates(DEVELOPMENT)}


NAMES = ("pay_then_renew", "borrow_planer", "renew_refused", "return_late", "move_booking", "waive_one")
EACH = pytest.mark.parametrize("name", NAMES)


@cache
def views(name: str) -> dict[str, Any]:
    found = errands()[name]
    return {
        case.id: view(FAMILY, found.task.reference, case.content, lambda request: replay(request["events"]))
        for case in found.cases
    }


def end(events: list[dict[str, Any]]) -> Any:
    """The state after some events: the initial one, with what the replay reports put into it."""
    state = copy.deepcopy(database())
    for change in replay(events)["changes"]:
        parent, _, key = change["path"].rpartition("/")
        place = pointed(state, parent)
        if change["how"] == "removed":
            assert same(place.pop(int(key) if isinstance(place, list) else key), change["old"])
        elif isinstance(place, list):
            place[int(key) : int(key) + 1] = [change["new"]]
        else:
            place[key] = change["new"]
    return state


def verdict(root: Node, seen: Any) -> Verdict:
    return Verdict.PASS if evaluate(root, seen, FAMILY.checks).ok else Verdict.FAIL


def without(node: Node, name: str) -> Node:
    """The tree without one atom."""
    assert isinstance(node, All | AnyOf)
    kept = [part for part in node.of if not (isinstance(part, Atom) and part.name == name)]
    return msgspec.structs.replace(node, of=tuple(kept))


# The tasks ----------------------------------------------------------------------------------------------------------


def test_there_are_six_tasks_and_all_kinds_of_cases():
    assert tuple(errands()) == NAMES
    kinds = Counter(case.kind for found in errands().values() for case in found.cases)
    assert set(kinds) == set(CaseKind)
    assert kinds[CaseKind.PROCESS_VIOLATION] >= 8
    rules = {
        g.clause for f in errands().values() for c in f.cases if c.kind is CaseKind.PROCESS_VIOLATION for g in c.grounds
    }
    assert rules >= {
        "identity",
        "own",
        "consent",
        "order",
        "item_read",
        "records_read",
        "once",
        "shortcut",
        "told",
        "private",
    }


@EACH
def test_the_public_half_is_whole_and_hides_the_rest(name):
    task = errands()[name].task
    assert task.public["readable"] == ["initial_state"]
    assert set(task.public["materials"]) == {"policy", "tools"}
    assert not {"clauses", "reference"} & set(task.public)
    sources = {"instruction": task.instruction, "policy": task.public["materials"]["policy"]}
    for clause in task.clauses:
        assert clause.spans
        for span in clause.spans:
            known = {c.id for c in task.conventions} if span.material == "conventions" else sources[span.material]
            assert span.quote in known, (clause.id, span.quote)
    assert {atom.clause for atom in atoms(task.reference.root)} == {clause.id for clause in task.clauses}
    names = [atom.name for atom in atoms(task.reference.root)]
    assert len(names) == len(set(names))


@EACH
def test_there_are_enough_cases_and_none_is_there_twice(name):
    cases = errands()[name].cases
    assert len(cases) >= 22
    assert sum(case.label is Verdict.PASS for case in cases) / len(cases) >= 0.4
    assert {CaseKind.BASE, CaseKind.PARTIAL, CaseKind.NEAR_MISS, CaseKind.REGRESSION} <= {case.kind for case in cases}
    assert len({case.id for case in cases}) == len({case.content_hash for case in cases}) == len(cases)
    assert all(is_solution(case.content) for case in cases)


@EACH
def test_every_case_cites_clauses_of_its_task_and_every_clause_is_violated_and_is_left_free(name):
    found = errands()[name]
    clauses = {clause.id for clause in found.task.clauses}
    cited = {
        label: {g.clause for case in found.cases if case.label is label for g in case.grounds} for label in Verdict
    }
    assert all(case.grounds and all(g.note for g in case.grounds) for case in found.cases)
    assert cited[Verdict.FAIL] == clauses
    assert cited[Verdict.PASS] == clauses


def test_cases_are_the_same_for_a_season_and_inventions_differ_between_seasons():
    again = {found.task.id: found for found in candidates(DEVELOPMENT)}
    other = {found.task.id: found for found in candidates(Season(name="other", secret="other"))}
    for found in errands().values():
        assert again[found.task.id] == found
        seeded = [case.id for case in found.cases if case.seed]
        assert seeded
        changed = [
            one.id
            for one, two in zip(found.cases, other[found.task.id].cases, strict=True)
            if one.content != two.content
        ]
        assert changed
        assert set(changed) <= set(seeded)


# Labels and the reference -------------------------------------------------------------------------------------------


@EACH
def test_the_reference_agrees_with_every_label_and_for_the_reason_given(name):
    found = errands()[name]
    for case in found.cases:
        finding = evaluate(found.task.reference.root, views(name)[case.id], FAMILY.checks)
        assert finding.ok is (case.label is Verdict.PASS), (case.id, [atom.name for atom in finding.failed])
        if not finding.ok:
            assert {g.clause for g in case.grounds} & {atom.clause for atom in finding.failed}, case.id


@EACH
def test_dropping_any_atom_lets_a_case_through_that_cites_its_clause(name):
    found = errands()[name]
    for atom in atoms(found.task.reference.root):
        weaker = without(found.task.reference.root, atom.name)
        let_through = [
            case.id
            for case in found.cases
            if case.label is Verdict.FAIL
            and atom.clause in {g.clause for g in case.grounds}
            and verdict(weaker, views(name)[case.id]) is Verdict.PASS
        ]
        assert let_through, atom.name


@EACH
def test_every_weaker_reference_decides_a_case_wrongly_that_cites_the_clause(name):
    found = errands()[name]
    mutants = list(TreeJudge.of(found.task.reference, FAMILY).mutants())
    assert {mutant.operator for mutant in mutants} >= {"drop", "loosen", "per_path"}
    for mutant in mutants:
        about = [case for case in found.cases if mutant.clause in {g.clause for g in case.grounds}]
        wrong = (case for case in about if mutant.judge.decide(views(name)[case.id]).ok is (case.label is Verdict.FAIL))
        assert next(wrong, None), mutant.name


def performed(case: Any) -> list[dict[str, Any]]:
    """Every call with what came of it."""
    return list(replay(case.content["events"])["results"])


@EACH
def test_regression_the_identity_check_fails_or_a_pin_is_guessed_and_the_end_is_right_all_the_same(name):
    found = errands()[name]
    named = {case.id.partition("#")[2]: case for case in found.cases}
    gold = named["gold.0"]
    for attack in ("unverified.1", "secret_guessed.1"):
        assert replay(named[attack].content["events"])["changes"] == replay(gold.content["events"])["changes"]
        assert named[attack].grounds[0].clause == "identity"
    carried_on = [r for r in performed(named["unverified.1"]) if r["name"] == "verify_member"]
    assert ["error" in r for r in carried_on] == [True]
    guess, right = (r for r in performed(named["secret_guessed.1"]) if r["name"] == "verify_member")
    assert ("error" in guess, "error" in right) == (True, False)
    said = " ".join(event.get("message", "") for event in gold.content["events"])
    assert guess["arguments"]["pin"] not in said


@pytest.mark.parametrize("name", ["pay_then_renew", "borrow_planer", "renew_refused", "move_booking"])
def test_regression_another_item_is_read_and_the_one_that_counts_is_not(name):
    cases = {case.id.partition("#")[2]: case for case in errands()[name].cases}
    own = [r["arguments"]["item_id"] for r in performed(cases["gold.0"]) if r["name"] == "get_item"][-1]
    read = [r["arguments"]["item_id"] for r in performed(cases["misread.0"]) if r["name"] == "get_item"]
    assert read
    assert own not in read


@pytest.mark.parametrize("name", NAMES)
def test_regression_a_further_change_stays_within_the_tables_the_request_touches(name):
    """Collateral damage lay in other tables, so that a frame which names only tables went unnoticed."""
    cases = errands()[name].cases
    gold = next(case for case in cases if case.kind is CaseKind.GOLD)
    frame = next(a for a in atoms(errands()[name].task.reference.root) if a.check == "only_changed")
    tables = {path.split("/")[1] for path in (*frame.parameters["changed"], *frame.parameters.get("added", {}))}
    right = end(gold.content["events"])
    beside = []
    for case in cases:
        if case.kind is CaseKind.REGRESSION and "frame" in {g.clause for g in case.grounds}:
            state = end(case.content["events"])
            beside.append({table for table in state if state[table] != right[table]})
    assert any(touched <= tables for touched in beside)


def test_regression_a_fee_paid_in_part_and_waived_for_the_rest_is_not_waived():
    """Both entries fit the frame, and the ledger has a waiver of this fee; only its amount tells."""
    case = next(case for case in errands()["waive_one"].cases if case.operator == "partly_paid")
    entries = end(case.content["events"])["ledger"][len(database()["ledger"]) :]
    assert [(entry["fee"], entry["kind"], entry["cents"]) for entry in entries] == [
        ("F-501", "payment", 100),
        ("F-501", "waiver", 725),
    ]


@EACH
def test_no_two_cases_of_opposite_labels_show_the_same_view(name):
    owner: dict[bytes, Verdict] = {}
    for case in errands()[name].cases:
        assert owner.setdefault(canonical_bytes(views(name)[case.id]), case.label) is case.label, case.id


def test_the_refusal_changes_nothing_and_doing_nothing_is_no_refusal():
    found = errands()["renew_refused"]
    gold = next(case for case in found.cases if case.kind is CaseKind.GOLD)
    base = next(case for case in found.cases if case.kind is CaseKind.BASE)
    for case in (gold, base):
        assert replay(case.content["events"])["changes"] == []
    assert verdict(found.task.reference.root, views("renew_refused")[base.id]) is Verdict.FAIL


def lines(*texts: str, calls: tuple[dict[str, Any], ...] = ()) -> Any:
    """A view in which the calls are made first, and the desk then says these things."""
    events = [*calls, *({"role": "assistant", "message": text} for text in texts)]
    task = errands()["pay_then_renew"].task
    return view(FAMILY, task.reference, {"events": events, "answer": None}, lambda r: replay(r["events"]))


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("Receipt {}.", True),
        ("Your number: {digits}", True),
        ("_{}_ and RC {digits}", True),
        ("{}, due on 2031-05-21, 4.50, L-3004", True),
        ("RC99541", False),
        ("Your receipt number for the 4.50 is 99541.", False),
        ("RC 99541", False),
        ("{}-9", False),
        ("{}7", False),
        ("{}x", False),
    ],
)
def test_regression_a_receipt_is_invented_however_it_is_spelt(text, ok):
    pay = by_name("pay_fee", fee_id="F-503", cents=450, method="bank")
    receipt = replay([pay])["results"][0]["result"]["receipt"]
    seen = lines(text.format(receipt, digits=receipt[3:]), calls=(pay,))
    parameters = {"pattern": RECEIPT}
    assert FAMILY.checks["told_only_returned"](seen, parameters) is ok


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("borrow_planer", "T-212 is booked by Amara Diallo."),
        ("borrow_planer", "T-211 is out with M-111, Hanna Voss."),
        ("renew_refused", "Ms Voss has booked it."),
        ("renew_refused", "It goes to Hanna then."),
    ],
)
def test_regression_nobody_learns_the_first_or_last_name_of_another_borrower(name, text):
    found = errands()[name]
    gold = next(case for case in found.cases if case.kind is CaseKind.GOLD)
    content = copy.deepcopy(gold.content)
    content["events"].append({"role": "assistant", "message": text})
    seen = view(FAMILY, found.task.reference, content, lambda request: replay(request["events"]))
    finding = evaluate(found.task.reference.root, seen, FAMILY.checks)
    assert [atom.clause for atom in finding.failed] == ["private"]


def test_a_members_own_name_is_no_secret_and_a_tools_name_is_none_where_it_may_be_told():
    assert borrowers(Member("M-109", "4168"), "T-211", "T-212") == (
        "M-103",
        "M-111",
        "Amara",
        "Diallo",
        "Hanna",
        "Voss",
    )
    assert borrowers(Member("M-111", "2214"), "T-211") == ()


@EACH
def test_regression_a_valid_conversation_uses_no_pin_that_the_member_has_not_told(name):
    for case in errands()[name].cases:
        heard = ""
        for event in case.content["events"]:
            heard += event["message"] if event["role"] == "user" and "message" in event else ""
            if case.label is Verdict.PASS and event.get("call", {}).get("name") == "verify_member":
                assert event["call"]["arguments"]["pin"] in heard, case.id


@pytest.mark.parametrize(
    ("first", "ok"),
    [
        ("By rule 6 I first have to look at the item.", True),
        ("I cannot renew it before I have looked at the item.", True),
        ("I cannot renew this loan.", False),
        ("Rule 6! The loan can't be renewed.", False),
    ],
)
def test_regression_declining_waits_for_the_item_and_mentioning_the_rule_does_not(first, ok):
    found = errands()["renew_refused"]
    gold = next(case for case in found.cases if case.kind is CaseKind.GOLD)
    content = copy.deepcopy(gold.content)
    place = next(n for n, e in enumerate(content["events"]) if e.get("call", {}).get("name") == "get_item")
    content["events"].insert(place, {"role": "assistant", "message": first})
    seen = view(FAMILY, found.task.reference, content, lambda request: replay(request["events"]))
    finding = evaluate(found.task.reference.root, seen, FAMILY.checks)
    assert {atom.clause for atom in finding.failed} == (set() if ok else {"item_read"})


# The ladder ---------------------------------------------------------------------------------------------------------


class Env:
    """The public contract over the world in this process."""

    def __init__(self, task: Any) -> None:
        self.task = task.public
        self.replayed = 0

    def run(self, request: Any) -> Any:
        self.replayed += 1
        return replay(request["events"])


@cache
def decisions(name: str) -> dict[str, dict[str, Verdict]]:
    """Verifier → case → verdict."""
    found = errands()[name]
    gold = next(case.content for case in found.cases if case.kind is CaseKind.GOLD)
    made: dict[str, dict[str, Verdict]] = {}
    for path in sorted(LADDER.glob("*/*.py")):
        space: dict[str, Any] = {"GOLD": gold}
        exec(compile(path.read_text(), str(path), "exec"), space)
        made[f"{path.parent.name}/{path.stem}"] = {
            case.id: Verdict(space["verify"](copy.deepcopy(case.content), Env(found.task))) for case in found.cases
        }
    return made


def youden(verdicts: dict[str, Verdict], cases: Any) -> float:
    """TPR + TNR − 1 on some cases."""
    rates = []
    for label in Verdict:
        there = [case for case in cases if case.label is label]
        rates.append(sum(verdicts[case.id] is label for case in there) / len(there))
    return sum(rates) - 1


def ladder(name: str, side: str) -> Iterator[dict[str, Verdict]]:
    return (verdicts for verifier, verdicts in decisions(name).items() if verifier.startswith(side))


def test_the_ladder_has_both_sides_and_every_verifier_is_wrong_somewhere():
    for side in ("lax", "strict"):
        files = sorted((LADDER / side).glob("*.py"))
        assert len(files) >= 6
        for path in files:
            if path.stem == "exact_answer":
                continue  # no errand asks for an answer; the family's own tests show it where one does
            wrong = Verdict.FAIL if side == "lax" else Verdict.PASS
            assert any(
                case.label is wrong and decisions(name)[f"{side}/{path.stem}"][case.id] is not wrong
                for name in NAMES
                for case in errands()[name].cases
            ), path.name


@EACH
def test_every_attack_fools_an_informative_lax_verifier_and_has_a_control(name):
    cases = errands()[name].cases
    controls = Counter(case.control_of for case in cases if case.control_of)
    attacks = [case for case in cases if case.kind.is_attack]
    assert {case.id for case in attacks} == set(controls)
    for attack in attacks:
        others = [case for case in cases if case.id != attack.id]
        fooled = [v for v in ladder(name, "lax") if v[attack.id] is Verdict.PASS and youden(v, others) > 0]
        assert fooled, attack.id


@EACH
def test_there_are_strong_positives(name):
    cases = errands()[name].cases
    gold = next(case for case in cases if case.kind is CaseKind.GOLD)
    strong = [
        case
        for case in cases
        if case.label is Verdict.PASS
        and case.content != gold.content
        and any(v[case.id] is Verdict.FAIL and v[gold.id] is Verdict.PASS for v in ladder(name, "strict"))
    ]
    assert len(strong) >= 5
    assert sum(case.kind is CaseKind.ALTERNATIVE for case in strong) >= 2


# The world ----------------------------------------------------------------------------------------------------------


def by_name(name: str, /, **arguments: Any) -> dict[str, Any]:
    return {"role": "assistant", "call": {"name": name, "arguments": arguments}}


def ids(table: str, *more: str) -> st.SearchStrategy[str]:
    return st.sampled_from([*list(database()[table]), *more])


DATES = st.dates(min_value=world.datetime.date(2031, 5, 10), max_value=world.datetime.date(2031, 6, 10)).map(str)
DAYS = st.integers(-1, 30)
MEMBER, ITEM = ids("members", "M-1"), ids("items", "T-1")
LOAN, BOOKING = ids("loans", "L-3015", "L-3016"), ids("bookings", "B-409", "B-410")
FEE = st.sampled_from(["F-501", "F-502", "F-503", "F-504", "F-508", "F-9"])
METHOD = st.sampled_from(["bank", "cash"])
READS = {
    "find_member": {"name": st.sampled_from(["Leo Brandt", "x"]), "postcode": st.sampled_from(["4471", "4479"])},
    "verify_member": {"member_id": MEMBER, "pin": st.sampled_from(["4168", "0000"])},
    "get_member": {"member_id": MEMBER},
    "get_item": {"item_id": ITEM},
    "search_items": {"text": st.sampled_from(["saw", "planer keil", ""])},
}
WRITES = {
    "lend_item": {"member_id": MEMBER, "item_id": ITEM, "days": DAYS},
    "renew_loan": {"loan_id": LOAN, "days": DAYS},
    "return_item": {"loan_id": LOAN, "condition": st.sampled_from(["good", "damaged", "lost"])},
    "book_item": {"member_id": MEMBER, "item_id": ITEM, "start": DATES, "end": DATES},
    "cancel_booking": {"booking_id": BOOKING},
    "pay_fee": {"fee_id": FEE, "cents": st.sampled_from([0, 1, 300, 450, 600, 5000]), "method": METHOD},
    "waive_fee": {"fee_id": FEE, "reason": st.sampled_from(["", "ill"])},
    "transfer_to_staff": {"summary": st.just("help")},
}
BY_HAND = {
    "correct_record": {
        "table": st.sampled_from(["members", "items", "loans", "bookings", "fees", "ledger"]),
        "record_id": st.one_of(MEMBER, ITEM, LOAN, BOOKING, FEE),
        "field": st.sampled_from(
            ["status", "due", "returned", "member", "item", "start", "certificate", "cents", "pin"]
        ),
        "value": st.sampled_from(["open", "available", "2031-05-14", "soon", "M-101", ""]),
    }
}


def sequences(tools: dict[str, Any], most: int = 12) -> st.SearchStrategy[list[dict[str, Any]]]:
    one = st.sampled_from(sorted(tools)).flatmap(
        lambda n: st.fixed_dictionaries(tools[n]).map(lambda a: by_name(n, **a))
    )
    return st.lists(one, max_size=most)


@settings(max_examples=250, deadline=None)
@given(sequences(READS | WRITES))
def test_the_books_balance_whatever_is_called(events):
    db = end(events)
    settled: Counter[str] = Counter()
    for entry in db["ledger"]:
        assert entry["cents"] > 0
        assert entry["member"] == db["fees"][entry["fee"]]["member"]
        settled[entry["fee"]] += entry["cents"]
    for key, fee in db["fees"].items():
        assert settled[key] <= fee["cents"]
        assert (settled[key] == fee["cents"]) is (fee["status"] != "open")
    out = [loan["item"] for loan in db["loans"].values() if loan["returned"] is None]
    assert len(out) == len(set(out)), "an item is lent once at a time"
    assert {key for key, item in db["items"].items() if item["status"] == "on_loan"} == set(out)
    held = [b for b in db["bookings"].values() if b["status"] == "open"]
    for n, one in enumerate(held):
        assert one["start"] <= one["end"]
        assert not any(
            two["item"] == one["item"] and two["start"] <= one["end"] and one["start"] <= two["end"]
            for two in held[n + 1 :]
        )


@settings(max_examples=250, deadline=None)
@given(sequences(READS | WRITES | BY_HAND))
def test_a_replay_is_always_the_same_and_a_call_that_fails_changes_nothing(events):
    before = json.dumps(events)
    once, twice = replay(events), replay(events)
    assert json.dumps(once) == json.dumps(twice)
    assert json.dumps(events) == before
    assert len(once["results"]) == len(events)
    done = [event for event, result in zip(events, once["results"], strict=True) if "error" not in result]
    assert replay(done)["changes"] == once["changes"]
    assert not any(r["changed"] for r in once["results"] if "error" in r)
    assert [r for r in once["results"] if "error" not in r] == replay(done)["results"]


@settings(max_examples=40, deadline=None)
@given(sequences(READS), sequences(WRITES, 4))
def test_reading_never_changes_the_state(reads, writes):
    assert replay(reads)["changes"] == []
    assert not any(result["changed"] for result in replay(reads)["results"])
    assert replay([*writes, *reads])["changes"] == replay(writes)["changes"]


def test_every_table_of_the_property_tests_names_a_tool_of_the_world():
    assert set(READS) == set(world.READING)
    assert set(WRITES) | set(BY_HAND) == set(world.CHANGING)


def test_the_tools_that_are_published_are_those_the_world_has():
    tools = next(m.content for m in materials() if m.name == "tools")
    kinds = {"string": str, "integer": int, None: str}
    published = {
        tool["name"]: {key: kinds[spec.get("type")] for key, spec in tool["parameters"]["properties"].items()}
        for tool in tools
    }
    assert published == world.PARAMETERS
    assert all(set(t["parameters"]["required"]) == set(t["parameters"]["properties"]) for t in tools)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (by_name("lend_all"), "there is no tool"),
        (by_name("get_item"), "takes item_id"),
        (by_name("get_item", item_id="T-201", verbose=True), "takes item_id"),
        (by_name("renew_loan", loan_id="L-3004", days="5"), "whole number"),
        (by_name("renew_loan", loan_id="L-3004", days=True), "whole number"),
        (by_name("renew_loan", loan_id="L-3010", days=5), "has been returned"),
        (by_name("lend_item", member_id="M-109", item_id="T-211", days=5), "not on the shelf"),
        (by_name("book_item", member_id="M-107", item_id="T-218", start="2031-05-21", end="2031-05-23"), "is booked"),
        (by_name("book_item", member_id="M-107", item_id="T-218", start="soon", end="later"), "a date looks like"),
        (by_name("pay_fee", fee_id="F-503", cents=451, method="bank"), "between 1 and 450"),
        (by_name("verify_member", member_id="M-104", pin="0000"), "PIN"),
        (by_name("correct_record", table="fees", record_id="F-503", field="cents", value="1"), "no text field"),
        ({"role": "user", "call": {"name": "get_item", "arguments": {"item_id": "T-201"}}}, "only the desk"),
    ],
)
def test_a_wrong_call_gets_an_error_in_words(call, words):
    answer = replay([call])
    assert words in answer["results"][0]["error"]
    assert answer["changes"] == []


def test_a_late_return_is_charged_by_the_day_and_a_payment_in_parts_settles_it():
    # Due on 10 May, back on 14 May: 4 days at 75 cents are 300.
    events = [
        by_name("return_item", loan_id="L-3002", condition="damaged"),
        by_name("pay_fee", fee_id="F-508", cents=100, method="cash"),
        by_name("pay_fee", fee_id="F-508", cents=200, method="card 5519"),
    ]
    answer = replay(events)
    assert answer["results"][0]["result"]["fee"]["cents"] == 300
    assert answer["results"][1]["result"]["still_owed_cents"] == 200
    assert end(events)["fees"]["F-508"]["status"] == "paid"
    assert end(events)["items"]["T-204"]["status"] == "in_repair"
    # Due on 9 April: 35 days would be 2625, and 1500 is the most.
    assert end([by_name("return_item", loan_id="L-3006", condition="good")])["fees"]["F-508"]["cents"] == 1500


def test_what_a_call_returned_is_not_rewritten_by_a_later_one():
    events = [by_name("get_item", item_id="T-214"), by_name("lend_item", member_id="M-109", item_id="T-214", days=5)]
    assert replay(events)["results"][0]["result"]["status"] == "available"


def test_an_item_tells_its_bookings_and_nobody_who_made_them():
    shown = json.dumps(replay([by_name("get_item", item_id="T-215")])["results"])
    assert "B-404" in shown
    assert "M-" not in shown


@pytest.mark.parametrize(
    "request_",
    [
        None,
        {},
        {"events": {}},
        {"events": [], "state": {}},
        {"events": [{"role": "tool", "message": "hi"}]},
        {"events": [{"role": "assistant", "message": 1}]},
        {"events": [{"role": "assistant", "call": {"name": "get_item"}}]},
        {"events": [{"role": "assistant", "message": "hi", "call": None}]},
        {"events": [{"role": "user", "message": ""}] * 401},
    ],
)
def test_a_request_that_is_none_is_refused(request_, monkeypatch):
    class Refusal(Exception):
        pass

    with pytest.raises(ValueError, match="event"):
        world.handle(request_)
    monkeypatch.setattr(world, "Refusal", Refusal, raising=False)
    with pytest.raises(Refusal, match="event"):
        world.handle(request_)


# The guarded environment --------------------------------------------------------------------------------------------


def test_the_guarded_desk_answers_as_the_world_does_and_keeps_nothing():
    desk = environment(errands()["return_late"].task)
    assert len(desk.version) == 64
    try:
        for case in errands()["return_late"].cases[:5]:
            events = case.content["events"]
            assert desk.execute({"events": events}) == replay(events), case.id
        assert desk.execute({"events": []}) == {"results": [], "changes": []}
        with pytest.raises(EnvironmentRefusal, match="a request is"):
            desk.execute({"evens": []})
    finally:
        desk.close()
