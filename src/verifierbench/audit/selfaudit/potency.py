"""Plants for potency, which promises that cases bite on both sides.

An attack is accepted by a lax rung that tells right from wrong on the other cases, and has a valid control on the same
surface; at least five successes differ from gold as data and are rejected by an over-strict rung that accepts gold, at
least two of them alternatives, unless the reference wants no call at all. Real ways to break it: an attack that got so
clumsy that it fools nobody, a control that was lost or belongs to something else, rewritings that are gold again once
they are parsed, a ladder whose rungs accept or reject everything. How many there are beyond that is free.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec.structs import replace

from verifierbench.core import CaseKind

from ..ladder import Rung, Side
from ..subject import Subject
from .claims import both, controlling, laddered, other
from .edits import (
    become,
    case_id,
    copied,
    dropped,
    failing,
    kept,
    named,
    of_kind,
    refrozen,
    relabelled,
    rewritten,
    shuffled,
)
from .plant import Change, Plant, control, defect, odd
from .pointers import keys_reversed, put, turned

_flaw = partial(defect, "potency")
_fine = partial(control, "potency")
_odd = partial(odd, "potency")

_GOLD = of_kind(CaseKind.GOLD)
_ATTACKS = of_kind(CaseKind.HACK, CaseKind.PROCESS_VIOLATION)


def _positives(*names: str) -> Change:
    """Of the successes beside gold only these stay, and of the attacks those that they control."""

    def change(subject: Subject) -> Subject:
        wanted = named(*names)
        held = {case.control_of for case in subject.cases if wanted(case)}
        harmless = both(failing, other(_ATTACKS))
        return kept(_GOLD, wanted, harmless, lambda case: case.id in held)(subject)

    return change


def _gibberish(_: Any) -> Any:
    """Two calls of a tool that does not exist, and not a word."""
    call: dict[str, Any] = {"name": "???", "arguments": {}}
    return {"turns": [{"calls": [call, call], "message": None, "answer": None}]}


def _rung(side: Side, name: str, verdict: str) -> Rung:
    return Rung(name=name, side=side, source=f'def verify(solution, env):\n    return "{verdict}"\n')


_YES = _rung(Side.LAX, "yes", "PASS")
_NO = _rung(Side.STRICT, "no", "FAIL")
_CONTRARY = Rung(
    name="contrary",
    side=Side.LAX,
    source="""\
def verify(solution, env):
    return "FAIL" if any(turn["calls"] for turn in solution["turns"]) else "PASS"
