"""Plants for provenance, which promises that every record is tied to all it depends on, and still true.

One record per case; the exact bytes of the solution, everything public of the task, the reference, the environment;
the verdict and the failed atoms as the reference decides now; references written for the check library in use; the
upstream checker's records tied to the exact solution too. Real ways to break it: something moved after the freeze,
however slightly, or records were merged, lost or written by hand. Labels, grounds and our own words are hidden and
tie nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace

from verifierbench.core import CaseKind, Ground, Record, Verdict, content_hash, sha256

from ..subject import Subject
from .edits import (
    all_seen,
    atom_edited,
    case_id,
    copied,
    dropped,
    each_record,
    each_source_record,
    kept,
    named,
    recorded,
    referenced,
    refrozen,
    regrounded,
    relabelled,
    rewritten,
    shuffled,
    tasked,
    with_runs,
)
from .plant import Change, Plant, control, defect, odd
from .pointers import keys_reversed, put, turned

_flaw = partial(defect, "provenance")
_fine = partial(control, "provenance")
_odd = partial(odd, "provenance")

_YESTERDAY = sha256(b"yesterday")
_CALL = "/turns/0/calls/0/arguments"


def _recorded_as(name: str, edit: Callable[[Record], Record]) -> Change:
    """One case's record is edited by what it holds."""

    def change(subject: Subject) -> Subject:
        known = case_id(subject, name)
        return each_record(lambda record: edit(record) if record.case == known else record)(subject)

    return change


def _records_of(edit: Callable[[list[Record]], list[Record]]) -> Change:
    return lambda subject: replace(subject, records=tuple(edit(list(subject.records))))


def _exchanged(name: str, other: str) -> Change:
    """The records of two cases hold each other's case."""

    def change(subject: Subject) -> Subject:
        one, two = case_id(subject, name), case_id(subject, other)
        names = {one: two, two: one}
        return each_record(lambda record: replace(record, case=names.get(record.case, record.case)))(subject)

    return change


def _material(edit: Callable[[Any], Any]) -> Change:
    """The first material of the task is edited."""

    def change(subject: Subject) -> Subject:
        first, *others = subject.task.materials
        materials = (replace(first, content=edit(first.content), digest=""), *others)
        return replace(subject, task=replace(subject.task, materials=materials))

    return change


def _diff_hashed(name: str) -> Change:
    """One case's record holds the hash of its diff alone."""

    def change(subject: Subject) -> Subject:
        known = case_id(subject, name)
        diff = next(case.content["patch"] for case in subject.cases if case.id == known)
        return _recorded_as(name, lambda record: replace(record, case_hash=content_hash(diff)))(subject)

    return change


def _source_content(name: str) -> Change:
    """The upstream checker's record of one case is of another solution."""

    def change(subject: Subject) -> Subject:
        known = case_id(subject, name)
        return each_source_record(lambda r: replace(r, case_hash=_YESTERDAY) if r.case == known else r)(subject)

    return change


def _slipped(subject: Subject) -> Subject:
    """The upstream checker's records each hold the hash that belongs to the next one."""
    hashes = [record.case_hash for record in subject.source_records]
    moved = zip(subject.source_records, [*hashes[1:], hashes[0]], strict=True)
    return replace(subject, source_records=tuple(replace(record, case_hash=digest) for record, digest in moved))


def _conventions_reworded(subject: Subject) -> Subject:
    first, *others = subject.task.conventions
    changed = (replace(first, text=f"{first.text} Always."), *others)
    return replace(subject, task=replace(subject.task, conventions=changed))


def _clauses_reworded(subject: Subject) -> Subject:
    clauses = tuple(replace(clause, text=f"In other words: {clause.text}") for clause in subject.task.clauses)
    return replace(subject, task=replace(subject.task, clauses=clauses))


def _renamed(name: str, to: str) -> Change:
    """A case gets another id, after its record was written."""

    def change(subject: Subject) -> Subject:
        old, new = case_id(subject, name), f"{subject.task.id}#{to}"
        views = {new if case == old else case: view for case, view in subject.views.items()}
        return with_runs(replace(regrounded(name, id=new)(subject), views=views))

    return change


