"""Upstream's own checker, measured like any verifier: its function, asked in a guarded worker.

It is given upstream's tool definitions and upstream's unrepaired gold, so that its decision is what the benchmark
itself would say. An exception inside it is no verdict; a worker that dies is our failure, not its.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verifierbench.core import Task, UnknownName
from verifierbench.sources.due import entry_of
from verifierbench.sources.guarded import GuardedChecker

from .data import SOURCE_VERSION, Entry

SCRIPT = Path(__file__).with_name("checker_worker.py")
CHECKER_VERSION = f"{SOURCE_VERSION} ast_checker, adapter 1"


class AstChecker(GuardedChecker):
    """Upstream's `ast_checker` on the entries that are tasks."""

    def __init__(self, packages: Path, entries: Mapping[str, Entry]) -> None:
        super().__init__(SCRIPT, [packages], CHECKER_VERSION, self._asked)
        self._entries = entries

    def _asked(self, task: Task, solution: Any) -> dict[str, Any]:
        entry = self._entries.get(entry_of(task.id))
        if entry is None:
            raise UnknownName("BFCL task", task.id)
        return {"category": entry.category, "tools": entry.tools, "gold": entry.gold, "solution": solution}
