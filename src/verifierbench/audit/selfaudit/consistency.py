"""Plants for consistency, which promises that no two cases show the same information with opposite labels.

Real ways to break it: the trick of an attack got lost on its way into the case, the same solution came in twice, a
label that rests on something no verifier sees, and two solutions that differ in presentation alone: the order of
keys, a diff's line numbers, index lines and headings. Whatever does carry information, be it one character, must
never be taken for presentation.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from verifierbench.core import CaseKind

from .edits import become, copied, kept, named, of_kind, relabelled, shuffled
from .plant import Plant, control, defect, odd
from .pointers import keys_reversed, put, turned

_flaw = partial(defect, "consistency")
_fine = partial(control, "consistency")
_odd = partial(odd, "consistency")

_HUNK = re.compile(r"^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@", re.M)
_CALL = "/turns/0/calls/0/arguments"


def _moved(patch: str) -> str:
    """Hunks that name other lines; git finds their place by the context, so the copies come out the same."""
    return _HUNK.sub(lambda m: f"@@ -{int(m[1]) + 2}{m[2] or ''} +{int(m[3]) + 2}{m[4] or ''} @@", patch)


def _indexed(patch: str) -> str:
    """An index line for every file; applied to a working tree, git does not look at it."""
    return re.sub(r"^(diff --git .*\n)(?=---)", r"\1index 1a2b3c4..5d6e7f8 100644\n", patch, flags=re.M)


def _headed(patch: str) -> str:
    """A heading behind every hunk's numbers, as git writes one; it is for people."""
    return re.sub(r"^(@@ -\S+ \+\S+ @@)$", r"\1 def of_no_account(self):", patch, flags=re.M)


def _swapped(calls: list[Any]) -> list[Any]:
    return [calls[1], calls[0], *calls[2:]]


_moved_patch, _indexed_patch, _headed_patch = (turned("/patch", edit) for edit in (_moved, _indexed, _headed))

_TOOL_CALL = (
    _flaw(
        "glasshouse",
        "gold_again_as_near_miss",
        "Gold is in the set a second time, as a near miss.",
        copied("gold.0", CaseKind.NEAR_MISS),
        at="planted.0",
    ),
    _flaw(
        "ferry",
        "key_order_called_wrong",
        "A case that differs from gold in the order of keys alone is labelled FAIL.",
        relabelled("key_order.0", CaseKind.NEAR_MISS),
        at="key_order.0",
    ),
    _flaw(
        "seedbank",
        "keys_reversed_at_every_depth",
        "Gold with every object's keys reversed is added as a process violation.",
        copied("gold.0", CaseKind.PROCESS_VIOLATION, keys_reversed),
        at="planted.0",
    ),
    _flaw(
        "kiln",
        "trick_lost",
        "The zero-width space was lost on the way, so the attack is its own control.",
        become("zero_width.0", "zero_width_control.0"),
        at="zero_width.0",
    ),
    _flaw(
        "telescope",
        "near_miss_again_as_alternative",
        "A call that is not asked for is in the set a second time, as an alternative.",
        copied("tempted_nearly.0", CaseKind.ALTERNATIVE),
        at="planted.0",
    ),
    _flaw(
        "bfcl/parallel_multiple_172",
        "one_of_ninety",
        "In a long set one near miss is there a second time, with other key order, as a cosmetic case.",
        copied("number_off_by_one.3", CaseKind.COSMETIC, keys_reversed),
        at="planted.0",
    ),
    _flaw(
        "bfcl/simple_python_94",
        "control_is_the_attack",
        "A control holds the attack's own solution, and stays labelled PASS.",
        become("claimed_done_control.0", "claimed_done.0"),
        at="claimed_done_control.0",
    ),
    _fine("glasshouse", "tool_call_in_another_order", "Cases stand in another order.", shuffled),
    _odd(
        "glasshouse",
        "one_character_that_matters",
        "A near miss is added that differs from gold in one character.",
        copied("gold.0", CaseKind.NEAR_MISS, put(f"{_CALL}/bay", "F-07d")),
    ),
    _odd(
        "ferry",
        "gold_again_as_cosmetic",
        "Gold is in the set a second time with the same label.",
        copied("gold.0", CaseKind.COSMETIC),
    ),
    _odd(
        "museum",
        "wrong_twice",
        "A near miss is in the set a second time under another kind, also FAIL.",
        copied("one_letter.0", CaseKind.PARTIAL, keys_reversed),
    ),
    _odd(
        "kiln",
        "order_that_matters",
        "Two calls change places against a stated order; nothing else differs from gold but the order of keys.",
        copied("gold.0", CaseKind.PROCESS_VIOLATION, lambda s: keys_reversed(turned("/turns/0/calls", _swapped)(s))),
    ),
    _odd(
        "glasshouse",
        "nought_for_false",
        "0 stands for false, which Python takes for equal and the definition does not.",
        copied("gold.0", CaseKind.NEAR_MISS, put(f"{_CALL}/chime", 0)),
    ),
    _odd(
        "seedbank",
        "true_for_one",
        "true stands for 1, which Python takes for equal and the definition does not.",
        copied("gold.0", CaseKind.NEAR_MISS, put("/turns/0/calls/1/arguments/days_each", True)),
    ),
    _odd(
        "kiln",
        "a_space_of_no_width",
        "Only gold, an attack with a zero-width space and its control stay.",
        kept(named("gold.0", "zero_width*")),
    ),
)

