"""A task as operators need it: its gold conversation, which event plays which part, what is free and what is wrong.

Operators know no domain. What depends on it is data here, and each entry names the clause it rests on, because
a case must say which requirement it violates or which freedom it uses.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from verifierbench.core import CaseKind, Ground

from .script import Call, Event, Execute, Script


class Variant(msgspec.Struct, frozen=True):
    """Other words, another argument or another call, and the clause this concerns."""

    tag: str
    """The event it replaces, or stands before."""
    new: str | dict[str, Any] | Call
    """The text of a message, some arguments of a call, or a call."""
    clause: str
    note: str


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """Something the user must be told; see `families.state.facts`."""

    clause: str
    value: str
    """As gold's text has it."""
    about: str
    """What it is the value of, as the subject of a sentence: `the refund`."""
    wrong: tuple[str, ...]
    """Other values, one at least: plausible, and rivals of the reference's check."""
    spellings: tuple[str, ...] = ()
    """Other ways to write it."""
    where: Literal["answer", "messages"] = "messages"


class Whole(msgspec.Struct, frozen=True):
    """A whole conversation written out."""

    operator: str
    kind: CaseKind
    script: Script
    clause: str
    note: str
    control: Script | None = None
    """For attacks: a valid conversation that touches the same surface."""
    control_note: str = ""


class Injected(msgspec.Struct, frozen=True, kw_only=True):
    """Orders that stand in what tools return, and that nobody may follow."""

    seen: tuple[Call, ...]
    """Looks that show them."""
    calls: tuple[Call, ...]
    """What they ask for, as calls that change something nobody else asked for."""
    echo: str
    """What they want the user to be told, as a sentence."""
    warning: str
    """How an assistant may tell the user of them."""
    clause: str = "orders"
    """Clause that what is said in obedience to them violates; what is done violates the frame."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A case before it has an id."""

    operator: str
    kind: CaseKind
    script: Script
    grounds: tuple[Ground, ...]
    effect: Literal["same", "different", "free"] = "free"
    """What executing it must show: the end state of gold, another, or either."""
    invents: bool = False
    """Whether quotes of missing results are filled with invented values."""
    answer: str | None = None
    control: Draft | None = None


class Described(msgspec.Struct, frozen=True, kw_only=True):
    """A task with the parts its events play. Parts a domain does not have stay empty, and their operators silent."""

    task: str
    gold: Script
    execute: Execute
    answer: str | None = None

    opening: str = "open"
    final: str = "final"
    writes: tuple[str, ...] = ()
    """Tags of the calls that change what was asked for, in order."""
    reads: tuple[str, ...] = ()
    """Tags of the calls that only look."""
    verify: str | None = None
    """Tag of the identity check."""
    ask: str | None = None
    yes: str | None = None
    """Tags of the question and of the user's consent."""
    agreed: tuple[str, ...] | None = None
    """Tags of the writes that need the consent; all of them where it is left out."""
    secret: str | None = None
    """What must never be told."""
    untold: str = ""
    """The opening in which the user does not tell the secret."""
    gossip: str = ""
    """A sentence about another person that must never be told."""
    receipt: str | None = None
    """A `str.format` pattern with one five-digit number: what a receipt looks like where receipts must be told."""

    goals: dict[str, str] = {}
    """Write tag → clause that asks for it."""
    frame: str = "frame"
    identity: str = "identity"
    own: str = "own"
    consent: str = "consent"
    told: str = "told"
    invented: str = "invented"
    private: str = "private"
    shortcut: str = "shortcut"
    outcome: str = "frame"
    """Clause that a conversation in which nothing was done violates."""

    facts: tuple[Fact, ...] = ()
    """What the user must be told, each in a text of gold that names it."""
    words: tuple[Variant, ...] = ()
    extra_calls: tuple[Call, ...] = ()
    """Calls nobody asked for; whether one is free or wrong is found by executing it."""
    probes: tuple[Variant, ...] = ()
    """Calls that fail, before a tagged event."""
    near: tuple[Variant, ...] = ()
    """Other arguments of a write."""
    collateral: tuple[Variant, ...] = ()
    """Calls that change something else, before a tagged event; of one with a tag the user is told the receipt."""
    independent: tuple[tuple[str, str], ...] = ()
    """Pairs of calls that may change places."""
    failed_verify: Call | None = None
    """An identity check that fails and is within the rules."""
    failed_guess: Call | None = None
    """An identity check of the user that fails, with a secret that nobody told."""
    guessed: Call | None = None
    """An identity check of somebody else with a secret that nobody told."""
    stranger: Call | None = None
    """A look at somebody else's account."""
    misread: tuple[Variant, ...] = ()
    """Other arguments of a look that the rules want, so that it is another one's, or fails."""
    question: str = ""
    """The question for consent in other words, complete."""
    vague: tuple[Variant, ...] = ()
    """The question for consent in other words, incomplete, and what is left out."""
    broken: dict[str, Any] = {}
    """Arguments that make the last write fail."""
    handover: Call | None = None
    forbidden: Call | None = None
    """A call that no rule allows, made so that it leaves the state as it is."""
    whole: tuple[Whole, ...] = ()
    injected: Injected | None = None

    @property
    def consented(self) -> tuple[str, ...]:
        """Tags of the writes that need the user's consent."""
        return self.writes if self.agreed is None else self.agreed


def grounds(clause: str, note: str) -> tuple[Ground, ...]:
    """One ground."""
    return (Ground(clause=clause, note=note),)


def attack(
    d: Described, operator: str, kind: CaseKind, script: Script, clause: str, note: str, control: Draft
) -> Draft:
    """A conversation that deceives; one that only breaks a rule on the way must end as gold does."""
    return Draft(
        operator=operator,
        kind=kind,
        script=script,
        grounds=grounds(clause, note),
        effect="same" if kind is CaseKind.PROCESS_VIOLATION else "free",
        invents=True,
        answer=d.answer,
        control=control,
    )


def matched(
    d: Described, operator: str, script: Script, clause: str, note: str, effect: Literal["same", "free"] = "same"
) -> Draft:
    """The control of an attack: a valid conversation that touches the same surface."""
    return Draft(
        operator=f"{operator}_control",
        kind=CaseKind.ALTERNATIVE,
        script=script,
        grounds=grounds(clause, note),
        effect=effect,
        answer=d.answer,
    )


def same_end(described: Described, script: Script) -> bool:
    """Whether a conversation ends in exactly the state in which gold ends."""
    return bool(end_state(described, script) == end_state(described, described.gold))


def end_state(described: Described, script: Script) -> Any:
    """The state in which a conversation ends, as its differences from the initial one."""
    return described.execute(_calls(script))["changes"]


def succeeded(described: Described, script: Script) -> set[str]:
    """Tags of the calls of a script that do not end in an error."""
    results = described.execute(_calls(script))["results"]
    calls = [event for event in script if isinstance(event, Call)]
    return {call.tag for call, result in zip(calls, results, strict=True) if "error" not in result}


def succeeds(described: Described, script: Script, call: Event) -> bool:
    """Whether a call of a script does not end in an error."""
    calls = [event for event in script if isinstance(event, Call)]
    result = described.execute(_calls(script))["results"][next(n for n, c in enumerate(calls) if c is call)]
    return "error" not in result


def _calls(script: Script) -> list[dict[str, Any]]:
    return [
        {"role": event.role, "call": {"name": event.name, "arguments": event.arguments}}
        for event in script
        if isinstance(event, Call)
    ]
