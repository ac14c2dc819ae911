"""Upstream's `ast_checker` in a guarded worker: loaded before the doors are locked, then asked once per case.

Runs with upstream's package directory on the search path, never in our own process. Only the checker is imported:
the table of model configurations it asks for (whether dots in tool names were rewritten for that model's interface)
would pull in every model client, so a table that answers "no" for any model stands in its place.
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any

_TABLE = "bfcl_eval.constants.model_config"
_upstream: dict[str, Any] = {}


class _AnyModel(dict[str, Any]):
    """Every model's configuration: tool names are used as they are written."""

    def __missing__(self, name: str) -> Any:
        return types.SimpleNamespace(underscore_to_dot=False)


def load(arguments: Any) -> None:  # noqa: ARG001  # the worker's protocol
    """Import upstream's checker."""
    table = types.ModuleType(_TABLE)
    table.MODEL_CONFIG_MAPPING = _AnyModel()  # type: ignore[attr-defined]
    sys.modules[_TABLE] = table
    checker = importlib.import_module("bfcl_eval.eval_checker.ast_eval.ast_checker")
    languages = importlib.import_module("bfcl_eval.constants.enums")
    _upstream.update(check=checker.ast_checker, python=languages.Language.PYTHON)


def handle(request: Any) -> dict[str, Any]:
    """Decide `{category, tools, gold, solution}`: `{"valid": bool, "why": str}` or `{"exception": str}`."""
    try:
        output = model_output(request["solution"])
        if request["gold"] is None:
            return {"valid": not output, "why": "a call where none is right" if output else ""}
        answer = _upstream["check"](
            request["tools"], output, request["gold"], _upstream["python"], request["category"], "any"
        )
        return {"valid": bool(answer["valid"]), "why": str(answer.get("error_type", ""))}
    except Exception as error:
        return {"exception": f"{type(error).__name__}: {error}"}


def model_output(solution: Any) -> list[dict[str, Any]]:
    """Upstream's form of a solution, `[{tool: arguments}]`: the calls of all turns, in order.

    Where no call is right, upstream asks whether the output decodes to a list of calls that is not empty; a solution
    is that decoded list already, so the question is whether there is a call.
    """
    return [{call["name"]: call["arguments"]} for turn in solution["turns"] for call in turn["calls"]]
