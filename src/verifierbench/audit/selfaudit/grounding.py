"""Plants for grounding, which promises that every label rests on public words, and every clause on cases.

A clause has a case that violates it, a case that uses the freedom around it, and an atom that enforces it; a case has
grounds, whose clauses exist; a quotation stands where it is said to stand; and what the reference finds wrong with a
FAIL is among what the case says is wrong. Real ways to break it: a clause or a case was removed or renamed in one
place only, the public words were edited under a quotation, grounds were copied from the case next to it. How many
cases there are beyond the first, and how many clauses one of them names, is free.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from verifierbench.core import Case, CaseKind, Ground, Verdict

from ..subject import Subject
from .claims import (
    atom_moved,
    both,
    cite_besides,
    cite_instead,
    cite_no_longer,
    cites,
    clause_added,
    clause_renamed,
    quoting,
    quoting_besides,
    using,
    violating,
)
from .edits import (
    atom_added,
    copied,
    dropped,
    failing,
    kept,
    named,
    of_kind,
    passing,
    referenced,
    refrozen,
    regrounded,
    shuffled,
    tasked,
)
from .plant import Change, Plant, control, defect, odd
from .pointers import put

_flaw = partial(defect, "grounding")
_fine = partial(control, "grounding")
_odd = partial(odd, "grounding")

_GOLD = of_kind(CaseKind.GOLD)


def _instruction(edit: Callable[[str], str]) -> Change:
    """The instruction is edited after its words were quoted."""
    return lambda subject: tasked(instruction=edit(subject.task.instruction))(subject)


def _one_each(subject: Subject) -> Subject:
    """Of every clause the first case stays that violates it, and the first that uses the freedom around it."""
    first: dict[tuple[str, Verdict], str] = {}
    for case in subject.cases:
        for ground in case.grounds:
            first.setdefault((ground.clause, case.label), case.id)
    return kept(lambda case: case.id in set(first.values()))(subject)


def _twice(case: Case) -> Case:
    """A case that names each of its clauses twice."""
    return replace(case, grounds=(*case.grounds, *(Ground(clause=g.clause, note="and again") for g in case.grounds)))


def _all_twice(subject: Subject) -> Subject:
    return replace(subject, cases=tuple(map(_twice, subject.cases)))


def _reversed_clauses(subject: Subject) -> Subject:
    return tasked(clauses=tuple(reversed(subject.task.clauses)))(subject)


_TOOL_CALL = (
    _flaw("glasshouse", "nobody_violates_it", "No FAIL cites the chime.", dropped(violating("call1.chime"))),
    _flaw(
        "glasshouse",
        "nobody_uses_the_freedom",
        "No PASS names the ramp, whose default may be stated; those that did name the number of calls.",
        cite_instead(using("call1.ramp"), {"call1.ramp": "calls"}),
    ),
    _flaw("kiln", "no_ground", "A rewording says nothing of why it is valid.", cites("wording.0"), at="wording.0"),
    _flaw(
        "bfcl/multiple_20",
        "clause_misspelt",
        "One of several cases that get the material wrong cites a clause that does not exist.",
        cites("one_letter.0", "call1.materiel"),
        at="one_letter.0",
    ),
    _flaw(
        "glasshouse",
        "quotation_of_another_bay",
        "A clause quotes an identifier that differs in one letter from the instruction's.",
        quoting("call1.bay", "instruction", "F-07c"),
    ),
    _flaw(
        "glasshouse",
        "quotation_in_capitals",
        "A clause quotes a word with a capital where the instruction has none.",
        quoting("call1.side", "instruction", "Leeward"),
    ),
    _flaw(
        "bfcl/multiple_20",
        "material_that_is_not_there",
        "A clause quotes a material that the task does not have.",
        quoting("call1.complexity", "definitions", "The complexity level of the sculpture."),
    ),
    _flaw(
        "kiln",
        "convention_that_is_not_printed",
        "A clause cites a convention that its family does not have.",
        quoting("turn", "conventions", "C99"),
    ),
    _flaw(
        "kiln",
        "words_of_another_material",
        "A clause quotes words of the tool definitions as if they stood in the instruction.",
        quoting("call2.alert", "instruction", "Whether an alert is sent at the end. Default: true."),
    ),
    _flaw(
        "glasshouse",
        "one_letter_is_the_wrong_side",
        "A case whose bay is wrong says that its side is.",
        cites("one_letter.0", "call1.side"),
        at="one_letter.0",
    ),
    _flaw(
        "ferry",
        "clause_nobody_enforces",
        "A clause is added that cases of both labels cite and no atom enforces.",
        clause_added("politeness", "instruction", "e"),
        cite_besides(named("gold.0", "second_turn.0"), "politeness"),
    ),
    _flaw(
        "bfcl/irrelevance_67",
        "second_turn_says_too_many_calls",
        "A case whose only fault is a second turn says that its first has a call.",
        cites("refused_then_called.0", "calls"),
    ),
    _fine("glasshouse", "tool_call_in_another_order", "Cases stand in another order.", shuffled),
    _fine("kiln", "clauses_in_another_order", "Clauses stand in the opposite order.", _reversed_clauses),
    _odd("glasshouse", "one_case_each", "Every clause keeps one FAIL and one PASS.", _one_each),
    _odd(
        "glasshouse",
        "one_of_two_grounds_holds",
        "A case whose bay is wrong says that the side is wrong too, which is right.",
        cites("one_letter.0", "call1.side", "call1.bay"),
    ),
    _odd("ferry", "grounds_twice", "Every case names each of its clauses twice.", _all_twice),
    _odd(
        "kiln",
        "says_less_than_is_wrong",
        "A case is added that fails in its turns and in two calls, and speaks of the turns alone.",
        copied("second_turn.0", CaseKind.NEAR_MISS, put("/turns/0/calls", [])),
    ),
    _odd(
        "bfcl/multiple_20",
        "quotation_of_one_letter",
        "A clause quotes a single letter besides, which occurs many times.",
        quoting_besides("call1.material", "instruction", "a"),
    ),
    _odd(
        "bfcl/irrelevance_67",
        "clause_of_an_odd_name",
        "A clause has a name with spaces, a colon and a hash, and the atom and the cases name it so.",
        clause_renamed("calls", "C4: no call #0"),
    ),
)

_STATE = (
    _flaw(
        "renew_refused",
        "nobody_looks_at_strangers",
        "No FAIL cites the rule on others' accounts.",
        dropped(violating("own")),
    ),
    _flaw(
        "borrow_planer",
        "nobody_may",
        "No PASS names the rule on others' accounts; the one that did names the rule on verification.",
        cite_instead(using("own"), {"own": "identity"}),
    ),
    _flaw(
        "borrow_planer",
        "quotation_with_another_word",
        "A clause quotes a rule with one word that the policy does not use there.",
        quoting(
            "shortcut", "policy", "Never use it to set a status, a date or a kind of payment, not even for a moment."
        ),
    ),
    _flaw(
        "move_booking",
        "other_half_blamed",
        "A case that cancelled the old booking and made no new one says that nothing was cancelled.",
        cites("dropped_write.1", "cancelled"),
        at="dropped_write.1",
    ),
    _flaw(
        "return_late",
        "gold_without_a_ground",
        "Gold has no grounds, and other cases use the freedom that it used.",
        cites("gold.0"),
        at="gold.0",
    ),
    _flaw(
        "pay_then_renew",
        "atom_of_no_clause",
        "An atom more enforces a clause that does not exist.",
        referenced(atom_added("nothing waived", "kindness", "not_called", call={"name": "waive_fee"})),
        refrozen,
    ),
    _flaw(
        "renew_refused",
        "instruction_edited_afterwards",
        "The words that a clause quotes were edited in the instruction.",
        _instruction(lambda text: text.replace("fewer days are of no use to her", "fewer days would not help her")),
        refrozen,
    ),
    _fine("waive_one", "state_in_another_order", "Cases stand in another order.", shuffled),
    _fine(
        "renew_refused",
        "without_cosmetic_cases",
        "The cosmetic cases are gone; other cases use what freedom they used.",
        dropped(of_kind(CaseKind.COSMETIC)),
    ),
    _odd("borrow_planer", "one_errand_each", "Every clause keeps one FAIL and one PASS.", _one_each),
    _odd(
        "renew_refused",
        "third_atom_of_a_clause",
        "A clause that two atoms enforce gets a third.",
        referenced(
            atom_added(
                "verified at all",
                "identity",
                "called",
                call={"name": "verify_member", "arguments": {"member_id": "M-106"}},
                at_least=0,
            )
        ),
        refrozen,
    ),
    _odd(
        "borrow_planer",
        "failures_name_what_holds_too",
        "Every FAIL names the frame besides, which holds in most of them.",
        cite_besides(failing, "frame"),
    ),
    _odd(
        "move_booking",
        "quotation_is_everything",
        "A clause quotes the whole instruction.",
        lambda subject: quoting("cancelled", "instruction", subject.task.instruction)(subject),
    ),
)

_CODE = (
    _flaw(
        "duedate",
        "nobody_wraps_the_vendored",
        "No PASS names the rule on the vendored module.",
        cite_instead(using("vendor"), {"vendor": "years"}),
    ),
    _flaw(
        "verorder",
        "nobody_touches_the_vectors",
        "No FAIL cites the shared files.",
        dropped(violating("vectors")),
    ),
    _flaw(
        "verorder",
        "addition_said_to_lack_a_note",
        "A case that adds a file where none may be added says that it lacks its note.",
        cites("vectors_added.0", "noted"),
        at="vectors_added.0",
    ),
    _flaw(
        "slotbook",
        "freedom_around_nothing",
        "An alternative names a clause that does not exist; others name the right one.",
        cites("running_end.0", "inside_out"),
        at="running_end.0",
    ),
    _flaw(
        "slotbook",
        "atom_moved_to_a_neighbour",
        "The atom of one clause enforces another one, and nothing enforces its own.",
        referenced(atom_moved("minutes_count_once", "inside")),
        refrozen,
    ),
    _flaw(
        "tinyconf",
        "quotation_of_another_issue",
        "A clause quotes words that the issue does not hold.",
        quoting("no_evaluation", "instruction", "please do not bring regular expressions into the reading of values"),
    ),
    _fine("tinyconf", "code_in_another_order", "Cases stand in another order.", shuffled),
    _fine(
        "duedate",
        "notes_rewritten",
        "The notes of a case's grounds say something else.",
        regrounded("one_ahead.0", grounds=(Ground(clause="code.keep", note="otherwise"),)),
    ),
    _odd("verorder", "one_patch_each", "Every clause keeps one FAIL and one PASS.", _one_each),
    _odd(
        "shelf",
        "quotation_from_the_repository",
        "A clause quotes a line of the repository besides the issue.",
        quoting_besides("room", "repository", "import"),
    ),
    _odd(
        "slotbook",
        "gold_names_little",
        "Gold and the cosmetic cases name one clause, which others name too.",
        dropped(both(passing, lambda case: case.kind is CaseKind.COSMETIC)),
        cite_besides(_GOLD, "minutes"),
        cite_no_longer(_GOLD, "inside"),
    ),
)

PLANTS: tuple[Plant, ...] = (*_TOOL_CALL, *_STATE, *_CODE)
