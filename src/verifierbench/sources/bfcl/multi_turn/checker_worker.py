"""Upstream's `multi_turn_checker` in a guarded worker: loaded before the doors are locked, asked once per case.

It evaluates the text of calls, and it keeps its simulators between checks in globals that go by the model's name: each
request is handled in a process of its own, under a name of its own. Its caller's own rule, that the turns must be as
many as gold's, is applied here.
"""

from __future__ import annotations

import importlib
from typing import Any

_CLASSES = "bfcl_eval.constants.executable_backend_config"
_CHECKER = "bfcl_eval.eval_checker.multi_turn_eval.multi_turn_checker"
SIMULATORS = (
    "GorillaFileSystem",
    "MathAPI",
    "MessageAPI",
    "TicketAPI",
    "TradingBot",
    "TwitterAPI",
    "VehicleControlAPI",
)
_upstream: dict[str, Any] = {}


def load(arguments: Any) -> None:  # noqa: ARG001  # the worker's protocol
    """Import the checker, and every simulator it will want."""
    table = importlib.import_module(_CLASSES)
    for name in SIMULATORS:
        importlib.import_module(table.CLASS_FILE_PATH_MAPPING[name])
    _upstream["check"] = importlib.import_module(_CHECKER).multi_turn_checker


def handle(request: Any) -> dict[str, Any]:
    """Decide `{entry, gold, solution}`: `{"valid": bool, "why": str}` or `{"exception": str}`."""
    entry, gold, turns = request["entry"], request["gold"], request["solution"]["turns"]
    if len(turns) != len(gold):
        return {"valid": False, "why": "turns: not as many as gold has"}
    category = entry["id"].rpartition("_")[0]
    try:
        answer = _upstream["check"](decoded(turns), gold, entry, category, "one_case")
    except Exception as error:
        return {"exception": f"{type(error).__name__}: {error}"}
    return {"valid": bool(answer["valid"]), "why": "" if answer["valid"] else why(answer)}


def decoded(turns: Any) -> list[list[list[str]]]:
    """Upstream's form of a solution: per turn its steps, per step the calls as program text."""
    return [[[text(call) for call in turn["calls"]]] if turn["calls"] else [] for turn in turns]


def text(call: Any) -> str:
    """A call as program text."""
    arguments = ", ".join(f"{name}={value!r}" for name, value in call["arguments"].items())
    return f"{call['name']}({arguments})"


def why(answer: Any) -> str:
    """What it found, in one line: the kind of error, and which attributes or results differ."""
    details = answer.get("details", {})
    differing = ", ".join(details.get("differences", {}))
    missing = " | ".join(map(str, details.get("missing_items", ())))
    return f"{answer['error_type'].removeprefix('multi_turn:')}: {differing or missing or answer['error_message']}"
