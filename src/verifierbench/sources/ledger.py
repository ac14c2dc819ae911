"""The ledger of defects every source keeps: where upstream's gold or checker is wrong, and how gold is repaired.

A value upstream accepts and we do not, or the other way round, stands there with its reason; nothing else changes gold.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

from verifierbench.core import MalformedInput
from verifierbench.core.files import read_bytes

LEDGER = "defects.toml"


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


def read_tables(folder: Path, *names: str) -> dict[str, Any]:
    """The tables of a folder, as one; raises `MalformedInput`."""
    tables: dict[str, Any] = {}
    for name in names:
        tables |= _table(folder / name)
    return tables


def repaired(values: Iterable[Any], defects: Iterable[Defect], place: tuple[str, int, str], ledger: Path) -> list[Any]:
    """The values of one argument that are right: upstream's, as the ledger corrects them.

    `place` is (entry id, call, argument). Raises `MalformedInput` for a repair that finds nothing to repair.
    """
    right = list(values)
    for defect in defects:
        if (defect.task, defect.call, defect.argument) == place:
            right = _repaired(right, defect, ledger)
    return right


def _repaired(right: list[Any], defect: Defect, ledger: Path) -> list[Any]:
    for value in defect.remove:
        if value not in right:
            raise MalformedInput(ledger, defect.id, f"gold does not accept {value!r}, so it cannot be removed")
    for value in defect.add:
        if value in right:
            raise MalformedInput(ledger, defect.id, f"gold accepts {value!r} already")
    return [value for value in right if value not in defect.remove] + list(defect.add)


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_bytes(path).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MalformedInput(path, "", str(error)) from error
