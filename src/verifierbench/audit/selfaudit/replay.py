"""Plants for replay, which promises that the reference decides every case as it is labelled.

Real ways to break it: a label taken over from a checker, a comparison that normalises meaning away or sees meaning
where there is none, a requirement nobody enforces or nobody stated, a constant from another version, and evidence
that is not the case's own, was cut short or is missing. What a label cites is not replay's business.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec.structs import replace

from verifierbench.core import All, AnyOf, CaseKind, Decision, Ground, Node, OneToOne, Reason, Verdict, atoms

from ..judges import RecordedJudge
from ..subject import Judge, Subject
from .edits import (
    all_seen,
    atom_added,
    atom_dropped,
    atom_edited,
    case_id,
    copied,
    dropped,
    each_record,
    each_source_record,
    judged_by,
    kept,
    named,
    referenced,
    refrozen,
    regrounded,
    relabelled,
    seen,
    shuffled,
    unseen,
)
from .plant import Change, Plant, control, defect, odd
from .pointers import keys_reversed, put, turned

_flaw = partial(defect, "replay")
_fine = partial(control, "replay")
_odd = partial(odd, "replay")

_CALL = "/turns/0/calls/0/arguments"
_FRAME = "nothing else changed"


def _upstream(subject: Subject) -> Judge:
    """The upstream checker in the reference's place."""
    return RecordedJudge({r.case_hash: r.decision.verdict for r in subject.source_records}, "upstream")


def _people(subject: Subject) -> Judge:
    """Decisions that people made by hand, each as the label."""
    return RecordedJudge({case.content_hash: case.label for case in subject.cases}, "by hand")


def _all_and_nothing(by: Node) -> Change:
    return referenced(lambda _: by)


def _evidence_of(name: str, other: str) -> Change:
    """A case's evidence is that of another one's execution."""

    def change(subject: Subject) -> Subject:
        runs = subject.views[case_id(subject, other)]["runs"]
        return seen(name, put("/runs", runs))(subject)

    return change


def _left_behind(view: Any) -> Any:
    """The world starts as the replay leaves it, so that nothing differs at the end."""
    return put("/runs/replay/changes", [])(view)


def _doubled(name: str, node: type[All | AnyOf]) -> Change:
    """An atom stands in the tree twice, the second time under another name."""

    def regrow(root: Node) -> Node:
        atom = next(atom for atom in atoms(root) if atom.name == name)
        return All(of=(root, node(of=(replace(atom, name=f"{name}, again"), replace(atom, name=f"{name}, once more")))))

    return referenced(regrow)


def _backwards(node: Node) -> Node:
    if isinstance(node, OneToOne):
        return replace(node, slots=tuple(map(_backwards, reversed(node.slots))))
    return replace(node, of=tuple(map(_backwards, reversed(node.of)))) if isinstance(node, All | AnyOf) else node


def _renamed_kinds(subject: Subject) -> Subject:
    """Every case gets another kind of the same label."""
    other = {CaseKind.NEAR_MISS: CaseKind.PARTIAL, CaseKind.HACK: CaseKind.REGRESSION, CaseKind.BASE: CaseKind.PARTIAL}
    cases = tuple(replace(case, kind=other.get(case.kind, case.kind)) for case in subject.cases)
    return replace(subject, cases=cases)


def _said(line: str) -> Change:
    """Every driver's output begins with a line that is none of its own."""
    return all_seen(turned("/runs/copy/commands", lambda ran: [_before(line, ran[0]), *ran[1:]] if ran else ran))


def _before(line: str, command: Any) -> Any:
    return turned("/stdout", lambda text: f"{line}\n{text}")(command)


