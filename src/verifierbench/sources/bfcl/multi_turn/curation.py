"""Our reading of upstream's multi-turn entries: what each turn asks for, and where its words say so.

`tasks.toml` beside this module holds ids, pointers, argument values and the few words by which a clause finds its
place; no sentence of upstream's is in it. What a turn brings about is taken from playing gold; the table says which
of it is asked for, which words ask, and what else is as good.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import MalformedInput
from verifierbench.sources.ledger import LEDGER, Defect, LeftOut, read_tables

HERE = Path(__file__).parent


class Brought(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A value in the state after the turn; see the head of tasks.toml."""

    at: str
    why: str
    gone: bool = False
    whole: bool = False
    any_text: bool = False
    open_end: bool = False
    at_least: bool = False
    case: bool = False


class Another(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another call that returns the same information."""

    name: str
    arguments: dict[str, Any] = {}
    free: tuple[str, ...] = ()
    shows: str = ""


class Looked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that has to be looked up, by a call of gold."""

    call: str
    why: str
    free: tuple[str, ...] = ()
    swap: tuple[str, ...] = ()
    also: tuple[Another, ...] = ()
    sole: bool = False


class Calls(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Other calls in the place of a turn's own."""

    calls: tuple[dict[str, Any], ...]
    note: str


class Allowed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a turn may change beside what gold changes."""

    changed: tuple[str, ...]


class CuratedTurn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One turn of the user."""

    effect: tuple[Brought, ...] = ()
    lookup: tuple[Looked, ...] = ()
    waits: str = ""
    way: tuple[Calls, ...] = ()
    wrong: tuple[Calls, ...] = ()
    may: Allowed = Allowed(changed=())


class Curated(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry that is a task."""

    id: str
    turn: tuple[CuratedTurn, ...]
    others: dict[str, tuple[Any, ...]] = {}


class Curation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Both tables."""

    task: tuple[Curated, ...]
    left_out: tuple[LeftOut, ...] = ()
    defect: tuple[Defect, ...] = ()


@cache
def curation(folder: Path = HERE) -> Curation:
    """Read the tables of a folder; raises `MalformedInput`."""
    try:
        return msgspec.convert(read_tables(folder, "tasks.toml", LEDGER), Curation)
    except msgspec.ValidationError as error:
        raise MalformedInput(folder, f"tasks.toml, {LEDGER}", str(error)) from error
