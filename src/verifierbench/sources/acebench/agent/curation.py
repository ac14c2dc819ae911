"""Our reading of upstream's agent entries: what each asks for, where its words say so, and where gold is wrong.

`tasks.toml` beside this module holds ids, pointers, argument values and the few words by which a clause finds its
place; no sentence of upstream's is in it. What is brought about is taken from playing gold's calls; the table says
which of it is asked for, which words ask, and what else is as good. `defects.toml` is the ledger.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from verifierbench.core import MalformedInput
from verifierbench.sources.ledger import LEDGER, LeftOut, read_tables

from .data import Tool

HERE = Path(__file__).parent


class Brought(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A value in the state afterwards; see the head of tasks.toml."""

    at: str
    why: tuple[str, ...]
    says: tuple[str, ...] = ()
    also: tuple[Any, ...] = ()
    undecided: tuple[Any, ...] = ()


class Another(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another call that returns the same information."""

    name: str
    arguments: dict[str, Any] = {}
    free: tuple[str, ...] = ()
    shows: dict[str, Any] = {}


class Looked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that has to be looked up, by a call of gold."""

    call: str
    why: tuple[str, ...]
    says: tuple[str, ...] = ()
    also: tuple[Another, ...] = ()


class Calls(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Other calls in the place of gold's."""

    calls: tuple[dict[str, Any], ...]
    note: str
    but: tuple[str, ...] = ()


class Curated(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry that is a task."""

    id: str
    calls: tuple[dict[str, Any], ...]
    effect: tuple[Brought, ...] = ()
    lookup: tuple[Looked, ...] = ()
    bounds: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    way: tuple[Calls, ...] = ()
    wrong: tuple[Calls, ...] = ()
    others: dict[str, tuple[Any, ...]] = {}


class Defect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of the ledger; without `task` it is the checker's own behaviour or a tool definition's."""

    id: str
    kind: Literal["gold", "tool", "checker"]
    what: str
    evidence: str
    task: str | None = None
    at: tuple[str, ...] = ()
    """Where gold's end state is wrong, as `/class/attribute/…` in upstream's own names."""
    tool: Tool | None = None


class Curation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Both tables."""

    task: tuple[Curated, ...]
    left_out: tuple[LeftOut, ...] = ()
    defect: tuple[Defect, ...] = ()

    @property
    def mended(self) -> tuple[Tool, ...]:
        """The tool definitions the ledger mends."""
        return tuple(defect.tool for defect in self.defect if defect.tool is not None)


@cache
def curation(folder: Path = HERE) -> Curation:
    """Read the tables of a folder; raises `MalformedInput`."""
    try:
        return msgspec.convert(read_tables(folder, "tasks.toml", LEDGER), Curation)
    except msgspec.ValidationError as error:
        raise MalformedInput(folder, f"tasks.toml, {LEDGER}", str(error)) from error