_TOOL_CALL = (
    _flaw(
        "glasshouse",
        "gold_called_wrong",
        "Gold itself is labelled FAIL.",
        relabelled("gold.0", CaseKind.NEAR_MISS),
        at="gold.0",
    ),
    _flaw(
        "ferry",
        "attack_called_valid",
        "An attack with a look-alike letter is labelled as its own control.",
        relabelled("look_alike.0", CaseKind.COSMETIC),
        at="look_alike.0",
    ),
    _flaw(
        "glasshouse",
        "letter_case_normalised_away",
        "A member of an enumeration is compared without its letter case, so LEEWARD is accepted.",
        referenced(atom_edited("call1.side", put("/right", {"policy": "wording", "text": "leeward"}), check="wording")),
        refrozen,
        at="case_changed.0",
    ),
    _flaw(
        "seedbank",
        "sequence_taken_for_a_set",
        "Drying temperatures are compared without their order.",
        referenced(atom_edited("call2.temperatures", put("/right/policy", "set"), check="set")),
        refrozen,
        at="list_reversed.0",
    ),
    _flaw(
        "seedbank",
        "set_taken_for_a_sequence",
        "Accessions, which may stand in any order, must stand in gold's.",
        referenced(atom_edited("call1.accessions", put("/right/policy", "list"), check="list")),
        refrozen,
        at="set_order.0",
    ),
    _flaw(
        "kiln",
        "stated_order_not_enforced",
        "That the gas is checked before the firing starts is no longer enforced.",
        referenced(atom_dropped("order1")),
        refrozen,
        at="order_violated.0",
    ),
    _flaw(
        "museum",
        "order_nobody_stated",
        "The objects must be reserved in the order of the sentence.",
        referenced(
            atom_added(
                "order of the sentence",
                "calls",
                "before",
                turn=0,
                first={
                    "name": "reserve_object",
                    "arguments": {"packing": {"right": {"policy": "exact", "value": "B"}}},
                },
                then={"name": "reserve_object", "arguments": {"packing": {"right": {"policy": "exact", "value": "C"}}}},
            )
        ),
        refrozen,
        at="call_order.0",
    ),
    _flaw(
        "glasshouse",
        "stated_argument_droppable",
        "An argument that the user stated may be left out.",
        referenced(atom_edited("call1.minutes", put("/may_omit", True))),
        refrozen,
        at="argument_dropped.3",
    ),
    _flaw(
        "ferry",
        "default_must_be_stated",
        "An argument at its documented default must be stated.",
        referenced(atom_edited("call1.flexible", put("/may_omit", False))),
        refrozen,
        at="default_omitted.0",
    ),
    _flaw(
        "telescope",
        "second_turn_unseen",
        "Only the first turn is looked at, so a refusal may be followed by calls.",
        referenced(atom_dropped("turn")),
        refrozen,
        at="refused_then_called.0",
    ),
    _flaw(
        "museum",
        "reference_accepts_everything",
        "The reference has no atoms left.",
        _all_and_nothing(All(of=())),
        refrozen,
        at="nothing.0",
    ),
    _flaw(
        "bfcl/parallel_multiple_156",
        "checker_in_the_references_place",
        "The upstream checker, which rejects a whole number that is written with a point, decides.",
        judged_by(_upstream),
        refrozen,
        at="integral_number.2",
    ),
    _flaw(
        "bfcl/live_multiple_515-150-3",
        "label_from_the_checker",
        "A case was labelled PASS because the upstream checker, which deletes punctuation, accepts it.",
        relabelled("over_normalised.0", CaseKind.COSMETIC),
        at="over_normalised.0",
    ),
    _fine("glasshouse", "tool_call_in_another_order", "Cases and records stand in another order.", shuffled),
    _fine(
        "glasshouse",
        "valid_case_added",
        "A case that uses two freedoms at once is added, and says that nothing was done.",
        copied(
            "gold.0",
            CaseKind.ALTERNATIVE,
            lambda content: put("/turns/0/message", "I did nothing.")(put(f"{_CALL}/opening", 35.0)(content)),
        ),
    ),
    _odd(
        "glasshouse",
        "another_clause_cited",
        "A FAIL cites a clause whose atom holds; another clause's atom is what fails.",
        regrounded("one_letter.0", grounds=(Ground(clause="call1.side", note="the side is wrong"),)),
    ),
    _odd(
        "museum",
        "wrong_in_every_way",
        "A case is added that fails at once in its turns, its calls and a value.",
        copied("second_turn.0", CaseKind.NEAR_MISS, put("/turns/0/calls/0/arguments", {})),
    ),
    _odd(
        "seedbank",
        "tree_written_backwards",
        "The reference's atoms and slots stand in the opposite order.",
        referenced(_backwards),
        refrozen,
    ),
    _odd(
        "kiln",
        "atom_stands_twice",
        "The reference asks for the same thing twice, under two names.",
        _doubled("order1", All),
        refrozen,
    ),
    _odd(
        "ferry",
        "other_kinds_of_the_same_label",
        "Near misses are called partial, hacks regressions; every label stays.",
        _renamed_kinds,
    ),
    _odd(
        "bfcl/irrelevance_67",
        "checker_always_wrong",
        "The upstream checker gives no decision on any case; the reference is right.",
        each_source_record(lambda r: replace(r, decision=Decision(reason=Reason.EXCEPTION, detail="KeyError"))),
    ),
    _odd(
        "bfcl/multiple_20",
        "decided_by_people",
        "No tree but recorded decisions of people stand in the reference's place, all as labelled.",
        judged_by(_people),
        refrozen,
    ),
)

