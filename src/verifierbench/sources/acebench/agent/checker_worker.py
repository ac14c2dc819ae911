"""Upstream's end-state check in a guarded worker: a solution is executed as upstream would, and what is left compared.

Nothing of ours stands between: arguments are handed over as they are, a call that raises changes nothing more, and
turns are not told apart.
"""

from __future__ import annotations

import contextlib
import importlib
from typing import Any

_upstream: dict[str, Any] = {}

scenarios: Any = importlib.import_module("scenarios")


def load(arguments: Any) -> None:  # noqa: ARG001  # the worker's protocol
    """Load upstream's simulators and its checker."""
    _upstream["classes"] = scenarios.load()
    _upstream["check"] = scenarios.loaded("upstream_checker", scenarios.CHECKER).check_agent_end_state


def handle(request: Any) -> dict[str, Any]:
    """Decide `{classes, initial_config, gold, solution}`: `{"valid": bool, "why": str}` or `{"exception": str}`."""
    try:
        instances = scenarios.made(_upstream["classes"], request["classes"], request["initial_config"])
        for turn in request["solution"]["turns"]:
            for call in turn["calls"]:
                with contextlib.suppress(Exception):
                    scenarios.called(instances, call["name"], call["arguments"])
        answer = _upstream["check"](scenarios.graded(instances), request["gold"])
    except Exception as error:
        return {"exception": f"{type(error).__name__}: {error}"}
    return {"valid": bool(answer["valid"]), "why": "" if answer["valid"] else why(answer)}


def why(answer: Any) -> str:
    """What differs, by class and attribute; the values are left out."""
    found = [text.partition(", [")[0] for errors in answer["error"] for text in errors]
    return "; ".join(found) or str(answer["error_type"])
