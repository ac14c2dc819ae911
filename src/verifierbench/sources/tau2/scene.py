"""What a domain's rules are given of one task, and the small makers that all domains share."""

from __future__ import annotations

from typing import Any

import msgspec

from verifierbench.core import Atom, Clause, Inconsistent, Node, Span
from verifierbench.families.state import conventions
from verifierbench.families.state.operators import Call, Execute, Say, Script, Whole
from verifierbench.families.state.operators.script import after, before, replaced, without

from .curation import Edit, Made, Row, Words
from .data import Entry
from .effects import Played
from .wording import sentence

FRAME = Clause(
    id="frame",
    text="Nothing changes but what the request and the rules ask for.",
    spans=(Span(material="conventions", quote=conventions.FRAME),),
)


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """One task in the making."""

    row: Row
    entry: Entry
    instruction: str
    policy: str
    initial: Any
    """The initial state."""
    played: Played
    execute: Execute

    @property
    def task(self) -> str:
        """The task's id."""
        return f"tau2/{self.entry.id}"

    def rule(self, clause: str, text: str, *words: str) -> Clause:
        """A clause that sentences of the policy impose, each found by a few of its words."""
        quotes = (sentence(self.policy, part) for part in words)
        return Clause(id=clause, text=text, spans=tuple(Span(material="policy", quote=quote) for quote in quotes))

    def asked(self, clause: str, text: str, words: Words) -> Clause:
        """A clause that the request imposes; its words are quoted as the table has them."""
        quotes = several(words)
        for quote in quotes:
            if quote not in self.instruction:
                raise Inconsistent(f"{self.entry.id}: the instruction has no words {quote!r}")
        return Clause(id=clause, text=text, spans=tuple(Span(material="instruction", quote=quote) for quote in quotes))


def several(words: Words) -> tuple[str, ...]:
    """One or more places, as a tuple."""
    return (words,) if isinstance(words, str) else words


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What a domain makes of a scene."""

    clauses: tuple[Clause, ...]
    atoms: tuple[Node, ...]
    described: dict[str, Any]
    """Fields of `Described`, beside the task and `execute`."""


def atom(name: str, clause: str, check: str, **parameters: Any) -> Atom:
    """One atom."""
    return Atom(name=name, clause=clause, check=check, parameters=parameters)


def call(made: Made, tag: str = "") -> Call:
    """A call of a table."""
    return Call(made.name, made.arguments, made.tag or tag, made.role)


def customer(text: str, tag: str = "") -> Say:
    """Something the customer writes."""
    return Say("user", text, tag)


def agent(text: str, tag: str = "") -> Say:
    """Something the agent writes."""
    return Say("assistant", text, tag)


def edited(gold: Script, edits: tuple[Edit, ...]) -> Script:
    """Gold with the edits of a table, one after the other."""
    for edit in edits:
        event = call(edit.call) if edit.call is not None else Say(edit.by, edit.says)
        if edit.how == "drop":
            gold = without(gold, edit.at)
        elif edit.how == "instead":
            gold = replaced(gold, edit.at, msgspec.structs.replace(event, tag=edit.at))
        else:
            gold = (before if edit.how == "before" else after)(gold, edit.at, event)
    return gold


def apart(row: Row, gold: Script) -> tuple[Whole, ...]:
    """The cases that the table writes for one task alone."""
    return tuple(
        Whole(
            one.operator,
            one.kind,
            edited(gold, one.edit),
            one.clause,
            one.note,
            edited(gold, one.control) if one.control else None,
            one.control_note,
        )
        for one in row.apart
    )
