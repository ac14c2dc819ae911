"""Our reading of upstream's entries: which are tasks, what their words add to gold, and how gold is repaired.

Two tables of facts beside this module, and no sentence of upstream's in either: `tasks.toml` says which entries stay
and where their words are found, `defects.toml` is the ledger.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import MalformedInput
from verifierbench.sources.ledger import LEDGER, Defect, LeftOut, read_tables

HERE = Path(__file__).parent


class Due(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the public words add to one call of upstream's gold; see the head of tasks.toml."""

    why: str
    said: dict[str, str | tuple[str, ...]] = {}
    documented: dict[str, Any] = {}


class Guess(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call somebody makes who fills in or repairs what is missing or malformed."""

    name: str
    arguments: dict[str, Any]


class Curated(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry that is a task: calls, or a reply where no call is right."""

    id: str
    call: tuple[Due, ...] = ()
    asked: tuple[str, ...] = ()
    tool: str | None = None
    guess: Guess | None = None


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
