"""Upstream's agent entries: what the user wants, the simulators and their initial state, and gold's end state.

As everywhere, every file is pinned by its SHA-256. A tool definition that no call can meet is mended by the ledger and
by nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import Inconsistent, MalformedInput

from .. import dialect
from ..data import DATA, FILES, category_of, rows, split_id

SPOKEN_TO = "agent_multi_turn"
"""The category whose entries say to a user what they want, not to an assistant."""


class Tool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tool definition the ledger mends: which arguments it requires."""

    name: str
    requires: tuple[str, ...]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One agent entry."""

    id: str
    question: str
    classes: tuple[str, ...]
    initial_config: dict[str, Any]
    tools: list[dict[str, Any]]
    """As JSON Schema."""
    end: list[dict[str, dict[str, Any]]]
    """Gold's end state in upstream's form: one object for each class of simulator."""

    @property
    def category(self) -> str:
        """Upstream's category."""
        return category_of(self.id)

    @property
    def scenario(self) -> dict[str, Any]:
        """What the simulators' worker needs of it."""
        return {
            "classes": self.classes,
            "initial_config": self.initial_config,
            "tools": [{"name": tool["name"], "parameters": tool["parameters"]} for tool in self.tools],
        }


def load(
    folder: Path, identifiers: Iterable[str], mended: Iterable[Tool], files: Mapping[str, str] | None = None
) -> dict[str, Entry]:
    """The named entries, in this order; raises `MalformedInput` for files that are not the pinned ones.

    `files` replaces the pins: path under the folder → SHA-256.
    """
    wanted, tools = tuple(identifiers), {tool.name: tool for tool in mended}
    pinned = FILES if files is None else files
    known: dict[str, Entry] = {}
    for language, category in dict.fromkeys((split_id(each)[0], category_of(each)) for each in wanted):
        base = DATA / f"data_{language}"
        answers = rows(folder, base / "possible_answer" / f"data_{category}.json", pinned)
        for name, row in rows(folder, base / f"data_{category}.json", pinned).items():
            known[f"{language}_{name}"] = _entry(f"{language}_{name}", row, answers[name], tools)
    for identifier in set(wanted) - known.keys():
        raise MalformedInput(folder, identifier, "there is no entry of this id")
    return {identifier: known[identifier] for identifier in wanted}


def _entry(identifier: str, row: Mapping[str, Any], answer: Mapping[str, Any], mended: Mapping[str, Tool]) -> Entry:
    end = answer["ground_truth"]
    return Entry(
        id=identifier,
        question=row["question"].strip(),
        classes=tuple(row["involved_classes"]),
        initial_config=row["initial_config"],
        tools=[_tool(definition, mended.get(definition["name"])) for definition in row["function"]],
        end=end if isinstance(end, list) else [end],
    )


def _tool(definition: dict[str, Any], mended: Tool | None) -> dict[str, Any]:
    """A definition as JSON Schema; raises `Inconsistent` for a mended one that needed no mending."""
    found = dialect.tool(definition)
    if mended is None:
        return found
    if set(found["parameters"]["required"]) == set(mended.requires):
        raise Inconsistent(f"{mended.name} requires {', '.join(mended.requires)} already")
    return {**found, "parameters": {**found["parameters"], "required": list(mended.requires)}}
