"""Upstream's checker in a guarded worker: loaded by its path before the doors are locked, then asked once per case.

Runs with the package directory on the search path, never in our own process. The package around the checker is not
imported, for it would pull in every model client; the one file needs nothing but the standard library.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

_FILE = Path("evalscope/benchmarks/acebench/checker.py")
_upstream: dict[str, Any] = {}


def load(arguments: Any) -> None:  # noqa: ARG001  # the worker's protocol
    """Load upstream's checker from the first folder of the search path that has it."""
    path = next(Path(folder) / _FILE for folder in sys.path if (Path(folder) / _FILE).is_file())
    spec = importlib.util.spec_from_file_location("upstream_checker", path)
    if spec is None or spec.loader is None:  # a .py file always has a loader
        raise ImportError(str(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    _upstream.update(calls=module.check_normal_answer, reply=module.check_special_answer)


def handle(request: Any) -> dict[str, Any]:
    """Decide `{category, gold, tools, calls}` or `{category, gold, said}`: `{"valid", "why"}` or `{"exception"}`."""
    try:
        answer = _decide(request)
        return {"valid": bool(answer["valid"]), "why": str(answer.get("error_type", ""))}
    except Exception as error:
        return {"exception": f"{type(error).__name__}: {error}"}


def _decide(request: Any) -> dict[str, Any]:
    category, gold = request["category"], request["gold"]
    if "said" in request:
        found: dict[str, Any] = _upstream["reply"](request["said"], gold, category)
    else:
        found = _upstream["calls"](request["tools"], request["calls"], gold, category)
    return found