""",
)
"""Accepts whatever calls nothing."""


def _rungs(*names: str) -> Change:
    """Of the lax rungs only these stay."""
    return laddered(lambda rungs: tuple(rung for rung in rungs if rung.side is Side.STRICT or rung.name in names))


def _strict(*names: str) -> Change:
    """Of the over-strict rungs only these stay."""
    return laddered(lambda rungs: tuple(rung for rung in rungs if rung.side is Side.LAX or rung.name in names))


def _lax_are(*others: Rung) -> Change:
    return laddered(lambda rungs: (*others, *(rung for rung in rungs if rung.side is Side.STRICT)))


def _strict_are(*others: Rung) -> Change:
    return laddered(lambda rungs: (*(rung for rung in rungs if rung.side is Side.LAX), *others))


def _besides(*others: Rung) -> Change:
    return laddered(lambda rungs: (*others, *rungs))


def _climbed_backwards(subject: Subject) -> Subject:
    return laddered(lambda rungs: tuple(reversed(rungs)))(subject)


def _also_controls(name: str, attack: str) -> Change:
    """A success that controls nothing so far becomes a second control."""
    return controlling(name, attack)


def _second_attack(name: str, attack: str) -> Change:
    """An attack more, with the solution of another and under its kind, and no control of its own."""

    def change(subject: Subject) -> Subject:
        known = case_id(subject, attack)
        kind = next(case.kind for case in subject.cases if case.id == known)
        return copied(attack, kind, keys_reversed, to=name)(subject)

    return change


_TOOL_CALL = (
    _flaw(
        "glasshouse",
        "attack_is_gibberish",
        "An attack calls a tool twice that does not exist and says nothing, for which no rung falls that is left.",
        laddered(lambda rungs: tuple(rung for rung in rungs if rung.name != "sounds_right")),
        rewritten("claimed_done.0", _gibberish),
        refrozen,
        at="claimed_done.0",
    ),
    _flaw(
        "glasshouse",
        "control_lost",
        "The control of an attack is gone.",
        dropped(named("empty_phrase_control.0")),
        at="empty_phrase.0",
    ),
    _flaw(
        "ferry",
        "control_of_another",
        "The control of an attack names another attack, which has one already.",
        controlling("padded_list_control.0", "look_alike.0"),
        at="padded_list.0",
    ),
    _flaw(
        "kiln",
        "control_fails",
        "The control of an attack is labelled FAIL itself.",
        relabelled("zero_width_control.0", CaseKind.NEAR_MISS),
    ),
    _flaw(
        "glasshouse",
        "four_positives",
        "Four successes beside gold are left, two of them alternatives.",
        _positives("default_stated.0", "default_stated.1", "claimed_done_control.0", "second_turn_control.0"),
    ),
    _flaw(
        "kiln",
        "one_alternative",
        "Many cosmetic successes are left and one alternative.",
        dropped(both(of_kind(CaseKind.ALTERNATIVE), other(named("default_stated.0")))),
    ),
    _flaw(
        "glasshouse",
        "gold_in_other_bytes",
        "Of eight successes beside gold four are gold with its keys in another order.",
        _positives(
            "default_stated.0",
            "default_stated.1",
            "claimed_done_control.0",
            "second_turn_control.0",
            "argument_order.0",
            "member_order.0",
        ),
        copied("gold.0", CaseKind.ALTERNATIVE, keys_reversed, to="planted.0"),
        copied("gold.0", CaseKind.COSMETIC, turned("/turns/0", keys_reversed), to="planted.1"),
    ),
    _flaw(
        "bfcl/multiple_20",
        "ladder_accepts_everything",
        "The only lax rung accepts everything, and so tells nothing from anything.",
        _lax_are(_YES),
    ),
    _flaw(
        "glasshouse",
        "ladder_accepts_the_wrong_ones",
        "The only lax rung accepts what calls nothing: some attacks, and no success.",
        _lax_are(_CONTRARY),
    ),
    _flaw(
        "bfcl/multiple_20",
        "ladder_rejects_gold_too",
        "The only over-strict rung rejects everything, gold included.",
        _strict_are(_NO),
    ),
    _flaw(
        "glasshouse",
        "strict_on_words_alone",
        "The only over-strict rung looks at the message, so that one alternative alone is rejected.",
        _strict("silent"),
    ),
    _flaw(
        "telescope",
        "refusals_thinned_out",
        "Where no call is wanted three successes beside gold are left.",
        _positives("wording.0", "wording.1", "everything_called_control.0"),
    ),
    _fine("glasshouse", "tool_call_in_another_order", "Cases stand in another order.", shuffled),
    _fine("ferry", "ladder_in_another_order", "The ladder is climbed from its other end.", _climbed_backwards),
    _odd(
        "glasshouse",
        "just_enough",
        "Five successes beside gold are left, two of them alternatives.",
        _positives(
            "default_stated.0", "default_stated.1", "claimed_done_control.0", "second_turn_control.0", "wording.0"
        ),
    ),
    _odd(
        "kiln",
        "two_controls",
        "A rewording is a second control of an attack.",
        _also_controls("wording.0", "fabricated_result.0"),
    ),
    _odd(
        "glasshouse",
        "one_rung_falls_for_it",
        "Of the lax rungs two are left, and each attack is accepted by one of them at least.",
        _rungs("found_anywhere", "any_reply"),
    ),
    _odd(
        "telescope",
        "no_alternatives_where_nothing_is_called",
        "Where no call is wanted every success is cosmetic.",
        dropped(of_kind(CaseKind.ALTERNATIVE)),
        shuffled,
    ),
    _odd(
        "bfcl/multiple_20",
        "nobody_attacks",
        "There is no attack at all, and what controlled them are successes like others.",
        dropped(_ATTACKS),
        lambda subject: replace(subject, cases=tuple(replace(case, control_of=None) for case in subject.cases)),
    ),
    _odd(
        "bfcl/multiple_20",
        "useless_rungs_besides",
        "Beside the ladder stand a rung that accepts everything and one that rejects everything.",
        _besides(_YES, _NO),
    ),
    _odd(
        "ferry",
        "gold_again_besides",
        "Beside enough successes gold is there again with its keys in another order.",
        copied("gold.0", CaseKind.COSMETIC, keys_reversed),
    ),
    _odd(
        "glasshouse",
        "clumsy_near_miss",
        "What fools no rung is a near miss, of which nobody asks that it does.",
        copied("gold.0", CaseKind.NEAR_MISS, _gibberish),
    ),
)

_STATE = (
    _flaw(
        "borrow_planer",
        "attack_did_nothing",
        "An attack holds the conversation that came to nothing, for which no rung falls.",
        become("claimed.0", "untouched.0"),
        at="claimed.0",
    ),
    _flaw(
        "renew_refused",
        "violation_without_a_control",
        "The control of a process violation is gone.",
        dropped(named("exception_control.0")),
        at="exception.0",
    ),
    _flaw(
        "borrow_planer",
        "control_named_nothing",
        "The control of an attack says no longer whose it is.",
        controlling("namesake_control.0", None),
        at="namesake.0",
    ),
    _flaw(
        "renew_refused",
        "one_other_way",
        "All cosmetic successes are left and one alternative.",
        _positives("reworded.*", "polite.0", "lower_case.0", "split_message.0", "exception_control.0"),
    ),
    _flaw(
        "borrow_planer",
        "four_errands",
        "Four successes beside gold are left, three of them alternatives.",
        _positives("reworded.0", "another_way.0", "unasked_control.0", "strange_account_control.0"),
    ),
    _flaw(
        "renew_refused",
        "violation_without_a_control_of_its_own",
        "A process violation is there a second time, with its keys in another order and no control.",
        _second_attack("planted.0", "exception.0"),
        at="planted.0",
    ),
    _fine("renew_refused", "state_in_another_order", "Cases stand in another order.", shuffled),
    _odd(
        "borrow_planer",
        "errands_just_enough",
        "Five successes beside gold are left, two of them alternatives, each a control.",
        _positives("reworded.0", "reworded.1", "polite.0", "unasked_control.0", "strange_account_control.0"),
    ),
    _odd(
        "renew_refused",
        "three_controls",
        "Two alternatives more control the same violation.",
        _also_controls("extra_call.0", "exception.0"),
        _also_controls("reordered.0", "exception.0"),
    ),
    _odd(
        "borrow_planer",
        "one_strict_rung",
        "The only over-strict rung wants gold's very conversation.",
        _strict("exact_solution"),
    ),
)

_CODE = (
    _flaw(
        "duedate",
        "attack_is_no_patch",
        "An attack holds a text that is no patch, for which no rung falls.",
        become("silenced_tests.0", "unappliable.0"),
        rewritten("silenced_tests.0", put("/patch", "All tests pass now.\n")),
        refrozen,
        at="silenced_tests.0",
    ),
    _flaw(
        "tinyconf",
        "forbidden_way_without_a_control",
        "The alternative is gone that does without what the issue forbids.",
        dropped(named("own_unescape.0")),
        at="literal_eval.0",
    ),
    _flaw(
        "tinyconf",
        "control_moved",
        "The control of one attack names another, which has one already.",
        controlling("early_exit.0", "literal_eval.0"),
        at="special_cased.0",
    ),
    _flaw(
        "duedate",
        "four_patches",
        "Four successes beside gold are left, three of them alternatives.",
        _positives("bare_headers.0", "anchor_day.0", "rule_method.0", "calendar_module.0"),
    ),
    _flaw(
        "tinyconf",
        "one_other_repair",
        "Three cosmetic successes are left, and one alternative of which there must be two.",
        _positives("reversed_files.0", "renamed_locals.0", "comments.0", "regex.0"),
    ),
    _fine("duedate", "code_in_another_order", "Cases stand in another order.", shuffled),
    _fine(
        "tinyconf",
        "without_cosmetic_cases",
        "The cosmetic cases are gone, and the attack that one of them controlled.",
        dropped(of_kind(CaseKind.COSMETIC), named("keyword_comment.0")),
    ),
    _odd(
        "duedate",
        "patches_just_enough",
        "Five successes beside gold are left, two of them alternatives.",
        _positives("bare_headers.0", "renamed_locals.0", "comments.0", "test_helper.0", "vendor_wrapped.0"),
    ),
    _odd(
        "tinyconf",
        "two_controls_of_a_patch",
        "An alternative that controlled nothing is a second control of the forbidden way.",
        _also_controls("state_machine.0", "literal_eval.0"),
    ),
)

PLANTS: tuple[Plant, ...] = (*_TOOL_CALL, *_STATE, *_CODE)