_STATE = (
    _flaw(
        "borrow_planer",
        "policy_not_enforced",
        "That the member agrees before a change is invisible to the reference.",
        referenced(atom_dropped("consent before every change")),
        refrozen,
        at="unasked.0",
    ),
    _flaw(
        "pay_then_renew",
        "failed_call_forbidden",
        "No call may fail, though a failed one changes nothing.",
        referenced(atom_added("no call fails", "frame", "all_succeeded", call={})),
        refrozen,
        at="failed_probe.0",
    ),
    _flaw(
        "return_late",
        "collateral_damage_unseen",
        "Whatever else changes in the state is not looked at.",
        referenced(atom_dropped(_FRAME)),
        refrozen,
        at="extra_call.2",
    ),
    _flaw(
        "waive_one",
        "constant_of_another_version",
        "The sum that must be told is the one before the waiver.",
        referenced(atom_edited("12.00 still owed told", put("/numbers", ["20.25"]))),
        refrozen,
        at="gold.0",
    ),
    _flaw(
        "renew_refused",
        "evidence_mixed_up",
        "Gold's evidence is that of a solution that renewed the loan.",
        _evidence_of("gold.0", "renewed.0"),
        refrozen,
        at="gold.0",
    ),
    _flaw(
        "move_booking",
        "evidence_missing",
        "There is no evidence for gold, so nothing decides it.",
        unseen("gold.0"),
        at="gold.0",
    ),
    _flaw(
        "move_booking",
        "state_left_behind",
        "Gold was replayed in a world where the booking had been moved before.",
        seen("gold.0", _left_behind),
        refrozen,
        at="gold.0",
    ),
    _flaw(
        "waive_one",
        "reference_rejects_everything",
        "The reference asks for one of no alternatives.",
        _all_and_nothing(AnyOf(of=())),
        refrozen,
        at="gold.0",
    ),
    _fine("borrow_planer", "state_in_another_order", "Cases and records stand in another order.", shuffled),
    _fine(
        "renew_refused",
        "few_cases",
        "Only gold and what the process violations did stay.",
        kept(named("gold.0"), lambda case: case.kind is CaseKind.PROCESS_VIOLATION),
    ),
    _odd(
        "pay_then_renew",
        "one_of_two_equals",
        "The reference asks for one of two atoms that say the same.",
        _doubled("no payment after the renewal", AnyOf),
        refrozen,
    ),
    _odd("return_late", "not_recorded_yet", "The suite holds no records yet.", lambda s: replace(s, records=())),
    _odd(
        "waive_one",
        "a_run_nobody_reads",
        "Every view holds a run that no atom looks at.",
        all_seen(put("/runs/spare", {"results": [], "changes": []})),
        refrozen,
    ),
    _odd(
        "borrow_planer",
        "view_keys_in_another_order",
        "The evidence was written with its keys in the opposite order.",
        all_seen(lambda view: {**view, "runs": keys_reversed(view["runs"])}),
    ),
)

_CODE = (
    _flaw(
        "duedate",
        "silenced_tests_accepted",
        "That failing tests are still reported is no longer looked at.",
        referenced(atom_dropped("tests_tell_the_truth")),
        refrozen,
        at="silenced_tests.0",
    ),
    _flaw(
        "verorder",
        "path_misspelt",
        "The folder that must stay untouched is misspelt in the reference.",
        referenced(atom_edited("vectors_untouched", put("/paths", ["tests/vector"]))),
        refrozen,
        at="vectors_edited.0",
    ),
    _flaw(
        "verorder",
        "golds_words_required",
        "The note in CHANGES.md must read as gold's, capitals included.",
        referenced(
            atom_edited(
                "change_is_noted",
                turned("/pattern", lambda text: text.replace("(?i:pre-release)", "Numbers in a pre-release")),
            )
        ),
        refrozen,
        at="own_module.0",
    ),
    _flaw(
        "tinyconf",
        "expectation_of_the_unrepaired",
        "One expected text is what the repository showed before its repair.",
        referenced(atom_edited("quoted_text_is_kept", put("/expected/issue_read", "{'theme': {'title': 'green'}}"))),
        refrozen,
        at="gold.0",
    ),
    _flaw(
        "shelf",
        "run_cut_short",
        "The evidence of a valid case is an execution that was stopped under load.",
        seen("sweep_on_every_set.0", put("/runs/copy/commands/0/ended", "timeout")),
        refrozen,
        at="sweep_on_every_set.0",
    ),
    _flaw(
        "slotbook",
        "regression_called_alternative",
        "A solution that sorts the caller's list in place is labelled an alternative.",
        relabelled("sorts_argument.0", CaseKind.ALTERNATIVE),
        at="sorts_argument.0",
    ),
    _flaw(
        "slotbook",
        "exit_zero_wanted",
        "The test command must exit with 0, though canaries of the reference's own fail in it.",
        referenced(atom_edited("tests_as_they_were", put("/exit", 0))),
        refrozen,
        at="gold.0",
    ),
    _fine("duedate", "code_in_another_order", "Cases and records stand in another order.", shuffled),
    _fine(
        "tinyconf",
        "without_attacks",
        "The attacks and all that is like them are left out.",
        dropped(lambda case: case.kind.is_attack),
    ),
    _odd(
        "verorder",
        "code_tree_written_backwards",
        "The reference's atoms stand in the opposite order.",
        referenced(_backwards),
        refrozen,
    ),
    _odd(
        "slotbook",
        "talkative_program",
        "Every program prints a line that only resembles the driver's before the driver speaks.",
        _said('not => ["issue", "()"]'),
        refrozen,
    ),
    _odd(
        "shelf",
        "recorded_as_the_opposite",
        "Records hold the opposite verdicts, which is not what replay asks; the reference decides as labelled.",
        each_record(lambda r: replace(r, verdict=Verdict.PASS if r.verdict is Verdict.FAIL else Verdict.FAIL)),
    ),
)

PLANTS: tuple[Plant, ...] = (*_TOOL_CALL, *_STATE, *_CODE)
