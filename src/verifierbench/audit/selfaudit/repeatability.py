"""Plants for repeatability, which promises that a case's view and decision are the same in at least three observations.

Real ways to break it: an environment that keeps something from one run to the next, reports durations, addresses or
the time of day, lists what has no order, invents identifiers, gives up under load, or refuses now and then; a judge
that depends on more than the view; and runs that were never made, or belong to something else. That a repeated
decision is right is not promised.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

from msgspec.structs import replace

from verifierbench.core import AnyOf, CaseKind, canonical_hash

from ..subject import Fresh, Subject
from .edits import (
    all_seen,
    atom_dropped,
    case_id,
    copied,
    dropped,
    kept,
    named,
    of_kind,
    referenced,
    refrozen,
    relabelled,
    rewritten,
    seen,
    shuffled,
    with_runs,
)
from .plant import Change, Plant, control, defect, odd
from .pointers import Edit, keys_reversed, put, turned

_flaw = partial(defect, "repeatability")
_fine = partial(control, "repeatability")
_odd = partial(odd, "repeatability")

_CHANGES = "/runs/replay/changes"
_DRIVER, _TESTS = "/runs/copy/commands/0", "/runs/copy/commands/1"


def _run(name: str, number: int, edit: Edit) -> Change:
    """One fresh run of a case saw an edited view, and was decided by what it saw."""

    def change(subject: Subject) -> Subject:
        known = case_id(subject, name)
        saw = edit(subject.views[known])
        fresh = Fresh(view=canonical_hash(saw), ok=subject.judge.decide(saw).ok)
        runs = subject.runs[known]
        return _with(subject, known, (*runs[:number], fresh, *runs[number + 1 :]))

    return change


def _wavering(name: str, number: int) -> Change:
    """One fresh run of a case was decided otherwise, though it saw the same."""

    def change(subject: Subject) -> Subject:
        known = case_id(subject, name)
        runs = subject.runs[known]
        turn = replace(runs[number], ok=not runs[number].ok)
        return _with(subject, known, (*runs[:number], turn, *runs[number + 1 :]))

    return change


def _only(name: str, count: int) -> Change:
    """Only the first fresh runs of a case were made."""
    return lambda s: _with(s, case_id(s, name), s.runs[case_id(s, name)][:count])


def _never_run(name: str) -> Change:
    def change(subject: Subject) -> Subject:
        known = case_id(subject, name)
        return replace(subject, runs={case: runs for case, runs in subject.runs.items() if case != known})

    return change


def _exchanged(name: str, other: str) -> Change:
    """Two cases hold each other's runs."""

    def change(subject: Subject) -> Subject:
        one, two = case_id(subject, name), case_id(subject, other)
        return replace(subject, runs={**subject.runs, one: subject.runs[two], two: subject.runs[one]})

    return change


def _second_sees_the_first(subject: Subject) -> Subject:
    """The second fresh run of every case starts from what the first one left, and so changes nothing."""
    changed = subject
    for case in subject.cases:
        changed = _run(case.id.partition("#")[2], 1, put(_CHANGES, []))(changed)
    return changed


def _as_many_as_it_takes(subject: Subject) -> Subject:
    """Two fresh runs of one case, three of the next, four of the third, and so on in a circle."""
    runs = {name: runs[:1] * (2 + place % 3) for place, (name, runs) in enumerate(subject.runs.items())}
    return replace(subject, runs=runs)


def _with(subject: Subject, case: str, runs: tuple[Fresh, ...]) -> Subject:
    return replace(subject, runs={**subject.runs, case: runs})


def _told_otherwise(old: str, new: str) -> Edit:
    """What the replay reports, with some words written otherwise throughout."""
    return turned("/runs/replay", lambda seen: json.loads(json.dumps(seen).replace(json.dumps(old), json.dumps(new))))


_tomorrow = _told_otherwise("2031-05-14", "2031-05-15")


def _left_over(view: Any) -> Any:
    """A loan of an earlier case is still there, so that the new one gets the number after it."""
    return _told_otherwise("/loans/L-3015", "/loans/L-3016")(_told_otherwise("L-3015", "L-3016")(view))


