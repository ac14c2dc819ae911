"""Plants for mutation, which promises that no part of a reference is there for nothing.

Every named atom, dropped or weakened part by part, flips a case that cites that atom's clause; a mutant that flips
nothing is equivalent, and shown to be. Real ways to break it: the cases that would notice were never made or got lost,
they cite another clause, or the reference asks for something that no case tries. What is asked for twice, or follows
from what else is asked, is idle but no flaw.

A plant needs sound soil: of tool calls a case is added for every argument left out and every text that goes on, of
errands two cases that a lax frame and a failed verification would let through; of code the reference asks for no more
tests than its cases tell apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from verifierbench.core import Atom, Case, CaseKind, Node, OneToOne, Verdict, at, atoms

from ..subject import Subject
from .claims import (
    atom_doubled,
    both,
    cite_besides,
    cite_instead,
    cites,
    clause_renamed,
    grounded,
    other,
    replayed,
    violating,
)
from .edits import (
    atom_added,
    atom_edited,
    dropped,
    failing,
    kept,
    named,
    of_kind,
    passing,
    referenced,
    refrozen,
    shuffled,
)
from .plant import Change, Plant, control, defect, odd
from .pointers import Edit, put, turned

_flaw = partial(defect, "mutation")
_fine = partial(control, "mutation")
_odd = partial(odd, "mutation")

_ARGUMENT = re.compile(r"call(\d+)\.(\w+)")
_GOLD = of_kind(CaseKind.GOLD)


# Sound soil ---------------------------------------------------------------------------------------------------------


def _thorough(subject: Subject) -> Subject:
    """For every argument a case that leaves it out, and one whose text goes on where gold's ends."""
    gold = next(case for case in subject.cases if case.kind is CaseKind.GOLD)
    for number, (atom, content) in enumerate(_slips(gold, subject.task.reference.root)):
        edit: Edit = partial(_instead, content)
        subject = grounded("gold.0", CaseKind.NEAR_MISS, edit, atom.clause, to=f"slip.{number}")(subject)
    return refrozen(subject)


def _instead(content: Any, _: Any) -> Any:
    return content


def _slips(gold: Case, root: Node) -> Iterator[tuple[Atom, Any]]:
    for atom in atoms(root):
        found = _ARGUMENT.fullmatch(atom.name)
        if found and "at" in atom.parameters:
            call = f"/turns/0/calls/{int(found[1]) - 1}/arguments"
            given = at(gold.content, call)
            right = given.get(found[2], atom.parameters["right"].get("value"))
            if isinstance(right, str):
                yield atom, put(f"{call}/{found[2]}", f"{right} and more")(gold.content)
            if not atom.parameters["may_omit"]:
                yield atom, put(call, {key: value for key, value in given.items() if key != found[2]})(gold.content)


def _with_event(place: int, name: str, **arguments: Any) -> Edit:
    """A call more, before the event at that place, counted from the end where it is negative."""
    event = {"role": "assistant", "call": {"name": name, "arguments": arguments}}
    return turned("/events", lambda events: [*events[:place], event, *events[place:]])


def _tried(member: str) -> Change:
    """Before the member is verified, a PIN is tried that nobody told."""
    guess = _with_event(1, "verify_member", member_id=member, pin="0000")
    return replayed("gold.0", CaseKind.PROCESS_VIOLATION, guess, "identity", to="tried.0")


def _prolonged(loan: str) -> Change:
    """Somebody else's loan is renewed besides."""
    more = _with_event(-1, "renew_loan", loan_id=loan, days=7)
    return replayed("gold.0", CaseKind.REGRESSION, more, "frame", to="prolonged.0")


def _refused(subject: Subject) -> Subject:
    return refrozen(_prolonged("L-3001")(_tried("M-106")(subject)))


def _borrowed(subject: Subject) -> Subject:
    return refrozen(_prolonged("L-3001")(_tried("M-109")(subject)))


def _asks(atom: str, key: str, *names: str) -> Any:
    """Of many expectations the atom keeps these."""
    return atom_edited(atom, turned(f"/{key}", lambda many: {name: many[name] for name in names}))


def _any_exit(parameters: Any) -> Any:
    return {key: value for key, value in parameters.items() if key != "exit"}


