"""Upstream's entries, read from the installed package as JSON files; its code is never imported here.

Every file used is pinned by its SHA-256: our curation speaks about exactly these bytes, and other bytes under the
same names are refused. An entry's id, category, user text, tool definitions and gold are taken as they stand; the
tool definitions are then translated (`dialect`) and the gold is corrected by our ledger (`curation`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import MalformedInput
from verifierbench.core import sha256 as hash_of
from verifierbench.core.files import read_bytes

VERSION = "2026.3.23"
SOURCE_VERSION = f"bfcl-eval {VERSION}"
COMMAND = "verifierbench sources install bfcl"
DATA = Path("bfcl_eval/data")
FILES = {
    "BFCL_v4_simple_python.json": "82dd63ba502eb2520c6b5d1d9a5c4b590e03ff261565175561f6228a367d1991",
    "BFCL_v4_multiple.json": "aef168155ebd74b7ac2401198b201343bc7d16d7a3d7e0d4e6d8ee82c6969b2a",
    "BFCL_v4_parallel.json": "19f51a82eff42e5d62541aa500115a056eb78f437c2ba1f10415fd7c8e5dda84",
    "BFCL_v4_parallel_multiple.json": "8863ea8433239f55c5f016154cf0830853c89f693c6ea270396a2fa121960579",
    "BFCL_v4_live_simple.json": "1af2ac87dca47556db7b7e37e51e28b459a38b594e3c7b3c792b4903598ca0c4",
    "BFCL_v4_live_multiple.json": "fd8ccfad4d911420d0e3341dbe2fff77d1d341da934248b9bb2bda24ab3a10c8",
    "BFCL_v4_live_parallel_multiple.json": "21d4b9319c1faac431e22757b367ea28917fe467364c3a4b17f16ec06d4f6e79",
    "BFCL_v4_irrelevance.json": "2b6ed4c2e992cdcf5f1678a701851f944bef7550ee026ed1ddb89efed5be01a6",
    "possible_answer/BFCL_v4_simple_python.json": "90cd5bc653690ee8e459b5b3f3fc9458606f7f3fcbf795bb51b7dc581f8c86dc",
    "possible_answer/BFCL_v4_multiple.json": "244e00ce9395df948bcafc7bee64e8f9c87ef70887587d83cae45b13699f3047",
    "possible_answer/BFCL_v4_parallel.json": "8a6aa19c1adddc6a5a2f7e40f9dbf30cc7e95815e7b830c90589ab318229e0f0",
    "possible_answer/BFCL_v4_parallel_multiple.json": (
        "5ebf24f458c1f16300c05505d83d6f0a1b68b79be273a033febd0d4f840507e3"
    ),
    "possible_answer/BFCL_v4_live_simple.json": "fec9cfa9744a936f9126981e85a2023da1e63e273eafebc81923a1162fad70ce",
    "possible_answer/BFCL_v4_live_multiple.json": "97e90d59c5bd76c55a2920ce93e5566e9046307d3f558578f085f9d3a56c3084",
    "possible_answer/BFCL_v4_live_parallel_multiple.json": (
        "f5b5f360556c5feb51db46fb9f56ee4b304f4b45b161599bbb14161c98a2873f"
    ),
}
"""Path under `DATA` → SHA-256."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One upstream entry, in upstream's own form."""

    id: str
    instruction: str
    """The user's one message."""
    tools: list[dict[str, Any]]
    """Tool definitions in upstream's schema dialect."""
    gold: list[dict[str, dict[str, list[Any]]]] | None
    """Per call `{tool: {argument: [accepted values]}}`, "" for "may be left out"; None where no call is right."""

    @property
    def category(self) -> str:
        """Upstream's category: what its checker dispatches on."""
        return category_of(self.id)


def category_of(identifier: str) -> str:
    """`live_multiple_36-12-0` → `live_multiple`."""
    return identifier.rpartition("_")[0]


def load(packages: Path, identifiers: Iterable[str], files: dict[str, str] | None = None) -> dict[str, Entry]:
    """The named entries from a package directory; raises `MalformedInput` for files that are not the pinned ones.

    `files` replaces the pins: path under `DATA` → SHA-256.
    """
    wanted = dict.fromkeys(identifiers)
    pinned = FILES if files is None else files
    found: dict[str, Entry] = {}
    for category in dict.fromkeys(category_of(identifier) for identifier in wanted):
        found |= _category(packages / DATA, category, wanted, pinned)
    for identifier in wanted.keys() - found.keys():
        raise MalformedInput(packages / DATA, identifier, "there is no entry of this id")
    return {identifier: found[identifier] for identifier in wanted}


def _category(folder: Path, category: str, wanted: Iterable[str], pinned: dict[str, str]) -> dict[str, Entry]:
    name = f"BFCL_v4_{category}.json"
    questions = _lines(folder, name, pinned)
    answers = _lines(folder, f"possible_answer/{name}", pinned) if f"possible_answer/{name}" in pinned else {}
    return {
        identifier: _entry(folder / name, questions[identifier], answers.get(identifier))
        for identifier in wanted
        if identifier in questions
    }


def _lines(folder: Path, name: str, pinned: dict[str, str]) -> dict[str, Any]:
    return {row["id"]: row for row in rows(folder, name, pinned)}


def rows(folder: Path, name: str, pinned: dict[str, str]) -> list[dict[str, Any]]:
    """The rows of one pinned file; raises `MalformedInput` for other bytes."""
    data = read_bytes(folder / name)
    if hash_of(data) != pinned.get(name):
        raise MalformedInput(
            folder / name,
            "",
            f"not the bytes of {SOURCE_VERSION}; delete {folder.parents[1]} and run `{COMMAND}`",
        )
    return [json.loads(line) for line in data.splitlines() if line.strip()]


def _entry(path: Path, row: dict[str, Any], answer: dict[str, Any] | None) -> Entry:
    messages = [message for turn in row["question"] for message in turn]
    if [message["role"] for message in messages] != ["user"]:
        raise MalformedInput(path, row["id"], "it is not one message of the user, the only form this source reads")
    return Entry(
        id=row["id"],
        instruction=messages[0]["content"],
        tools=row["function"],
        gold=answer["ground_truth"] if answer else None,
    )
