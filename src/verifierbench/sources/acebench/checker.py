"""Upstream's own checker, measured like any verifier: its function, asked in a guarded worker.

It is given upstream's tool definitions and upstream's unrepaired gold, so that its decision is what the benchmark
itself would say; a structured reply is put into the words it looks for (`wording`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verifierbench.core import Task, UnknownName
from verifierbench.sources.due import entry_of
from verifierbench.sources.guarded import GuardedChecker

from .data import SOURCE_VERSION, Entry
from .wording import calls_of, said

SCRIPT = Path(__file__).with_name("checker_worker.py")
PACKAGE_VERSION = "evalscope 1.14.1"
CHECKER_VERSION = f"{SOURCE_VERSION}, checker of {PACKAGE_VERSION}, adapter 1"


class AceChecker(GuardedChecker):
    """Upstream's checker of calls and of replies, on the entries that are tasks."""

    def __init__(self, packages: Path, entries: Mapping[str, Entry]) -> None:
        super().__init__(SCRIPT, [packages], CHECKER_VERSION, self._asked)
        self._entries = entries

    def _asked(self, task: Task, solution: Any) -> dict[str, Any]:
        entry = self._entries.get(entry_of(task.id))
        if entry is None:
            raise UnknownName("ACEBench task", task.id)
        common = {"category": entry.category, "gold": entry.gold}
        if entry.category.startswith("special"):
            return {**common, "said": said(solution)}
        return {**common, "tools": entry.tools, "calls": calls_of(solution)}