_refused = put("/runs/replay", {"refused": "the desk is closed"})
_slow = turned(f"{_TESTS}/stderr", lambda text: text.replace("in 0.000s", "in 0.031s"))
_stopped = put(_DRIVER, {"exit": None, "ended": "timeout", "stdout": "", "stderr": ""})
_address = turned(f"{_TESTS}/stderr", lambda text: f"{text}<shelf.cache.Cache object at 0x7f31c2a9d0>\n")
_tests_reversed = turned(f"{_TESTS}/stderr", lambda text: "\n".join(reversed(text.split("\n"))))
_hashed_otherwise = turned(f"{_DRIVER}/stdout", lambda text: re.sub(r'(\["build_hash", )"2"', r'\1"3"', text))
_another_receipt = turned("/runs/replay/results", lambda rows: [_receipt(row) for row in rows])


def _receipt(row: Any) -> Any:
    return put("/result/receipt", "RC-00017")(row) if "receipt" in row.get("result", {}) else row


def _listed_otherwise(row: Any) -> Any:
    """Ways to pay are listed the other way round."""
    return turned("/result/methods", lambda ways: ways[::-1])(row) if row["name"] == "get_member" else row


_TOOL_CALL = (
    _flaw("glasshouse", "run_once", "One case was run only once more.", _only("gold.0", 1), at="gold.0"),
    _flaw("ferry", "never_run", "One case was never run again.", _never_run("letter_case.1"), at="letter_case.1"),
    _flaw("museum", "nothing_run", "No case was run again.", lambda s: replace(s, runs={})),
    _flaw(
        "seedbank",
        "decided_by_chance",
        "A case's second run was decided otherwise, though it showed the same.",
        _wavering("set_order.0", 1),
        at="set_order.0",
    ),
    _flaw(
        "kiln",
        "runs_exchanged",
        "A case and another one hold each other's runs; both are FAIL.",
        _exchanged("order_violated.0", "one_letter.0"),
        at="order_violated.0",
    ),
    _flaw(
        "bfcl/parallel_multiple_172",
        "fourth_of_five",
        "Of five runs of one case the fourth was decided otherwise.",
        partial(with_runs, count=5),
        _wavering("call_order.0", 3),
        at="call_order.0",
    ),
    _flaw(
        "rehearsal",
        "failures_not_run",
        "The list of runs of every FAIL is empty.",
        lambda s: replace(s, runs={c.id: s.runs[c.id] if c.label == "PASS" else () for c in s.cases}),
    ),
    _flaw(
        "kiln",
        "judge_changed_since",
        "The reference lost an atom after the runs, and now decides one case otherwise than they did.",
        referenced(atom_dropped("order1")),
        at="order_violated.0",
    ),
    _flaw(
        "glasshouse",
        "solution_changed_since",
        "A solution was edited after its runs, 90 to 90.0, and decides as before.",
        rewritten("wording.0", put("/turns/0/calls/0/arguments/minutes", 90.0)),
        at="wording.0",
    ),
    _fine("glasshouse", "tool_call_in_another_order", "Cases and records stand in another order.", shuffled),
    _odd("ferry", "run_five_times", "Every case was run five times more.", partial(with_runs, count=5)),
    _odd(
        "museum",
        "run_in_another_order",
        "The runs were made, and are listed, from the last case to the first.",
        lambda s: replace(s, runs=dict(reversed(list(s.runs.items())))),
    ),
    _odd(
        "seedbank",
        "view_keys_in_another_order",
        "The recorded views were written with their keys in the opposite order.",
        all_seen(keys_reversed),
    ),
    _odd(
        "kiln",
        "runs_of_cases_that_left",
        "The attacks left the set, and their runs are still listed.",
        lambda s: replace(dropped(lambda case: case.kind.is_attack)(s), runs=s.runs),
    ),
    _odd(
        "telescope",
        "always_the_same_mistake",
        "The reference rejects everything, every time.",
        referenced(lambda _: AnyOf(of=())),
        refrozen,
    ),
    _odd(
        "rehearsal",
        "wrong_but_steady",
        "A near miss is labelled PASS; its runs are all alike.",
        relabelled("one_letter.0", CaseKind.COSMETIC),
    ),
)

