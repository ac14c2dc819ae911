"""What a single-turn task's right answer is, as data; its clauses and its reference follow from it.

A `Spec` names the calls that are due, with a policy per argument and the words that impose it. `clauses` and
`reference` give each requirement one clause and one atom under the same name, so that a decision explains itself and
dropping an atom frees exactly one requirement. Nothing here knows how cases are made.

Build one with `due` (a call), `value` (an argument), and `Spec(calls=…)`; turn it into a task with `build`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from verifierbench.core import All, Atom, Clause, Inconsistent, Node, OneToOne, Reference, Span

from . import conventions
from .checks import library_version, same
from .conventions import convention
from .policies import Date, Exact, Fits, ListOf, Number, ObjectOf, OneOf, Policy, SetOf, Wording, defaults, gold, infer
from .spans import Brief, Words

POLICIES = (Exact, Wording, Number, Date, ListOf, SetOf, ObjectOf, OneOf, Fits)


class Argument(msgspec.Struct, frozen=True, kw_only=True):
    """One argument of a due call: what is right, and the words that say so."""

    policy: Policy
    spans: tuple[Span, ...]
    may_omit: bool = False
    """The right value is the documented default (C8)."""

    @property
    def gold(self) -> Any:
        """The right value as gold writes it."""
        return gold(self.policy)


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One call that is due."""

    tool: str
    arguments: dict[str, Argument]
    """What gold states, in the definition's order."""
    spans: tuple[Span, ...]
    """Why this tool is called."""
    defaults: dict[str, Argument] = {}
    """Optional arguments the instruction does not determine: absent, or stated at their documented default."""

    @property
    def gold(self) -> dict[str, Any]:
        """The call as gold makes it."""
        return {"name": self.tool, "arguments": {name: part.gold for name, part in self.arguments.items()}}


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """A call that must stand before another; both by their place in `Spec.calls`."""

    first: int
    then: int
    spans: tuple[Span, ...]


class Temptation(msgspec.Struct, frozen=True, kw_only=True):
    """A call somebody careless would make and the task forbids."""

    call: dict[str, Any]
    why: str
    """Why it is wrong, in one sentence."""
    span: Span | None = None
    """The words that forbid it outright, if there are any; without them it is simply not asked for."""


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """The right answer of a single-turn task. No calls: no tool can do what is asked."""

    calls: tuple[Call, ...] = ()
    order: tuple[Order, ...] = ()
    temptations: tuple[Temptation, ...] = ()
    asked: tuple[Span, ...] = ()
    """The words that ask for what no tool can do; needed where `calls` is empty."""
    framing: tuple[Span, ...] = ()
    """The words that say which message of a conversation is answered, and how often."""


def value(
    brief: Brief,
    tool: str,
    name: str,
    right: Any,
    because: Words | Sequence[Words] | None = None,
    *,
    may_omit: bool | None = None,
) -> Argument:
    """An argument of a call.

    `right` is the value, or a policy where the conventions alone do not say how it is compared. `because` are the words
    that impose it; without them the value's own words are sought. `may_omit` is read from the definition's default
    unless given. Raises `Inconsistent` where no words are found or the definition lacks the argument.
    """
    schema = brief.schema(tool, name)
    policy = right if isinstance(right, POLICIES) else infer(schema, right)
    if because is None:
        spans = brief.value(tool, name, gold(policy))
    else:
        wanted = [because] if isinstance(because, str | re.Pattern | Span) else because
        spans = tuple(brief.find(words) for words in wanted)
    if may_omit is None:
        required = name in brief.parameters(tool).get("required", ())
        may_omit = not required and "default" in schema and same(schema["default"], gold(policy))
    return Argument(policy=policy, spans=spans, may_omit=may_omit)


def due(
    brief: Brief,
    tool: str,
    arguments: Mapping[str, Any],
    *,
    why: Words | None = None,
    because: Mapping[str, Words | Sequence[Words]] | None = None,
    documented: Mapping[str, Any] | None = None,
) -> Call:
    """A call that is due.

    `arguments` maps names to values, policies or ready `Argument`s; `why` are the words that ask for the call (the
    tool's definition is cited besides); `because` the words that impose an argument; `documented` adds defaults that a
    description states in prose and no `default` key repeats: an argument equal to one may be left out, an
    argument not given may be stated at it.
    """
    because, documented = because or {}, documented or {}
    ready = {}
    for name, right in arguments.items():
        if isinstance(right, Argument):
            ready[name] = right
            continue
        part = value(brief, tool, name, right, because.get(name))
        omit = part.may_omit or (name in documented and same(documented[name], part.gold))
        ready[name] = msgspec.structs.replace(part, may_omit=omit)
    spans = (*((brief.find(why),) if why is not None else ()), brief.definition(tool))
    return Call(tool=tool, arguments=ready, spans=spans, defaults=_defaults(brief, tool, ready, documented))


