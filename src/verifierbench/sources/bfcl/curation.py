"""Our reading of upstream's entries: which are tasks, what their words add to gold, and how gold is repaired.

Two tables of facts beside this module, and no sentence of upstream's in either: `tasks.toml` says which entries stay
and where their words are found, `defects.toml` is the ledger. A value upstream accepts and we do not, or the other way
round, stands in the ledger with its reason; nothing else changes gold.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from verifierbench.core import MalformedInput
from verifierbench.core.files import read_bytes

HERE = Path(__file__).parent


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


class LeftOut(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry that was read and is no task."""

    id: str
    why: str


class Defect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of the ledger; `task`, `call` and `argument` are None for the checker's own behaviour."""

    id: str
    kind: Literal["too_wide", "too_narrow", "inconsistent", "convention", "checker"]
    what: str
    evidence: str
    task: str | None = None
    call: int | None = None
    argument: str | None = None
    remove: tuple[Any, ...] = ()
    add: tuple[Any, ...] = ()


class Curation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Both tables."""

    task: tuple[Curated, ...]
    left_out: tuple[LeftOut, ...] = ()
    defect: tuple[Defect, ...] = ()


@cache
def curation(folder: Path = HERE) -> Curation:
    """Read the tables of a folder; raises `MalformedInput`."""
    tables: dict[str, Any] = {}
    for name in ("tasks.toml", "defects.toml"):
        tables |= _table(folder / name)
    try:
        return msgspec.convert(tables, Curation)
    except msgspec.ValidationError as error:
        raise MalformedInput(folder, "tasks.toml, defects.toml", str(error)) from error


def accepted(values: Iterable[Any], defects: Iterable[Defect], place: tuple[str, int, str]) -> list[Any]:
    """The values of one argument that are right: upstream's, without "" (may be left out), repaired by the ledger.

    `place` is (entry id, call, argument). Raises `MalformedInput` for a repair that finds nothing to repair.
    """
    right = [value for value in values if value != ""]
    for defect in defects:
        if (defect.task, defect.call, defect.argument) == place:
            right = _repaired(right, defect)
    return right


def _repaired(right: list[Any], defect: Defect) -> list[Any]:
    for value in defect.remove:
        if value not in right:
            raise MalformedInput(
                HERE / "defects.toml", defect.id, f"gold does not accept {value!r}, so it cannot be removed"
            )
    for value in defect.add:
        if value in right:
            raise MalformedInput(HERE / "defects.toml", defect.id, f"gold accepts {value!r} already")
    return [value for value in right if value not in defect.remove] + list(defect.add)


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_bytes(path).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MalformedInput(path, "", str(error)) from error
