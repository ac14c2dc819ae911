"""Our reading of upstream's entries: which are tasks, what their words add to gold, and how gold is repaired.

Two tables of facts beside this module, and no sentence of upstream's in either: `tasks.toml` says which entries stay
and where their words are found, `defects.toml` is the ledger. A value upstream accepts and we do not, or the other way
round, stands in the ledger with its reason; nothing else changes gold.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import MalformedInput
from verifierbench.sources.ledger import LEDGER, Defect, LeftOut, read_tables, repaired

HERE = Path(__file__).parent
MAY_BE_LEFT_OUT = ""
"""How gold, and a repair of it, lists that an argument may be left out."""


class Due(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the public words add to one call of upstream's gold; see the head of tasks.toml."""

    why: str
    stated: tuple[str, ...] = ()
    said: dict[str, str | tuple[str, ...]] = {}
    gold: dict[str, Any] = {}
    documented: dict[str, Any] = {}
    ordered: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()


class Tempting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call somebody careless would make."""

    name: str
    arguments: dict[str, Any]
    why: str


class Curated(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry that is a task."""

    id: str
    call: tuple[Due, ...] = ()
    asked: tuple[str, ...] = ()
    temptation: tuple[Tempting, ...] = ()


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
        raise MalformedInput(folder, "tasks.toml, defects.toml", str(error)) from error


def accepted(values: Iterable[Any], defects: Iterable[Defect], place: tuple[str, int, str]) -> tuple[list[Any], bool]:
    """The values of one argument that are right, and whether it may be left out: upstream's, repaired by the ledger.

    `place` is (entry id, call, argument). Raises `MalformedInput` for a repair that finds nothing to repair.
    """
    right = repaired(values, defects, place, HERE / LEDGER)
    return [value for value in right if value != MAY_BE_LEFT_OUT], MAY_BE_LEFT_OUT in right