def clauses(spec: Spec) -> tuple[Clause, ...]:
    """Every requirement of a spec with the words that impose it; raises `Inconsistent` for one without words."""
    found = [
        Clause(id="turn", text="The answer is one turn.", spans=(*spec.framing, convention(conventions.TURNS))),
        Clause(id="calls", text=_restraint(spec), spans=_restraint_spans(spec)),
    ]
    for place, call in enumerate(spec.calls, 1):
        found += _call_clauses(f"call{place}", call)
    for place, order in enumerate(spec.order, 1):
        first, then = spec.calls[order.first].tool, spec.calls[order.then].tool
        text = f"Call {order.first + 1} ({first}) stands before call {order.then + 1} ({then})."
        found.append(Clause(id=f"order{place}", text=text, spans=order.spans))
    if bare := [clause.id for clause in found if not clause.spans]:
        raise Inconsistent(f"clauses without words: {', '.join(bare)}")
    return tuple(found)


def reference(spec: Spec) -> Reference:
    """The tree that decides a solution: one atom for each clause, matched one to one over the calls."""
    parts: list[Node] = [
        Atom(name="turn", clause="turn", check="turn_count", parameters={"count": 1}),
        Atom(name="calls", clause="calls", check="call_count", parameters={"turn": 0, "count": len(spec.calls)}),
    ]
    if spec.calls:
        slots = tuple(_slot(f"call{place}", call) for place, call in enumerate(spec.calls, 1))
        parts.append(OneToOne(over="/solution/turns/0/calls", slots=slots))
    parts += [_order(f"order{place}", order, spec) for place, order in enumerate(spec.order, 1)]
    return Reference(root=All(of=tuple(parts)), library=library_version())


def gold_solution(spec: Spec) -> dict[str, Any]:
    """Gold: the due calls in the spec's order, and nothing said."""
    return {"turns": [{"calls": [call.gold for call in spec.calls], "message": None, "answer": None}]}


def _defaults(
    brief: Brief, tool: str, given: Mapping[str, Argument], documented: Mapping[str, Any]
) -> dict[str, Argument]:
    schema = brief.parameters(tool)
    found = defaults(schema, given)
    found |= {name: infer(brief.schema(tool, name), part) for name, part in documented.items() if name not in given}
    span = convention(conventions.OPTIONAL)
    return {
        name: Argument(policy=policy, spans=(brief.definition(tool, name), span), may_omit=True)
        for name, policy in found.items()
    }


def _restraint(spec: Spec) -> str:
    if not spec.calls:
        return "No tool can do what is asked: nothing is called."
    return f"Exactly the {len(spec.calls)} due call(s) are made, each once."


def _restraint_spans(spec: Spec) -> tuple[Span, ...]:
    outright = tuple(t.span for t in spec.temptations if t.span is not None)
    if spec.calls:
        return (*spec.framing, *spec.asked, *outright, convention(conventions.CALLS))
    if not spec.asked:
        raise Inconsistent("a task without calls needs the words that ask for what no tool can do")
    return (*spec.framing, *spec.asked, *outright, convention(conventions.NO_TOOL))


def _call_clauses(name: str, call: Call) -> list[Clause]:
    names = (convention(conventions.NAMES), convention(conventions.OPTIONAL))
    found = [
        Clause(id=name, text=f"The tool {call.tool} is called.", spans=call.spans),
        Clause(id=f"{name}.arguments", text=f"{call.tool} gets no argument beside those that are due.", spans=names),
    ]
    for argument, part in call.arguments.items():
        text = f"{argument} of {call.tool} is {part.gold!r}{' or left out' if part.may_omit else ''}."
        found.append(Clause(id=f"{name}.{argument}", text=text, spans=part.spans))
    for argument, part in call.defaults.items():
        text = f"{argument} of {call.tool} is not asked for: absent, or its default {part.gold!r}."
        found.append(Clause(id=f"{name}.{argument}", text=text, spans=part.spans))
    return found


def _slot(name: str, call: Call) -> Node:
    known = {**call.arguments, **call.defaults}
    return All(
        of=(
            Atom(name=name, clause=name, check="tool", parameters={"name": call.tool}),
            Atom(
                name=f"{name}.arguments",
                clause=f"{name}.arguments",
                check="only_arguments",
                parameters={"names": list(known)},
            ),
            *(_atom(f"{name}.{argument}", argument, part) for argument, part in known.items()),
        )
    )


def _atom(name: str, argument: str, part: Argument) -> Atom:
    right = msgspec.to_builtins(part.policy)
    pointer = "/arguments/" + argument.replace("~", "~0").replace("/", "~1")
    parameters = {"at": pointer, "right": right, "may_omit": part.may_omit}
    return Atom(name=name, clause=name, check=right["policy"], parameters=parameters)


def _order(name: str, order: Order, spec: Spec) -> Atom:
    parameters = {
        "turn": 0,
        "first": _selector(spec.calls[order.first]),
        "then": _selector(spec.calls[order.then]),
    }
    return Atom(name=name, clause=name, check="before", parameters=parameters)


def _selector(call: Call) -> dict[str, Any]:
    known = {**call.arguments, **call.defaults}
    arguments = {n: {"right": msgspec.to_builtins(p.policy), "may_omit": p.may_omit} for n, p in known.items()}
    return {"name": call.tool, "arguments": arguments}
