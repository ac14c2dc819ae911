"""What the right reply of a task is, as data; its clauses and its reference follow from it.

One clause and one atom per requirement, under one name, composed of checks the family has: a count of calls, a value at
a place of the answer, a set of names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from verifierbench.core import All, Atom, Clause, Inconsistent, Node, Reference, Span

from .. import conventions
from ..checks import library_version
from ..conventions import convention
from ..policies import Exact, Fits, ObjectOf, Policy, SetOf
from ..spans import Brief
from . import form
from .form import Why

ANSWER = "/solution/turns/0/answer"
NOTE = "note"
_DETAIL = {Why.MISSING: "parameters", Why.MALFORMED: "values"}


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """The right reply; `tool` and what follows it are empty where no tool fits."""

    why: Why
    asked: tuple[Span, ...]
    """The words that ask for what cannot be called."""
    tool: str | None = None
    parameters: tuple[str, ...] = ()
    """The required parameters without a value."""
    values: Mapping[str, Any] = {}
    """The values that break their form, by parameter, as the user wrote them."""
    guess: dict[str, Any] | None = None
    """The call somebody makes who fills in or repairs the missing values."""
    framing: tuple[Span, ...] = ()
    """The words that say which message of a conversation is answered."""

    def __post_init__(self) -> None:
        detail = {Why.MISSING: bool(self.parameters), Why.MALFORMED: bool(self.values)}
        if not detail.get(self.why, True) or (self.tool is None) != (self.why is Why.UNFIT):
            raise Inconsistent(f"a reply of {self.why.value} with {self.tool}, {self.parameters}, {dict(self.values)}")


def answer_of(reply: Reply) -> dict[str, Any]:
    """The right answer, as gold writes it."""
    answer: dict[str, Any] = {"verdict": reply.why.value}
    if reply.tool is not None:
        answer["tool"] = reply.tool
    if reply.parameters:
        answer["parameters"] = list(reply.parameters)
    if reply.values:
        answer["values"] = dict(reply.values)
    return answer


def reply_clauses(brief: Brief, reply: Reply) -> tuple[Clause, ...]:
    """Every requirement with the words that impose it; raises `Inconsistent` where a word is not there."""
    turns = (*reply.framing, convention(conventions.TURNS))
    abstain = (*reply.framing, _form(form.ABSTAIN), convention(conventions.NO_TOOL))
    return (
        Clause(id="turn", text="The answer is one turn.", spans=turns),
        Clause(id="calls", text="Nothing is called.", spans=abstain),
        Clause(id="answer", text="The answer has the keys of its form and no others.", spans=(_form(form.WHOLE),)),
        Clause(id="answer.verdict", text=f"The verdict is {reply.why.value}.", spans=_verdict(reply)),
        *_details(brief, reply),
    )


def reply_reference(reply: Reply) -> Reference:
    """The tree that decides a solution: one atom for each clause."""
    gold = answer_of(reply)
    parts: list[Node] = [
        Atom(name="turn", clause="turn", check="turn_count", parameters={"count": 1}),
        Atom(name="calls", clause="calls", check="call_count", parameters={"turn": 0, "count": 0}),
        _atom("answer", ANSWER, Fits(schema=_keys(gold), examples=(gold,)), may_omit=True),
        _atom("answer.verdict", f"{ANSWER}/verdict", Exact(gold["verdict"])),
    ]
    if reply.tool is not None:
        parts.append(_atom("answer.tool", f"{ANSWER}/tool", Exact(reply.tool)))
    if reply.parameters:
        parts.append(_atom("answer.parameters", f"{ANSWER}/parameters", SetOf(tuple(map(Exact, reply.parameters)))))
    if reply.values:
        right = ObjectOf({name: Exact(value) for name, value in reply.values.items()})
        parts.append(_atom("answer.values", f"{ANSWER}/values", right))
    return Reference(root=All(of=tuple(parts)), library=library_version())


def _details(brief: Brief, reply: Reply) -> Iterator[Clause]:
    if reply.tool is None:
        return
    written = _form(form.WRITTEN)
    fits = (*reply.asked, brief.definition(reply.tool), written)
    yield Clause(id="answer.tool", text=f"The tool is {reply.tool}.", spans=fits)
    if reply.parameters:
        spans = (_form(form.NAMES), *(brief.definition(reply.tool, name) for name in reply.parameters), written)
        text = f"The parameters are {', '.join(reply.parameters)}, and no others."
        yield Clause(id="answer.parameters", text=text, spans=spans)
    if reply.values:
        spans = (_form(form.VALUES), *_values(brief, reply), written)
        text = f"The values are {dict(reply.values)!r}, and no others."
        yield Clause(id="answer.values", text=text, spans=spans)


def _verdict(reply: Reply) -> tuple[Span, ...]:
    lines = {Why.MISSING: form.MISSING_TOOL, Why.MALFORMED: form.MALFORMED_TOOL, Why.UNFIT: form.UNFIT_LIST}
    return (*reply.asked, _form(lines[reply.why]))


def _values(brief: Brief, reply: Reply) -> Iterator[Span]:
    for name, value in reply.values.items():
        yield from brief.value(str(reply.tool), name, value)
        yield brief.definition(str(reply.tool), name)


def _keys(gold: Mapping[str, Any]) -> dict[str, Any]:
    known = {**{key: {} for key in gold}, NOTE: {"type": "string"}}
    return {"type": "object", "properties": known, "additionalProperties": False}


def _atom(name: str, pointer: str, policy: Policy, *, may_omit: bool = False) -> Atom:
    right = msgspec.to_builtins(policy)
    parameters = {"at": pointer, "right": right, "may_omit": may_omit}
    return Atom(name=name, clause=name, check=right["policy"], parameters=parameters)


def _form(words: str) -> Span:
    return Span(material=form.MATERIAL, quote=words)
