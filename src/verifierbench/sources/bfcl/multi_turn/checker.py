"""Upstream's own multi-turn checker, measured like any verifier, beside its single-turn one.

It is given upstream's gold as upstream writes it, so that its decision is what the benchmark itself would say.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verifierbench.core import Decision, SourceChecker, Task, UnknownName
from verifierbench.sources.due import entry_of
from verifierbench.sources.guarded import GuardedChecker

from ..data import SOURCE_VERSION
from .data import Entry

SCRIPT = Path(__file__).with_name("checker_worker.py")
CHECKER_VERSION = f"{SOURCE_VERSION} multi_turn_checker, adapter 1"


class MultiTurnChecker(GuardedChecker):
    """Upstream's `multi_turn_checker` on the entries that are tasks."""

    def __init__(self, packages: Path, entries: Mapping[str, Entry]) -> None:
        super().__init__(SCRIPT, [packages], CHECKER_VERSION, self._asked)
        self._entries = entries

    def _asked(self, task: Task, solution: Any) -> dict[str, Any]:
        entry = self._entries.get(entry_of(task.id))
        if entry is None:
            raise UnknownName("BFCL task", task.id)
        known = {"id": entry.id, "initial_config": entry.initial_config, "involved_classes": entry.classes}
        return {"entry": known, "gold": entry.texts, "solution": solution}


class BfclChecker:
    """Both checkers as one; meets `core.SourceChecker`."""

    def __init__(self, single: SourceChecker, several: SourceChecker) -> None:
        self._single, self._several = single, several
        self.version = f"{single.version}; {several.version}"

    def decide(self, task: Task, solution: Any) -> Decision:
        """The decision of the checker that upstream uses for this category."""
        return (self._several if task.environment else self._single).decide(task, solution)

    def close(self) -> None:
        """End both workers."""
        self._single.close()
        self._several.close()