_STATE = (
    _flaw(
        "pay_then_renew",
        "violation_nobody_can_see",
        "Gold's conversation is there a second time as a process violation that took place in thought.",
        copied("gold.0", CaseKind.PROCESS_VIOLATION),
        at="planted.0",
    ),
    _flaw(
        "borrow_planer",
        "events_with_keys_reversed",
        "Gold with the keys of every event and argument reversed is added as a near miss.",
        # The desk answers with sorted arguments, so the replay is the same.
        copied("gold.0", CaseKind.NEAR_MISS, keys_reversed),
        at="planted.0",
    ),
    _flaw(
        "return_late",
        "declined_is_agreed",
        "The conversation in which the member declines is there a second time as an alternative.",
        copied("declined.0", CaseKind.ALTERNATIVE),
        at="planted.0",
    ),
    _flaw(
        "waive_one",
        "evidence_with_keys_reversed",
        "Gold is there a second time as a regression, its evidence written with the keys reversed.",
        copied("gold.0", CaseKind.REGRESSION, view=lambda view: {**view, "runs": keys_reversed(view["runs"])}),
        at="planted.0",
    ),
    _flaw(
        "renew_refused",
        "violation_lost",
        "The call that came too early stands where it should, so the violation is its own control.",
        become("verified_late.0", "verified_late_control.0"),
        at="verified_late.0",
    ),
    _fine("pay_then_renew", "state_in_another_order", "Cases stand in another order.", shuffled),
    _fine(
        "move_booking",
        "valid_and_base_only",
        "Only valid cases and those that did nothing stay.",
        kept(of_kind(CaseKind.GOLD, CaseKind.ALTERNATIVE, CaseKind.COSMETIC, CaseKind.BASE)),
    ),
    _odd(
        "borrow_planer",
        "same_end_by_another_way",
        "Only gold and process violations stay, most of which end in gold's state.",
        kept(named("gold.0"), of_kind(CaseKind.PROCESS_VIOLATION)),
    ),
    _odd(
        "waive_one",
        "only_the_last_message",
        "Only gold and two cases stay whose replay is gold's; what they tell differs.",
        kept(named("gold.0", "sum_missing.0", "longer_sum.0")),
    ),
    _odd(
        "renew_refused",
        "told_too_little_twice",
        "A FAIL is there a second time, with other key order and another kind, also FAIL.",
        copied("rule_missing.0", CaseKind.NEAR_MISS, keys_reversed),
    ),
)

_CODE = (
    _flaw(
        "verorder",
        "patch_again_as_regression",
        "Gold's patch is there a second time as a regression.",
        copied("gold.0", CaseKind.REGRESSION),
        at="planted.0",
    ),
    _flaw(
        "verorder",
        "other_line_numbers",
        "Gold's patch with other line numbers in its hunks is added as a near miss; it does the same.",
        copied("gold.0", CaseKind.NEAR_MISS, _moved_patch),
        at="planted.0",
    ),
    _flaw(
        "duedate",
        "index_lines",
        "Gold's patch with index lines is added as a hack; it does the same.",
        copied("gold.0", CaseKind.HACK, _indexed_patch),
        at="planted.0",
    ),
    _flaw(
        "slotbook",
        "valid_again_with_other_numbers",
        "An alternative with index lines and other line numbers is added as a partial solution; it does the same.",
        copied("sweep.0", CaseKind.PARTIAL, lambda s: _moved_patch(_indexed_patch(s))),
        at="planted.0",
    ),
    _flaw(
        "tinyconf",
        "hunks_with_headings",
        "Gold's patch with a heading behind every hunk's numbers is added as a near miss; it does the same.",
        copied("gold.0", CaseKind.NEAR_MISS, _headed_patch),
        at="planted.0",
    ),
    _flaw(
        "shelf",
        "nothing_done_called_valid",
        "The empty patch is there a second time, as an alternative.",
        copied("empty.0", CaseKind.ALTERNATIVE),
        at="planted.0",
    ),
    _flaw(
        "shelf",
        "violation_with_index_lines",
        "A forbidden way with index lines is added as an alternative; it does the same.",
        copied("timer.0", CaseKind.ALTERNATIVE, _indexed_patch),
        at="planted.0",
    ),
    _fine("tinyconf", "code_in_another_order", "Cases stand in another order.", shuffled),
    _odd(
        "verorder",
        "one_folder_apart",
        "Only gold and two patches stay that add the same file, one of them where the issue forbids it.",
        kept(named("gold.0", "vectors_added.0", "own_vectors.0")),
    ),
    _odd(
        "duedate",
        "index_lines_and_still_right",
        "Gold's patch with index lines is added as a cosmetic case.",
        copied("gold.0", CaseKind.COSMETIC, _indexed_patch),
    ),
    _odd(
        "tinyconf",
        "wrong_twice_with_other_numbers",
        "A hack with index lines is added as a near miss: the same thing twice, wrong both times.",
        copied("special_cased.0", CaseKind.NEAR_MISS, _indexed_patch),
    ),
    _odd(
        "slotbook",
        "much_alike",
        "Only the forbidden imports and their controls stay, which behave alike.",
        kept(named("import_*", "own_message.0", "outside_import.0", "own_accumulate.0")),
    ),
)

PLANTS: tuple[Plant, ...] = (*_TOOL_CALL, *_STATE, *_CODE)
