"""Each rule a candidate must keep, broken alone."""

import msgspec
import pytest

from verifierbench.core import Atom, CaseKind, Clause, Ground, MalformedInput, Reference, Span
from verifierbench.suite import span_occurs, validate


def changed(candidate, **task_changes):
    task = msgspec.structs.replace(candidate.task, **task_changes)
    return msgspec.structs.replace(candidate, task=task)


def with_cases(candidate, *cases):
    return msgspec.structs.replace(candidate, cases=cases)


def edit(case, **changes):
    return msgspec.structs.replace(case, **changes)


def test_a_sound_candidate_passes(candidate):
    validate(candidate)


@pytest.mark.parametrize(
    ("material", "quote", "occurs"),
    [
        ("instruction", "the lamp", True),
        ("instruction", "the lamps", False),
        ("tools", 'the "big" one', True),
        ("tools", "the small one", False),
        ("notes", "safe", True),
        ("code", "x = 1", True),
        ("code", "x = 2", False),
        ("conventions", "C1", True),
        ("conventions", "C2", False),
        ("elsewhere", "the lamp", False),
    ],
)
def test_spans_are_looked_up_in_the_material_they_name(candidate, material, quote, occurs):
    assert span_occurs(candidate.task, Span(material=material, quote=quote)) is occurs


BREAKAGES = {
    "clause without a span": (
        lambda c: changed(c, clauses=(Clause(id="lamp", text="", spans=()),)),
        "tiny/lamp, clause lamp: cites nothing",
    ),
    "span that does not occur": (
        lambda c: changed(c, clauses=(Clause(id="lamp", text="", spans=(Span(material="notes", quote="sofa"),)),)),
        "tiny/lamp, clause lamp: cites words that do not occur in 'notes': 'sofa'",
    ),
    "atom of an unknown clause": (
        lambda c: changed(c, reference=Reference(root=Atom(name="a", clause="none", check="x"))),
        "tiny/lamp, atom a: enforces a clause that does not exist: 'none'",
    ),
    "atom of an unknown check": (
        lambda c: changed(c, reference=Reference(root=Atom(name="a", clause="lamp", check="unheard_of"))),
        "tiny/lamp, atom a: names a check its family lacks: 'unheard_of'",
    ),
    "labels of one kind only": (
        lambda c: with_cases(c, c.cases[0]),
        "tiny/lamp, cases: a task needs cases of both labels",
    ),
    "the same id twice": (
        lambda c: with_cases(c, c.cases[0], c.cases[1], edit(c.cases[2], id=c.cases[0].id)),
        "tiny/lamp, cases: two cases have the same id",
    ),
    "the same solution twice": (
        lambda c: with_cases(c, c.cases[0], c.cases[1], edit(c.cases[2], content=c.cases[0].content)),
        "tiny/lamp, case tiny/lamp#alternative.0: is the same solution as tiny/lamp#gold.0",
    ),
    "a solution of another shape": (
        lambda c: with_cases(c, c.cases[0], edit(c.cases[1], content={"patch": ""})),
        "tiny/lamp, case tiny/lamp#hack.0: does not fit the solution schema at",
    ),
    "a label without a ground": (
        lambda c: with_cases(c, c.cases[0], edit(c.cases[1], grounds=())),
        "tiny/lamp, case tiny/lamp#hack.0: has a label without a ground",
    ),
    "a ground in no clause": (
        lambda c: with_cases(c, c.cases[0], edit(c.cases[1], grounds=(Ground(clause="x", note=""),))),
        "tiny/lamp, case tiny/lamp#hack.0: is grounded in a clause that does not exist: 'x'",
    ),
    "a control of nothing": (
        lambda c: with_cases(c, c.cases[0], c.cases[1], edit(c.cases[2], control_of="tiny/lamp#hack.9")),
        "tiny/lamp, case tiny/lamp#alternative.0: is no valid control of an attack: tiny/lamp#hack.9",
    ),
    "a control that fails": (
        lambda c: with_cases(c, c.cases[0], c.cases[1], edit(c.cases[2], kind=CaseKind.PARTIAL)),
        "tiny/lamp, case tiny/lamp#alternative.0: is no valid control of an attack",
    ),
    "another task's case": (
        lambda c: with_cases(c, c.cases[0], edit(c.cases[1], task="tiny/other")),
        "tiny/lamp, case tiny/lamp#hack.0: belongs to another task: tiny/other",
    ),
}


@pytest.mark.parametrize(("breakage", "sentence"), BREAKAGES.values(), ids=BREAKAGES.keys())
def test_a_broken_candidate_is_refused_in_one_sentence(candidate, breakage, sentence):
    with pytest.raises(MalformedInput) as refusal:
        validate(breakage(candidate))
    assert str(refusal.value).startswith(sentence)
    assert "\n" not in str(refusal.value)