_TOOL_CALL = (
    _flaw(
        "glasshouse",
        "record_of_another_solution",
        "One record holds the hash of another solution.",
        recorded(named("wording.0"), case_hash=_YESTERDAY),
        at="wording.0",
    ),
    _flaw(
        "glasshouse",
        "number_rewritten",
        "After the freeze a solution's 90 became 90.0: other bytes, the same decision.",
        rewritten("wording.0", put(f"{_CALL}/minutes", 90.0)),
        with_runs,
        at="wording.0",
    ),
    _flaw(
        "ferry",
        "keys_rewritten",
        "After the freeze a solution's keys were put in another order: other bytes, the same decision.",
        rewritten("spacing.0", keys_reversed),
        with_runs,
        at="spacing.0",
    ),
    _flaw(
        "museum",
        "instruction_edited",
        "After the freeze a space was added to the instruction.",
        lambda s: tasked(instruction=f"{s.task.instruction} ")(s),
    ),
    _flaw(
        "seedbank", "convention_edited", "After the freeze a printed convention got a word more.", _conventions_reworded
    ),
    _flaw(
        "kiln",
        "reference_edited",
        "After the freeze a number of the reference was written as a float: the same decisions, another reference.",
        referenced(atom_edited("call3.studio", put("/right/value", 4.0))),
        with_runs,
    ),
    _flaw(
        "telescope",
        "reference_of_one_record",
        "One record holds the hash of another reference.",
        recorded(named("answered.0"), reference_hash=_YESTERDAY),
        at="answered.0",
    ),
    _flaw(
        "rehearsal",
        "record_lost",
        "One case has no record.",
        _records_of(lambda records: [r for r in records if not r.case.endswith("#call_order.0")]),
        at="call_order.0",
    ),
    _flaw(
        "rehearsal",
        "library_moved_on",
        "The reference was written, and its decisions frozen, for another version of the check library.",
        referenced(library=_YESTERDAY),
        refrozen,
    ),
    _flaw(
        "ferry",
        "environment_out_of_thin_air",
        "A record names an environment's version, and the task has no environment.",
        recorded(named("gold.0"), environment_version=_YESTERDAY),
        at="gold.0",
    ),
    _flaw(
        "bfcl/multiple_20",
        "upstream_asked_about_another",
        "The upstream checker's record of one case is of another solution.",
        _source_content("gold.0"),
        at="gold.0",
    ),
    _flaw(
        "bfcl/irrelevance_67",
        "upstream_records_slipped",
        "The upstream checker's records slipped by one place.",
        _slipped,
        at="gold.0",
    ),
    _fine("glasshouse", "tool_call_in_another_order", "Cases and records stand in another order.", shuffled),
    _fine(
        "seedbank",
        "edited_and_frozen_again",
        "The instruction was edited and everything frozen again.",
        lambda s: tasked(instruction=f"{s.task.instruction} Thank you.")(s),
        refrozen,
    ),
    _odd(
        "museum",
        "failed_in_another_order",
        "Every record lists its failed atoms in the opposite order; they are the same atoms.",
        each_record(lambda r: replace(r, failed=tuple(reversed(r.failed)))),
    ),
    _odd(
        "kiln",
        "our_own_words",
        "Clauses are told in other words and a case cites another clause; nobody but us sees either.",
        _clauses_reworded,
        regrounded("one_letter.0", grounds=(Ground(clause="call1", note="another reason"),)),
    ),
    _odd(
        "ferry",
        "wrong_label_true_record",
        "A near miss is labelled PASS; its record says what the reference decides.",
        relabelled("one_letter.0", CaseKind.COSMETIC),
    ),
    _odd(
        "bfcl/multiple_20",
        "upstream_disagrees_everywhere",
        "The upstream checker rejects every case, valid ones included.",
        each_source_record(lambda r: replace(r, decision=replace(r.decision, verdict=Verdict.FAIL, reason=None))),
    ),
    _odd(
        "bfcl/irrelevance_67",
        "upstream_in_another_order",
        "The upstream checker's records stand in the opposite order, and name another version of it.",
        each_source_record(lambda r: replace(r, checker_version=f"{r.checker_version}.1")),
        lambda s: replace(s, source_records=tuple(reversed(s.source_records))),
    ),
    _odd(
        "bfcl/parallel_multiple_172",
        "upstream_never_asked",
        "There are no records of the upstream checker.",
        lambda s: replace(s, source_records=()),
    ),
)

