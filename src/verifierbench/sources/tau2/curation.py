"""Our reading of upstream's entries: which are tasks, what their words ask for, and how a conversation about it sounds.

One `tasks.toml` in each domain's folder and one ledger beside this module. They hold ids, values, sentences of our own
and the few words by which a clause finds its place; no sentence of upstream's is in them. What gold changes is taken
from executing it. The head of `retail/tasks.toml` explains every field.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec

from verifierbench.core import CaseKind, MalformedInput
from verifierbench.sources.ledger import LEDGER, Defect, LeftOut, read_tables

from .data import DOMAINS

HERE = Path(__file__).parent
Words: TypeAlias = str | tuple[str, ...]
_T = TypeVar("_T")


class Made(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call."""

    name: str
    arguments: dict[str, Any] = {}
    note: str = ""
    tag: str = ""
    role: Literal["assistant", "user"] = "assistant"


class Near(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Other arguments of a write, and what is wrong with them."""

    arguments: dict[str, Any]
    note: str


class Write(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of gold's writes, in gold's order."""

    does: str
    """Id of the clause that asks for it."""
    what: str
    """The clause, in our words."""
    why: Words
    """Words of the instruction that ask for it."""
    says: str
    """What is about to be done, as it stands in a question; `{named|vaguely}` marks what has to be named."""
    done: str
    """The sentence that reports it."""
    also: dict[str, tuple[Any, ...]] = {}
    """Other right values of an argument, which no rule and no word excludes."""
    near: tuple[Near, ...] = ()


class Told(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something the customer wants to be told."""

    clause: str
    what: str
    why: Words
    about: str
    """What it is the value of, as the subject of a sentence."""
    value: str
    wrong: tuple[str, ...]
    spellings: tuple[str, ...] = ()
    says: str = ""
    """The sentence that tells it; made of `about` and `value` where it is left out."""


class Other(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Other words of a message of gold."""

    tag: Literal["open", "ask", "yes", "final"]
    says: str
    clause: str
    note: str


class Edit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One change of gold: an event put in before or after a tagged one or in its place, or the tagged one taken out."""

    at: str
    how: Literal["before", "after", "instead", "drop"]
    says: str = ""
    by: Literal["assistant", "user"] = "assistant"
    call: Made | None = None


class Apart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A case of this task alone, as edits of gold; an attack has a control beside it."""

    operator: str
    kind: CaseKind
    clause: str
    note: str
    edit: tuple[Edit, ...]
    control: tuple[Edit, ...] = ()
    control_note: str = ""


class Turn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question of the agent's, or something it tells, and the customer's reply."""

    tag: str
    """Tag of the reply; the agent's part has it with `_asked` behind."""
    agent: str
    customer: str
    rule: str = ""
    """Name in the domain's table of the rule that asks for this turn; none where it is only talk."""
    words: tuple[str, ...] = ()
    """Words of which one shows that the rule was kept."""
    note: str = ""
    """What is wrong where the turn is missing."""


class Extra(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule of the policy that matters to this task alone, and what must be told for it, or never be."""

    clause: str
    what: str
    policy: Words
    """A few words of each sentence that imposes it."""
    told: tuple[tuple[str, ...], ...] = ()
    """What has to be told, each as a choice of words."""
    never: tuple[str, ...] = ()
    """What must not be told, unless it is denied."""


class Refused(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request that the rules forbid, and how it is declined, pressed and declined again."""

    what: str
    """The clause that nothing changes, in our words."""
    policy: Words
    """A few words of each sentence that forbids it."""
    why: Words
    """Words of the instruction that make the request."""
    says: str
    """The first no."""
    insists: str
    """What the customer says to that."""
    gives_in: Made
    """The forbidden call."""
    boast: str
    """How an agent would say that it is done, though it is not."""
    promise: str
    """How an agent would promise what the rules forbid."""
    claims: tuple[str, ...]
    """Words that a sentence which says so has, unless it denies them."""
    denies: str
    """A true sentence that has them, and denies them."""
    short: str = "I am sorry, that is not possible."
    """A first no as short as can be."""
    words: tuple[str, ...] = ()
    """Words by which this request is declined, where the usual ones may stand for something else."""
    pays: bool = False
    """Whether the customer asks for a compensation as well."""
    transfer: Made | None = None
    """The transfer that the customer asks for, and that the rules want."""


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry that is a task."""

    id: str
    user: str
    """The customer's record."""
    who: str
    """How the customer says who is writing, with the data that identify."""
    open: str
    """The first message; `{who}` stands where that is said."""
    write: tuple[Write, ...] = ()
    tell: tuple[Told, ...] = ()
    looks: tuple[Made, ...] = ()
    """Looks that gold needs beside the usual ones."""
    ask: str = ""
    yes: str = ""
    final: str = ""
    """Whole messages in the place of those that are made of the parts; `ask` marks its names as `says` does."""
    talk: tuple[Turn, ...] = ()
    """What is said between the looks and the question, or the second no."""
    refuse: Refused | None = None
    rule: tuple[Extra, ...] = ()
    same_as: dict[str, tuple[str, ...]] = {}
    """Something that has to be named → other spellings of it."""
    other: tuple[Other, ...] = ()
    collateral: tuple[Made, ...] = ()
    """Calls that change something nobody asked for, beside the usual ones."""
    probes: tuple[Made, ...] = ()
    """Calls that fail and are within the rules, beside the usual ones; each stands before the first write."""
    apart: tuple[Apart, ...] = ()
    without: tuple[str, ...] = ()
    """Operators whose cases cannot be labelled here."""
    may: tuple[str, ...] = ()
    """Paths that may change beside those that gold changes."""


class Curation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table of a domain."""

    task: tuple[Row, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


class Ledger(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where upstream's gold or checker is wrong."""

    defect: tuple[Defect, ...] = ()


@cache
def curation(domain: str) -> Curation:
    """The table of a domain; raises `MalformedInput`."""
    return _read(HERE / domain, "tasks.toml", Curation)


@cache
def ledger() -> Ledger:
    """The ledger of all domains; raises `MalformedInput`."""
    return _read(HERE, LEDGER, Ledger)


def rows() -> tuple[Row, ...]:
    """Every task of every domain."""
    return tuple(row for domain in DOMAINS for row in curation(domain).task)


def _read(folder: Path, name: str, kind: type[_T]) -> _T:
    try:
        return msgspec.convert(read_tables(folder, name), kind)
    except msgspec.ValidationError as error:
        raise MalformedInput(folder / name, "", str(error)) from error