_STATE = (
    _flaw(
        "pay_then_renew",
        "receipt_by_chance",
        "The environment gave other receipts in one run.",
        _run("gold.0", 1, _another_receipt),
        at="gold.0",
    ),
    _flaw(
        "pay_then_renew",
        "overnight",
        "One run was made after midnight and reports another day; it is decided alike.",
        _run("polite.0", 0, _tomorrow),
        at="polite.0",
    ),
    _flaw(
        "borrow_planer",
        "recorded_after_another",
        "The recorded view numbers a loan after one that an earlier case left; the fresh runs agree with each other.",
        seen("gold.0", _left_over),
        at="gold.0",
    ),
    _flaw(
        "return_late",
        "second_sees_the_first",
        "The state is not reset: the second run of every case starts where its first one ended.",
        _second_sees_the_first,
        at="gold.0",
    ),
    _flaw(
        "waive_one",
        "refused_once",
        "The environment refused a valid case in one run.",
        _run("gold.0", 0, _refused),
        at="gold.0",
    ),
    _flaw(
        "renew_refused",
        "refused_once_and_wrong_anyway",
        "The environment refused a FAIL in one run; all runs decide it FAIL.",
        _run("rule_missing.0", 1, _refused),
        at="rule_missing.0",
    ),
    _flaw(
        "borrow_planer",
        "listed_by_chance",
        "In one run the ways to pay, which have no order, are listed the other way round; it is decided alike.",
        _run("gold.0", 0, turned("/runs/replay/results", lambda rows: [_listed_otherwise(row) for row in rows])),
        at="gold.0",
    ),
    _fine("move_booking", "state_in_another_order", "Cases and records stand in another order.", shuffled),
    _odd("pay_then_renew", "one_case", "Gold is the only case.", kept(named("gold.0"))),
    _odd(
        "borrow_planer",
        "speaks_of_the_time",
        "A solution's own words name a time of day and a duration, the same in every run.",
        rewritten("gold.0", turned("/events/10/message", lambda said: f"{said} It is 12:03:31, this took 0.031s.")),
        refrozen,
    ),
    _odd(
        "return_late",
        "always_refused",
        "The environment refuses one case, in the same words every time.",
        seen("only_looked.0", _refused),
        refrozen,
    ),
    _fine(
        "waive_one",
        "few_kinds",
        "Only gold and the hacks stay.",
        kept(of_kind(CaseKind.GOLD, CaseKind.HACK)),
    ),
)

_CODE = (
    _flaw(
        "duedate",
        "duration_recorded",
        "The recorded view says how long the tests took; the fresh runs do not.",
        seen("gold.0", _slow),
        at="gold.0",
    ),
    _flaw(
        "shelf",
        "address_printed",
        "One run of a FAIL printed an address in memory; it is decided alike.",
        _run("timer.0", 1, _address),
        at="timer.0",
    ),
    _flaw(
        "slotbook",
        "stopped_under_load",
        "One run of a valid case was stopped for its time and decided FAIL.",
        _run("sweep.0", 0, _stopped),
        at="sweep.0",
    ),
    _flaw(
        "tinyconf",
        "tests_in_another_order",
        "In one run the tests were reported in another order; it is decided alike.",
        _run("regex.0", 1, _tests_reversed),
        at="regex.0",
    ),
    _flaw(
        "verorder",
        "third_run_differs",
        "Of three runs the last shows another value, as with another hash seed, and is decided otherwise.",
        partial(with_runs, count=3),
        _run("padded.0", 2, _hashed_otherwise),
        at="padded.0",
    ),
    _fine("duedate", "code_in_another_order", "Cases and records stand in another order.", shuffled),
    _odd(
        "verorder",
        "as_many_as_it_takes",
        "Cases were run two, three or four times more, as resuming after an interruption may have it.",
        _as_many_as_it_takes,
    ),
    _odd(
        "tinyconf",
        "says_in_seconds",
        "What a program prints names a duration and an address, the same in every observation.",
        seen("regex.0", lambda view: _address(_slow(view))),
        refrozen,
    ),
    _odd(
        "shelf",
        "the_same_twice",
        "Two cases show the very same view.",
        copied("gold.0", CaseKind.COSMETIC),
    ),
    _odd(
        "slotbook",
        "never_applies",
        "Only gold and a patch that never applies stay.",
        kept(named("gold.0", "unappliable.0")),
    ),
)

PLANTS: tuple[Plant, ...] = (*_TOOL_CALL, *_STATE, *_CODE)