_STATE = (
    _flaw(
        "pay_then_renew",
        "environment_moved_on",
        "The environment installed here is another version than the records'.",
        lambda s: replace(s, environment_version=_YESTERDAY),
    ),
    _flaw(
        "borrow_planer",
        "one_record_of_an_older_world",
        "One record is of another version of the environment.",
        recorded(named("another_way.0"), environment_version=_YESTERDAY),
        at="another_way.0",
    ),
    _flaw(
        "borrow_planer",
        "no_environment_recorded",
        "One record names no environment.",
        recorded(named("gold.0"), environment_version=None),
        at="gold.0",
    ),
    _flaw(
        "renew_refused",
        "verdict_by_hand",
        "The record of a FAIL says PASS, with no failed atoms.",
        recorded(named("rule_missing.0"), verdict=Verdict.PASS, failed=()),
        at="rule_missing.0",
    ),
    _flaw(
        "return_late",
        "failed_atom_left_out",
        "A record of a FAIL leaves out one of two failed atoms.",
        _recorded_as("older_instead.0", lambda r: replace(r, failed=r.failed[:1])),
        at="older_instead.0",
    ),
    _flaw(
        "waive_one",
        "failed_atom_too_many",
        "A record of a FAIL names an atom that holds, besides the one that failed.",
        _recorded_as("old_sum.0", lambda r: replace(r, failed=(*r.failed, "nothing else changed"))),
        at="old_sum.0",
    ),
    _flaw(
        "move_booking",
        "records_exchanged",
        "Two FAIL cases hold each other's records.",
        _exchanged("unasked.0", "declined.0"),
        at="unasked.0",
    ),
    _flaw(
        "move_booking",
        "policy_edited",
        "After the freeze a line was added to the policy.",
        _material(lambda policy: f"{policy}\n"),
    ),
    _fine("return_late", "state_in_another_order", "Cases and records stand in another order.", shuffled),
    _fine(
        "renew_refused",
        "fewer_cases",
        "The attacks left the set together with their records.",
        dropped(lambda c: c.kind.is_attack),
    ),
    _odd(
        "waive_one",
        "evidence_keys_in_another_order",
        "The evidence was written with its keys in the opposite order.",
        all_seen(lambda view: {**view, "runs": keys_reversed(view["runs"])}),
    ),
    _odd(
        "pay_then_renew",
        "environment_moved_on_together",
        "The environment is another version, and everything was frozen again.",
        lambda s: replace(s, environment_version=_YESTERDAY),
        refrozen,
    ),
    _odd(
        "borrow_planer",
        "upstream_version_renamed",
        "The source gave itself another version; nothing public changed.",
        tasked(source_version="1.0.post1"),
    ),
)

_CODE = (
    _flaw(
        "verorder",
        "patch_got_a_line_feed",
        "After the freeze a patch got a line feed at its end.",
        rewritten("padded.0", turned("/patch", lambda patch: f"{patch}\n")),
        with_runs,
        at="padded.0",
    ),
    _flaw(
        "duedate",
        "two_records",
        "One case has two records, alike.",
        _records_of(lambda records: [*records, *(r for r in records if r.case.endswith("#gold.0"))]),
        at="gold.0",
    ),
    _flaw(
        "duedate",
        "two_records_apart",
        "One case has a second record, which says the opposite.",
        _records_of(
            lambda records: [
                *records,
                *(
                    replace(r, verdict=Verdict.FAIL, failed=("the_rest_works",))
                    for r in records
                    if r.case.endswith("#gold.0")
                ),
            ]
        ),
        at="gold.0",
    ),
    _flaw(
        "slotbook",
        "repository_edited",
        "After the freeze a comment was added to a file of the repository.",
        _material(lambda files: {**files, "slotbook/__init__.py": f"{files.get('slotbook/__init__.py', '')}# kept\n"}),
    ),
    _flaw(
        "shelf",
        "case_renamed",
        "A case was renamed after its record was written.",
        _renamed("lock.0", "with_a_lock.0"),
        at="with_a_lock.0",
    ),
    _flaw(
        "tinyconf",
        "hash_cut_short",
        "The records hold the first twelve characters of the task's hash.",
        each_record(lambda r: replace(r, task_hash=r.task_hash[:12])),
    ),
    _flaw(
        "tinyconf",
        "hash_of_a_part",
        "One record holds the hash of the diff's text, where the whole solution is hashed.",
        _diff_hashed("regex.0"),
        at="regex.0",
    ),
    _fine("shelf", "code_in_another_order", "Cases and records stand in another order.", shuffled),
    _fine(
        "tinyconf",
        "few_cases",
        "Only gold and the empty patch stay, with their records.",
        kept(named("gold.0", "empty.0")),
    ),
    _odd(
        "verorder",
        "the_same_twice",
        "A solution is in the set twice, each time with a record of its own.",
        copied("padded.0", CaseKind.COSMETIC),
    ),
    _odd(
        "slotbook",
        "reference_edited_and_frozen_again",
        "The reference forgot a test, and everything was frozen again.",
        referenced(atom_edited("tests_tell_the_truth", turned("/outcomes", lambda o: dict(list(o.items())[1:])))),
        refrozen,
    ),
)

PLANTS: tuple[Plant, ...] = (*_TOOL_CALL, *_STATE, *_CODE)