_PHRASES, _BETWEEN = "tests.test_phrases.PhraseTest", "tests.test_series.BetweenTest.test_both_ends_included"
_DUEDATE = referenced(
    _asks("months_keep_their_day", "expected", "twenty_ninth"),
    _asks("leap_days_come_back", "expected", "between_years"),
    _asks("tests_as_they_were", "outcomes", f"{_PHRASES}.test_singular_with_number", f"{_BETWEEN}_again"),
    atom_edited("tests_tell_the_truth", _any_exit),
)
_VERORDER = referenced(
    _asks("builds_do_not_compare", "expected", "build_hash"),
    _asks("the_rest_works", "expected", "parts"),
    _asks("tests_as_they_were", "outcomes", "tests.test_choose.SatisfiesTest.test_refused"),
    atom_edited("tests_tell_the_truth", _any_exit),
)
_TINYCONF = referenced(
    _asks("quoted_text_is_kept", "expected", "escaped_quote"),
    _asks("written_text_comes_back", "expected", "written_in_list"),
    _asks("tests_as_they_were", "outcomes", "tests.test_reader.LoadsTest.test_sections_join"),
    atom_edited("tests_tell_the_truth", _any_exit),
)
_SHELF = referenced(
    _asks("lifetime_starts_anew", "expected", "set_same_value"),
    _asks("stale_entries_make_room", "expected", "stale_makes_room"),
    _asks("the_rest_works", "expected", "no_lifetime_at_all"),
    _asks("tests_as_they_were", "outcomes", "tests.test_clock.ClockTest.test_not_backwards"),
    atom_edited("tests_tell_the_truth", _any_exit),
)


# What is planted ----------------------------------------------------------------------------------------------------


def _without(argument: str) -> Any:
    """Cases labelled FAIL whose only call leaves an argument out."""
    return both(failing, lambda case: bool(_only_call(case)) and argument not in _only_call(case))


def _going_on(argument: str, text: str) -> Any:
    """Cases labelled FAIL whose only call says more than the right text."""
    return both(failing, lambda case: _longer(str(_only_call(case).get(argument, "")), text))


def _longer(said: str, text: str) -> bool:
    return text.casefold() in said.casefold() and len(said) > len(text)


def _only_call(case: Case) -> Any:
    """The arguments of a case's only call; nothing where it has more, or none."""
    calls = [call for turn in case.content["turns"] for call in turn["calls"]]
    return calls[0]["arguments"] if len(calls) == 1 else {}


def _few(case: Case) -> bool:
    """Gold, one call where none is wanted and a second turn."""
    return named("gold.0", "tempted.0", "refused_then_called.0")(case)


def _backwards(node: Node) -> Node:
    if isinstance(node, OneToOne):
        return replace(node, slots=tuple(map(_backwards, reversed(node.slots))))
    return node if isinstance(node, Atom) else replace(node, of=tuple(map(_backwards, reversed(node.of))))


def _other_kinds(subject: Subject) -> Subject:
    """Every FAIL is called partial."""
    cases = (replace(c, kind=CaseKind.PARTIAL) if c.label is Verdict.FAIL else c for c in subject.cases)
    return replace(subject, cases=tuple(cases))


def _derivative_at(value: int) -> Any:
    """Selects the call whose argument `value` is this number."""
    return {"name": "calculus.derivative", "arguments": {"value": {"right": {"policy": "number", "value": value}}}}


