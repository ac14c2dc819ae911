"""Upstream's multi-turn entries: user turns, initial configuration, tools, and gold as calls with named arguments.

Gold is program text upstream (`f('a', b=1)`); it is parsed here and must consist of literals, so that nothing of it is
evaluated. As everywhere, every file is pinned by its SHA-256.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import Inconsistent, MalformedInput

from .. import dialect
from ..data import DATA, category_of, rows

_DOCUMENTS = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TwitterAPI": "posting_api",
    "VehicleControlAPI": "vehicle_control",
}
FILES = {
    "BFCL_v4_multi_turn_base.json": "1a21a995d06fd6f20ba55de7bced30ef953ec35e998f502ec2ecf4d66ef1c43a",
    "BFCL_v4_multi_turn_miss_func.json": "87d28ce10e37d864b72de85d5732eef2a867b241d6c1c99b4ae682c9e3ea921c",
    "BFCL_v4_multi_turn_miss_param.json": "f0c66dda3795f5f53e3e1c0cc8ba0246b6761c8f58bdba8317203bf451ab8838",
    "possible_answer/BFCL_v4_multi_turn_base.json": "1fee67823b317571649177dd89d63969feaae4e810cc7448ee55ba797fb7c8fc",
    "possible_answer/BFCL_v4_multi_turn_miss_func.json": (
        "69e679b806d1c871b05393a4b95583bb973248e5b8d96c2d7f4ca05e29fc32e6"
    ),
    "possible_answer/BFCL_v4_multi_turn_miss_param.json": (
        "59c442901779e2c31c33abcd566d032e03736e5ad8069de2fe05489873046ecf"
    ),
    "multi_turn_func_doc/gorilla_file_system.json": "c4c1b741c71e2a17c97a5dc9c4a91d89978c4eaece56494d14272d5df6c650e9",
    "multi_turn_func_doc/math_api.json": "83fa31708c89442bdcf12ac4dfbe3be8663ec9183a1b1524a9fda98164bc7e0b",
    "multi_turn_func_doc/message_api.json": "4d58ea933a5d2b280d7a52366617fb47fecd333d7b0e08e724db6fa12fb5f847",
    "multi_turn_func_doc/posting_api.json": "87f9fc404a06e4107d7c366f1399c596440e84c16cb119faf374b2f532d86e8b",
    "multi_turn_func_doc/ticket_api.json": "31324e0380782664fe82ba05bd23517808ad55692b45a5fe7c3d4d395fe4f0f8",
    "multi_turn_func_doc/trading_bot.json": "1a7933fd8f0cb8fbec38aeae05cb8c24132747cad4904fe1c13ac3d01fc22c2d",
    "multi_turn_func_doc/vehicle_control.json": "0c8a66292844874ef7b168f343bc394d8615d2d9e1f4387999a9ee23011eac78",
}
"""Path under the data folder → SHA-256."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One multi-turn entry."""

    id: str
    turns: tuple[str, ...]
    """What the user says, turn by turn; empty where the turn only brings more tools."""
    classes: tuple[str, ...]
    initial_config: dict[str, Any]
    tools: list[dict[str, Any]]
    """Every tool of the classes, as JSON Schema."""
    later: dict[str, int]
    """Tools that are not there from the start → the first turn (from 0) in which they are."""
    gold: tuple[tuple[dict[str, Any], ...], ...]
    """Per turn the calls, `{"name", "arguments"}`."""
    texts: tuple[tuple[str, ...], ...]
    """Gold as upstream writes it."""

    @property
    def scenario(self) -> dict[str, Any]:
        """What the simulators' worker needs of it."""
        return {
            "classes": self.classes,
            "initial_config": self.initial_config,
            "tools": [{"name": tool["name"], "parameters": tool["parameters"]} for tool in self.tools],
            "later": self.later,
        }


def load(packages: Path, identifiers: Iterable[str]) -> dict[str, Entry]:
    """The named entries, in this order; raises `MalformedInput` for files that are not the pinned ones."""
    wanted, folder = tuple(identifiers), packages / DATA
    documents: dict[str, list[dict[str, Any]]] = {}
    found: dict[str, Entry] = {}
    for category in dict.fromkeys(map(category_of, wanted)):
        name = f"BFCL_v4_{category}.json"
        answers = {row["id"]: row for row in rows(folder, f"possible_answer/{name}", FILES)}
        for row in rows(folder, name, FILES):
            if row["id"] in wanted:
                found[row["id"]] = _entry(folder / name, row, answers[row["id"]], _tools(folder, row, documents))
    for identifier in set(wanted) - found.keys():
        raise MalformedInput(folder, identifier, "there is no entry of this id")
    return {identifier: found[identifier] for identifier in wanted}


def _tools(folder: Path, row: Mapping[str, Any], known: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    for name in row["involved_classes"]:
        if name not in known:
            path = f"multi_turn_func_doc/{_DOCUMENTS[name]}.json"
            known[name] = [dialect.tool(definition) for definition in rows(folder, path, FILES)]
    return [tool for name in row["involved_classes"] for tool in known[name]]


def _entry(path: Path, row: dict[str, Any], answer: dict[str, Any], tools: list[dict[str, Any]]) -> Entry:
    messages = [message for turn in row["question"] for message in turn]
    if any(message["role"] != "user" for message in messages) or any(len(turn) > 1 for turn in row["question"]):
        raise MalformedInput(path, row["id"], "a turn is not one message of the user, the only form this source reads")
    order = {tool["name"]: list(tool["parameters"].get("properties", {})) for tool in tools}
    return Entry(
        id=row["id"],
        turns=tuple(turn[0]["content"].strip() if turn else "" for turn in row["question"]),
        classes=tuple(row["involved_classes"]),
        initial_config=row["initial_config"],
        tools=tools,
        later={name: int(turn) for turn, names in row.get("missed_function", {}).items() for name in names},
        gold=tuple(tuple(parsed(text, order) for text in turn) for turn in answer["ground_truth"]),
        texts=tuple(map(tuple, answer["ground_truth"])),
    )


def parsed(text: str, order: Mapping[str, list[str]]) -> dict[str, Any]:
    """A call written as program text; raises `Inconsistent` for anything but one call with literal arguments.

    `order` names each tool's parameters in their order, for arguments given by position.
    """
    try:
        node = ast.parse(text, mode="eval").body
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            raise ValueError("it is no call of a name")
        named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords if keyword.arg}
        given = dict(zip(order[node.func.id], map(ast.literal_eval, node.args), strict=False))
    except (SyntaxError, ValueError, KeyError) as error:
        raise Inconsistent(f"not a call with literal arguments: {text!r} ({error})") from error
    return {"name": node.func.id, "arguments": {**given, **named}}
