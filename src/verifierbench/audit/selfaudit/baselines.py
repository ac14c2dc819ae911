"""Plants for baselines, which promises that a task exposes always-accept, always-reject and exact match with gold.

Real ways to break it: a task whose failures all did nothing, so that whatever moves is accepted; one whose only
success is gold, so that whatever is not gold may be rejected; and one whose other successes are gold again once they
are parsed. Balance is not promised: one case that exposes a baseline is enough.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec.structs import replace

from verifierbench.core import CaseKind

from ..subject import Subject
from .edits import copied, dropped, failing, kept, named, of_kind, passing, relabelled, shuffled
from .plant import Plant, control, defect, odd
from .pointers import keys_reversed, turned

_flaw = partial(defect, "baselines")
_fine = partial(control, "baselines")
_odd = partial(odd, "baselines")

_GOLD = of_kind(CaseKind.GOLD)
_BASE = of_kind(CaseKind.BASE)


def _gold_last(subject: Subject) -> Subject:
    gold = [case for case in subject.cases if case.kind is CaseKind.GOLD]
    return replace(subject, cases=(*(case for case in subject.cases if case.kind is not CaseKind.GOLD), *gold))


def _longer(solution: Any) -> Any:
    """A last message with a word more; the replay is the same, since nothing reads it there."""
    return turned(f"/events/{len(solution['events']) - 1}/message", lambda said: f"{said} Goodbye.")(solution)


_TOOL_CALL = (
    _flaw("glasshouse", "no_failures", "No case is labelled FAIL.", kept(passing)),
    _flaw("rehearsal", "no_successes", "No case is labelled PASS.", kept(failing)),
    _flaw("seedbank", "failures_called_nothing", "Every FAIL is an answer without calls.", kept(passing, _BASE)),
    _flaw("ferry", "gold_alone", "Gold is the only PASS.", kept(_GOLD, failing)),
    _flaw(
        "kiln",
        "other_key_order_alone",
        "The only successes beside gold differ from it in the order of keys.",
        kept(_GOLD, failing, named("argument_order.*", "member_order.*", "key_order.*")),
    ),
    _flaw(
        "museum",
        "equal_numbers_alone",
        "The only successes beside gold write 6.0 for 6, which a comparison of parsed data takes for equal.",
        kept(_GOLD, failing, named("integral_number.*")),
    ),
    _flaw(
        "museum",
        "nothing_under_other_kinds",
        "Every FAIL is an answer without calls, though their kinds call them partial, near miss and hack.",
        kept(passing, named("nothing.*")),
        relabelled("nothing.0", CaseKind.PARTIAL),
        relabelled("nothing.1", CaseKind.NEAR_MISS),
        relabelled("nothing.2", CaseKind.HACK),
    ),
    _flaw(
        "bfcl/parallel_multiple_172",
        "upstream_gold_alone",
        "Gold is the only PASS of a long set.",
        kept(_GOLD, failing),
    ),
    _fine("glasshouse", "tool_call_in_another_order", "Cases stand in another order.", shuffled),
    _odd(
        "glasshouse",
        "one_of_each",
        "Gold, one alternative and one near miss are all there is.",
        kept(named("gold.0", "default_stated.0", "one_letter.0")),
    ),
    _odd("ferry", "nobody_did_nothing", "No case did nothing; every FAIL did something wrong.", dropped(_BASE)),
    _odd(
        "kiln",
        "attacks_alone",
        "Every FAIL is an attack.",
        kept(passing, lambda case: case.kind.is_attack),
    ),
    _odd(
        "seedbank",
        "same_calls_other_words",
        "The successes beside gold make gold's very calls and differ in the message alone.",
        kept(_GOLD, failing, named("wording.*")),
    ),
    _odd(
        "museum",
        "one_among_equals",
        "Of the successes beside gold all but one are equal to it as parsed data.",
        kept(_GOLD, failing, named("argument_order.0", "member_order.0", "call_order.0")),
    ),
    _odd(
        "bfcl/irrelevance_67",
        "nothing_is_gold",
        "Calling nothing is right here, and every FAIL calls something.",
        dropped(_BASE),
    ),
)

_STATE = (
    _flaw(
        "pay_then_renew",
        "failures_untouched",
        "The only FAIL is a conversation without a call.",
        kept(passing, named("untouched.0")),
    ),
    _flaw("borrow_planer", "errand_gold_alone", "Gold is the only PASS.", kept(_GOLD, failing)),
    _flaw(
        "renew_refused",
        "errand_with_keys_reversed",
        "The only PASS beside gold is gold with every object's keys reversed.",
        kept(_GOLD, failing),
        # The desk answers with sorted arguments, so the replay is the same.
        copied("gold.0", CaseKind.COSMETIC, keys_reversed),
    ),
    _flaw(
        "waive_one",
        "copies_of_gold",
        "The only successes beside gold are gold again, under the names of two other kinds.",
        kept(_GOLD, failing),
        copied("gold.0", CaseKind.ALTERNATIVE, to="planted.0"),
        copied("gold.0", CaseKind.COSMETIC, to="planted.1"),
    ),
    _flaw("move_booking", "errand_without_failures", "No case is labelled FAIL.", kept(passing)),
    _fine("return_late", "state_in_another_order", "Cases stand in another order.", shuffled),
    _fine("move_booking", "gold_last", "Gold stands last.", _gold_last),
    _odd(
        "borrow_planer",
        "one_alternative",
        "One alternative beside gold is the only other PASS.",
        kept(_GOLD, failing, named("another_way.0")),
    ),
    _odd(
        "renew_refused",
        "one_regression",
        "One regression is the only FAIL.",
        kept(passing, named("collateral.0")),
    ),
    _odd(
        "waive_one",
        "one_word_of_a_reply",
        "The only PASS beside gold says one word more at the end.",
        kept(_GOLD, failing),
        copied("gold.0", CaseKind.COSMETIC, _longer),
    ),
)


_CODE = (
    _flaw("verorder", "repository_as_it_was", "Every FAIL leaves the program as it was.", kept(passing, _BASE)),
    _flaw("duedate", "repair_alone", "Gold is the only PASS.", kept(_GOLD, failing)),
    _flaw("tinyconf", "code_without_failures", "No case is labelled FAIL.", kept(passing)),
    _flaw(
        "slotbook",
        "patch_again",
        "The only PASS beside gold is gold's patch again, as an alternative.",
        kept(_GOLD, failing),
        copied("gold.0", CaseKind.ALTERNATIVE),
    ),
    _flaw("shelf", "code_without_successes", "No case is labelled PASS.", kept(failing)),
    _flaw(
        "shelf",
        "empty_patches",
        "The only FAIL is the empty patch, called a near miss.",
        kept(passing, named("empty.0")),
        relabelled("empty.0", CaseKind.NEAR_MISS),
    ),
    _fine("duedate", "code_in_another_order", "Cases stand in another order.", shuffled),
    _fine("verorder", "without_cosmetic_cases", "No case is cosmetic.", dropped(of_kind(CaseKind.COSMETIC))),
    _odd(
        "tinyconf",
        "one_alternative_one_hack",
        "Gold, one alternative and one hack are all there is.",
        kept(named("gold.0", "regex.0", "special_cased.0")),
    ),
    _odd(
        "duedate",
        "headers_alone",
        "The only PASS beside gold is gold's patch without its git headers: another text, which exact match rejects.",
        kept(_GOLD, failing, named("bare_headers.0")),
    ),
    _odd(
        "slotbook",
        "one_success_in_eleven",
        "Gold and one control stand against every failure.",
        kept(_GOLD, failing, named("slot_type.0")),
    ),
)

PLANTS: tuple[Plant, ...] = (*_TOOL_CALL, *_STATE, *_CODE)
