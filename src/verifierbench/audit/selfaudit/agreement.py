"""Plants for agreement, which promises that upstream's decision on every case is known, and explained where wrong.

Every case of a source with a checker has its decision on record, and a decision that differs from the label is put
down to an entry of the source's ledger that holds of this very case. Real ways to break it: the checker was not asked
about a case or gave no answer, a label was turned and the checker was right, the ledger lost an entry, or the checker
decides as no known defect of its makes it. All plants but the silent sources are in tasks of the one source that has a
checker; that a checker agrees where it used to be wrong is nothing to complain of.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from verifierbench.core import CaseKind, Decision, Reason, Verdict

from ..subject import Subject
from .claims import asked_too, disagreeing, unexplained, upstream_right, upstream_says, upstream_silent
from .edits import copied, dropped, each_source_record, failing, kept, named, of_kind, passing, relabelled, shuffled
from .plant import Plant, control, defect, odd
from .pointers import put

_flaw = partial(defect, "agreement")
_fine = partial(control, "agreement")
_odd = partial(odd, "agreement")

_PASS, _FAIL = Decision(verdict=Verdict.PASS), Decision(verdict=Verdict.FAIL)
_CRASHED = Decision(reason=Reason.EXCEPTION, detail="KeyError: 'tempo'")
_CALL = "/turns/0/calls/0/arguments"


def _records_backwards(subject: Subject) -> Subject:
    return replace(subject, source_records=tuple(reversed(subject.source_records)))


_FLAWS = (
    _flaw(
        "bfcl/multiple_24",
        "gold_rejected",
        "The upstream checker rejects its own gold.",
        upstream_says("gold.0", _FAIL),
        at="gold.0",
    ),
    _flaw(
        "bfcl/multiple_74",
        "wrong_letter_accepted",
        "The upstream checker accepts a text with a letter wrong, which is none of those that it deletes.",
        upstream_says("one_letter.0", _PASS),
        at="one_letter.0",
    ),
    _flaw(
        "bfcl/irrelevance_67",
        "call_accepted_where_none_is_wanted",
        "The upstream checker accepts a call where none is wanted.",
        upstream_says("tempted.0", _PASS),
        at="tempted.0",
    ),
    _flaw(
        "bfcl/simple_python_94",
        "wrong_number_accepted",
        "The upstream checker accepts a number that is off by one, though its trouble is with how numbers are written.",
        upstream_says("number_off_by_one.0", _PASS),
        at="number_off_by_one.0",
    ),
    _flaw(
        "bfcl/multiple_20",
        "default_rejected",
        "The upstream checker rejects a default that is stated, which the ledger knows of another task alone.",
        upstream_says("default_stated.0", _FAIL),
        at="default_stated.0",
    ),
    _flaw(
        "bfcl/live_simple_95-56-0",
        "nothing_accepted",
        "The upstream checker accepts an answer without calls in a task where it has three other defects.",
        upstream_says("nothing.0", _PASS),
        at="nothing.0",
    ),
    _flaw(
        "bfcl/parallel_multiple_172",
        "one_of_ninety_not_asked",
        "The upstream checker was not asked about one case of ninety.",
        upstream_silent(named("spacing.2")),
        at="spacing.2",
    ),
    _flaw(
        "bfcl/live_simple_101-60-0",
        "successes_not_asked",
        "The upstream checker was asked about failures alone.",
        upstream_silent(passing),
    ),
    _flaw(
        "bfcl/simple_python_296",
        "crashed_on_one",
        "The upstream checker crashed on one case and gave no verdict.",
        upstream_says("argument_dropped.0", _CRASHED),
        at="argument_dropped.0",
    ),
    _flaw(
        "bfcl/irrelevance_72",
        "never_came_back",
        "The upstream checker ran out of time on every case.",
        each_source_record(lambda r: replace(r, decision=Decision(reason=Reason.TIMEOUT))),
    ),
    _flaw(
        "bfcl/live_simple_190-115-0",
        "valid_called_wrong",
        "A rewording is labelled FAIL, and the upstream checker rightly accepts it.",
        relabelled("wording.0", CaseKind.NEAR_MISS),
        at="wording.0",
    ),
    _flaw(
        "bfcl/live_multiple_883-184-0",
        "wrong_called_valid",
        "A case with a letter wrong is labelled PASS, and the upstream checker rightly rejects it.",
        relabelled("one_letter.0", CaseKind.COSMETIC),
        at="one_letter.0",
    ),
    _flaw(
        "bfcl/parallel_140",
        "no_ledger",
        "The source has no ledger, and the checker rejects four valid cases.",
        unexplained(),
    ),
    _flaw(
        "bfcl/simple_python_385",
        "entry_lost",
        "Of a ledger that explains seven disagreements one entry is lost.",
        unexplained(lambda _, defect: defect == "D2"),
        at="text_truncated.0",
    ),
    _flaw(
        "bfcl/parallel_multiple_156",
        "explained_of_its_siblings",
        "The ledger explains every disagreement but one of several alike.",
        unexplained(lambda case, _: case.id.endswith("#integral_number.2")),
        at="integral_number.2",
    ),
    _flaw(
        "bfcl/parallel_multiple_187",
        "case_added_unasked",
        "A case was added after the upstream checker had run.",
        copied("gold.0", CaseKind.COSMETIC, put("/turns/0/message", "There you are.")),
        at="planted.0",
    ),
)

_CONTROLS = (
    _fine("bfcl/parallel_197", "tool_call_in_another_order", "Cases and records stand in another order.", shuffled),
    _fine(
        "bfcl/parallel_73",
        "records_in_another_order",
        "Upstream's records stand the other way round.",
        _records_backwards,
    ),
    _fine(
        "bfcl/live_multiple_420-141-9",
        "without_attacks",
        "The attacks are left out, with upstream's records of them.",
        dropped(lambda case: case.kind.is_attack),
    ),
    _fine("glasshouse", "nobody_to_ask", "A source without a checker; its cases stand in another order.", shuffled),
    _fine(
        "borrow_planer", "nobody_to_ask_of_an_errand", "An errand without a checker, without failures.", kept(passing)
    ),
    _odd(
        "duedate",
        "nobody_to_ask_of_a_patch",
        "A patch without a checker, with a label turned, of which upstream has nothing to say.",
        relabelled("months_only.0", CaseKind.ALTERNATIVE),
    ),
    _odd(
        "bfcl/simple_python_94",
        "mended_upstream",
        "The upstream checker decides every case as it is labelled, also where it used to be wrong.",
        upstream_right,
    ),
    _odd(
        "bfcl/multiple_24",
        "no_ledger_needed",
        "The source has no ledger, and the checker is right on every case.",
        unexplained(),
    ),
    _odd(
        "bfcl/parallel_multiple_156",
        "wrong_on_every_case",
        "Only cases stay that the upstream checker gets wrong, all of them for reasons in the ledger.",
        disagreeing,
    ),
    _odd(
        "bfcl/simple_python_385",
        "wrong_for_one_reason_less",
        "The upstream checker is right on a case that it used to get wrong, and wrong on the others.",
        upstream_says("integral_number.0", _PASS),
    ),
    _odd(
        "bfcl/live_multiple_515-150-3",
        "wrong_way_of_acceptance",
        "Only what the checker accepts wrongly stays, beside gold: punctuation deleted and half a name.",
        kept(named("gold.0", "over_normalised.0", "text_truncated.1")),
    ),
    _odd(
        "bfcl/multiple_20",
        "another_number_rejected",
        "Another valid case writes a number with a point, and the checker rejects it for the known reason.",
        copied("gold.0", CaseKind.ALTERNATIVE, put(f"{_CALL}/size", 3.0)),
        asked_too("planted.0", Verdict.FAIL),
    ),
    _odd(
        "bfcl/irrelevance_67",
        "right_about_nothing",
        "Calling nothing is right, and the checker agrees on the cases that call something; gold is all that passes.",
        kept(of_kind(CaseKind.GOLD), failing),
    ),
    _odd(
        "bfcl/live_simple_212-117-4",
        "wordy_records",
        "Upstream's decisions say how long they took, and something besides.",
        each_source_record(
            lambda r: replace(
                r, decision=replace(r.decision, detail="ValueError: no", cpu_seconds=3.5, wall_seconds=4.0)
            )
        ),
    ),
)

PLANTS: tuple[Plant, ...] = (*_FLAWS, *_CONTROLS)
