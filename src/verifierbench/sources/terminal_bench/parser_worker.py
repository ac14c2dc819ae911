"""Upstream's own parser and its own rule of what is resolved, in a guarded worker.

Upstream's packages import whole harnesses of agents when they are imported, so they are left empty here, and of the
harness's module one function is taken. What is asked is upstream's code all the same, from upstream's wheel.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import sys
import textwrap
from collections.abc import Callable
from types import ModuleType
from typing import Any

_EMPTY = ("terminal_bench", "terminal_bench.parsers", "terminal_bench.utils", "terminal_bench.harness")
_RULE = ("terminal_bench.harness", "harness.py", "_is_resolved")

_upstream: dict[str, Callable[..., Any]] = {}


def load(_arguments: Any) -> None:
    """Import the parser; take the rule from the harness."""
    for name in _EMPTY:
        spec = importlib.util.find_spec(name)
        empty = ModuleType(name)
        empty.__spec__, empty.__path__ = spec, list(spec.submodule_search_locations or []) if spec else []
        sys.modules[name] = empty
        if spec is not None:
            empty.__loader__, empty.__file__ = spec.loader, spec.origin
    parsers = importlib.import_module("terminal_bench.parsers.pytest_parser")
    _upstream["parse"] = parsers.PytestParser().parse
    _upstream["is_resolved"] = _rule({"UnitTestStatus": parsers.UnitTestStatus})


def handle(request: Any) -> dict[str, Any]:
    """Read `{"text"}`: `{"resolved", "tests": {name: status} or null, "error"}`, null where it cannot be read."""
    try:
        found, error = _upstream["parse"](request["text"]), ""
    except Exception as refused:  # upstream goes on as here: what cannot be read has no results
        found, error = None, f"{type(refused).__name__}: {refused}"
    tests = None if found is None else {name: status.value for name, status in found.items()}
    return {"resolved": bool(_upstream["is_resolved"](None, found)), "tests": tests, "error": error}


def _rule(names: dict[str, Any]) -> Callable[..., Any]:
    """The harness's method by its text: the module around it is written for a newer Python than ours may be."""
    package, file, method = _RULE
    lines = (pkgutil.get_data(package, file) or b"").decode().splitlines(keepends=True)
    (first,) = [number for number, line in enumerate(lines) if line.lstrip().startswith(f"def {method}(")]
    source = textwrap.dedent("".join(inspect.getblock(lines[first:])))
    exec(compile(source, file, "exec", dont_inherit=True), names)  # noqa: S102  # upstream's
    return names[method]  # type: ignore[no-any-return]