_TOOL_CALL = (
    _flaw(
        "glasshouse",
        "nobody_misses_the_check",
        "The cases are gone that get the temperature wrong.",
        _thorough,
        dropped(violating("call1.close_below")),
    ),
    _flaw(
        "glasshouse",
        "flips_cite_a_neighbour",
        "The cases that get the chime wrong say that the side is wrong.",
        _thorough,
        cite_instead(violating("call1.chime"), {"call1.chime": "call1.side"}),
    ),
    _flaw(
        "glasshouse",
        "grounds_swapped",
        "The cases that get the bay wrong cite the side, and the other way round.",
        _thorough,
        cite_instead(violating("call1.bay", "call1.side"), {"call1.bay": "call1.side", "call1.side": "call1.bay"}),
    ),
    _flaw(
        "glasshouse",
        "nobody_is_nearly_right",
        "The cases are gone whose minutes are off by one; all that stay are far off.",
        _thorough,
        dropped(both(violating("call1.minutes"), named("number_off_by_one.*"))),
    ),
    _flaw(
        "bfcl/multiple_20",
        "nobody_leaves_it_out",
        "The cases are gone that leave a required argument out.",
        _thorough,
        dropped(_without("material")),
    ),
    _flaw(
        "bfcl/live_simple_190-115-0",
        "nobody_goes_on",
        "The cases are gone whose identifier begins as the right one and goes on.",
        _thorough,
        dropped(_going_on("identifier", "ACHD")),
    ),
    _flaw(
        "telescope",
        "one_turn_in_every_case",
        "The only case with a second turn is gone.",
        dropped(named("refused_then_called.0")),
    ),
    _flaw(
        "bfcl/irrelevance_67",
        "second_turn_cites_calls",
        "The only case with a second turn says that there is a call too many.",
        cites("refused_then_called.0", "calls"),
    ),
    _flaw(
        "bfcl/parallel_73",
        "order_nobody_tries",
        "The reference wants the calls in gold's order, and every case that has another is gone.",
        _thorough,
        dropped(named("call_order.*", "all_freedoms.*")),
        referenced(
            atom_added(
                "order of the sentence",
                "calls",
                "before",
                turn=0,
                first=_derivative_at(5),
                then=_derivative_at(3),
            )
        ),
        refrozen,
    ),
    _fine("glasshouse", "tool_call_in_another_order", "Cases stand in another order.", _thorough, shuffled),
    _fine(
        "glasshouse",
        "one_of_several_killers_less",
        "Cases are gone beside which others get the same thing wrong.",
        _thorough,
        dropped(
            named("one_letter.0", "over_normalised.0", "bool_flipped.0", "undeclared_tool.0", "argument_dropped.*")
        ),
    ),
    _odd(
        "glasshouse",
        "grounds_cite_several_clauses",
        "Every FAIL cites the number of calls besides its own clause.",
        _thorough,
        cite_besides(failing, "calls"),
    ),
    _odd(
        "glasshouse",
        "asked_twice",
        "That there is one turn is asked for twice, so that either alone may go.",
        _thorough,
        referenced(atom_doubled("turn")),
        refrozen,
    ),
    _odd(
        "telescope",
        "asked_more_laxly_besides",
        "Beside no calls at all, at most three are asked for, which follows.",
        referenced(
            atom_added(
                "few calls",
                "calls",
                "fits",
                at="/solution/turns/0/calls",
                right={"policy": "fits", "schema": {"maxItems": 3}},
                may_omit=False,
            )
        ),
        refrozen,
    ),
    _odd(
        "bfcl/irrelevance_67",
        "three_cases",
        "Gold, one call too many and one turn too many are all there is.",
        kept(_few),
    ),
    _odd(
        "bfcl/live_simple_190-115-0",
        "nobody_uses_a_freedom",
        "Gold is the only PASS; what a laxer reference would let through is all that matters here.",
        _thorough,
        kept(_GOLD, failing),
    ),
    _odd(
        "bfcl/multiple_20",
        "written_backwards",
        "The reference's atoms stand in the opposite order.",
        _thorough,
        referenced(_backwards),
        refrozen,
    ),
    _odd(
        "bfcl/multiple_20",
        "all_failures_partial",
        "Every FAIL is called partial, whatever it did.",
        _thorough,
        _other_kinds,
    ),
)

_STATE = (
    _flaw(
        "renew_refused",
        "nobody_takes_the_shortcut",
        "The cases are gone that correct a record by hand.",
        _refused,
        dropped(violating("shortcut")),
    ),
    _flaw(
        "renew_refused",
        "one_of_two_atoms_idle",
        "Of one clause's two atoms only that on the PIN is tried, since the cases that verify too late are gone.",
        _refused,
        dropped(named("unverified.*", "verified_late.0")),
    ),
    _flaw(
        "borrow_planer",
        "one_of_two_steps_idle",
        "Nobody lends an item without having read it; that the account is read is still tried.",
        _borrowed,
        dropped(named("item_unread.0", "misread.*")),
    ),
    _flaw(
        "borrow_planer",
        "nobody_says_yes_and_no",
        "The case is gone in which the member agrees and then takes it back, so a no may be overheard.",
        _borrowed,
        dropped(named("withdrawn.0")),
    ),
    _flaw(
        "borrow_planer",
        "betrayals_cite_consent",
        "The cases that tell something private say that the member was not asked.",
        _borrowed,
        cite_instead(violating("private"), {"private": "consent"}),
    ),
    _flaw(
        "renew_refused",
        "a_ban_nobody_breaks",
        "The reference forbids to return an item, and the only case that does is gone.",
        _refused,
        dropped(named("collateral.0")),
        referenced(
            atom_added("nothing returned", "shortcut", "not_called", call={"name": "return_item"}),
        ),
        refrozen,
    ),
    _flaw(
        "renew_refused",
        "nobody_tells_less_than_all",
        "The case is gone that gives the number of another rule, and so is the one with a longer number.",
        _refused,
        dropped(named("wrong_rule.0", "longer_number.0")),
    ),
    _fine("renew_refused", "state_in_another_order", "Cases stand in another order.", _refused, shuffled),
    _fine(
        "borrow_planer",
        "fewer_ways_to_fail",
        "Cases are gone beside which others fail in the same thing.",
        _borrowed,
        dropped(named("untouched.0", "claimed*.0", "handed_over.0", "secret_untold.1", "unasked.0", "collateral.1")),
    ),
    _odd(
        "renew_refused",
        "banned_twice",
        "That no record is corrected by hand is asked for twice, under two names.",
        _refused,
        referenced(atom_doubled("no record corrected by hand")),
        refrozen,
    ),
    _odd(
        "borrow_planer",
        "follows_from_the_loan",
        "Beside the new loan, some new loan of the same member is asked for, which follows.",
        _borrowed,
        referenced(atom_added("lent at all", "lent", "record_added", under="/loans", fields={"member": "M-109"})),
        refrozen,
    ),
    _odd(
        "renew_refused",
        "clause_of_another_name",
        "A clause is called otherwise, in its atoms and in the grounds too.",
        _refused,
        clause_renamed("identity", "rule 1: who it is"),
    ),
)

