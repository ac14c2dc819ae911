"""Consistency: no two cases show a verifier the same information under opposite labels.

Whatever a verifier says of two solutions it cannot tell apart, it is wrong on one of them. What counts is the view:
two solutions that are written alike may behave differently, and two that are written differently may say the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from verifierbench.core import Case, Verdict, canonical_hash

from ..findings import Check, Examined, Flaw
from ..reproduction import script
from ..subject import Subject

_BODY = """
from verifierbench.core import Family, canonical_hash
from verifierbench.families import family


def flawed():
    canonical = family(Family(DATA["family"])).canonical
    for case in DATA["cases"]:
        print(case["label"], canonical_hash(canonical(case["view"])), case["id"])
    same = len({canonical_hash(canonical(case["view"])) for case in DATA["cases"]}) == 1
    return same and len({case["label"] for case in DATA["cases"]}) > 1
"""


def _examine(subject: Subject) -> Examined:
    groups = _alike(subject)
    torn = {digest: cases for digest, cases in groups.items() if len({case.label for case in cases}) > 1}
    return Examined(
        check=CHECK.name,
        task=subject.task.id,
        passed=len(groups) - len(torn),
        flaws=tuple(_flaw(subject, digest, cases) for digest, cases in torn.items()),
        facts={"duplicates": sum(len(cases) - 1 for digest, cases in groups.items() if digest not in torn)},
    )


def _alike(subject: Subject) -> dict[str, list[Case]]:
    """Cases by what they show; one whose evidence is missing shows nothing, and replay says so."""
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in subject.cases:
        if case.id in subject.views:
            groups[canonical_hash(subject.family.canonical(subject.views[case.id]))].append(case)
    return groups


def _flaw(subject: Subject, digest: str, cases: Sequence[Case]) -> Flaw:
    fail = next(case for case in cases if case.label is Verdict.FAIL)
    valid = next(case for case in cases if case.label is Verdict.PASS)
    says = f"{fail.id}: labelled FAIL, but it shows a verifier the same as {valid.id}, which is labelled PASS"
    views = [{"id": case.id, "label": case.label.value, "view": subject.views[case.id]} for case in (fail, valid)]
    return Flaw(
        check=CHECK.name,
        reason="opposite_labels",
        task=subject.task.id,
        case=fail.id,
        place=valid.id,
        says=says,
        evidence={
            "canonical_view": digest,
            "cases": {case.id: case.label.value for case in cases},
            "grounds": {case.id: [ground.note for ground in case.grounds] for case in cases},
        },
        reproduction=script(says, {"family": subject.task.family.value, "cases": views}, _BODY),
    )


CHECK = Check(
    name="consistency",
    question="Can every two cases with opposite labels be told apart?",
    prose="""
A verifier sees a solution and what the public environment answers for it: the view. Two cases whose views say the same
must have the same label, or nobody could get both right. Consistency compares all cases of a task by the hash of
their views, after taking out what carries no information: in which order keys stand, and what the family names beside
(of a diff its `index` lines and line numbers, of printed output durations and addresses, of a call whether a whole
number is written 5 or 5.0). What each family takes out, and why, is written at the head of its `canonical` module.

A flaw names two cases. Either one of the labels is wrong, or what makes the difference is not to be seen: then the task
must show it (another probe, another part of the state), or one of the cases has to go.

Cases that show the same under the same label are no flaw. They are counted as duplicates, because they measure one
thing twice.

Consistency cannot see two cases that differ only in something no reasonable verifier would look at, such as the wording
of a comment: whether that carries information is a judgement, and only what a convention or a format settles is taken
out here.
""",
    reasons={"opposite_labels": "two cases show a verifier the same information and have opposite labels"},
    examine=_examine,
)