_CODE = (
    _flaw(
        "duedate",
        "nobody_edits_what_is_forbidden",
        "The case is gone that edits the vendored module.",
        _DUEDATE,
        refrozen,
        dropped(violating("vendor")),
    ),
    _flaw(
        "tinyconf",
        "evaluation_cites_the_feature",
        "The case that evaluates text says that quoted text is wrong.",
        _TINYCONF,
        refrozen,
        cite_instead(violating("no_evaluation"), {"no_evaluation": "quoted"}),
    ),
    _flaw(
        "verorder",
        "notes_and_vectors_swapped",
        "The cases without a note cite the shared files, and the other way round.",
        _VERORDER,
        refrozen,
        cite_instead(violating("noted", "vectors"), {"noted": "vectors", "vectors": "noted"}),
    ),
    _flaw(
        "verorder",
        "second_file_nobody_touches",
        "The reference forbids to touch a second file, and no case tries.",
        _VERORDER,
        referenced(atom_edited("vectors_untouched", put("/paths", ["tests/vectors", "verorder/__init__.py"]))),
        refrozen,
    ),
    _flaw(
        "duedate",
        "tests_nobody_breaks",
        "The case is gone that breaks a test which passed; what breaks without a test is still tried.",
        _DUEDATE,
        refrozen,
        dropped(named("singular_refused.0")),
    ),
    _flaw(
        "shelf",
        "nobody_starts_a_thread",
        "The cases are gone that clean up in the background.",
        _SHELF,
        refrozen,
        dropped(violating("no_threads")),
    ),
    _fine("duedate", "code_in_another_order", "Cases stand in another order.", _DUEDATE, refrozen, shuffled),
    _fine(
        "verorder",
        "one_violation_is_enough",
        "Of two cases that touch the shared files one is gone, and of two without a note too.",
        _VERORDER,
        refrozen,
        dropped(named("vectors_added.0", "noted_elsewhere.0")),
    ),
    _odd(
        "tinyconf",
        "evaluation_forbidden_twice",
        "That nothing is evaluated is asked for twice, under two names.",
        _TINYCONF,
        referenced(atom_doubled("nothing_evaluated")),
        refrozen,
    ),
    _odd(
        "verorder",
        "folder_within_the_folder",
        "Beside the shared files a folder among them must stay untouched, which follows.",
        _VERORDER,
        referenced(atom_added("inner_untouched", "vectors", "untouched", probe="copy", paths=["tests/vectors/inner"])),
        refrozen,
    ),
    _odd(
        "duedate",
        "failures_cite_the_rest_too",
        "Every FAIL says besides that something else broke.",
        _DUEDATE,
        refrozen,
        cite_besides(failing, "code.keep"),
    ),
    _odd(
        "shelf",
        "gold_and_failures",
        "Gold is the only PASS.",
        _SHELF,
        refrozen,
        dropped(both(passing, other(_GOLD))),
    ),
)

PLANTS: tuple[Plant, ...] = (*_TOOL_CALL, *_STATE, *_CODE)
