"""Upstream's own end-state check, measured like any verifier, beside its checker of calls and replies.

It is given upstream's unrepaired gold, so that its decision is what the benchmark itself would say.
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
from .environment import GUEST, PACKAGE_VERSION

SCRIPT = Path(__file__).with_name("checker_worker.py")
CHECKER_VERSION = f"{SOURCE_VERSION}, end-state check of {PACKAGE_VERSION}, adapter 1"


class AgentChecker(GuardedChecker):
    """Upstream's end-state check on the entries that are tasks."""

    def __init__(self, packages: Path, entries: Mapping[str, Entry]) -> None:
        super().__init__(SCRIPT, [GUEST, packages], CHECKER_VERSION, self._asked)
        self._entries = entries

    def _asked(self, task: Task, solution: Any) -> dict[str, Any]:
        entry = self._entries.get(entry_of(task.id))
        if entry is None:
            raise UnknownName("ACEBench agent task", task.id)
        return {
            "classes": entry.classes,
            "initial_config": entry.initial_config,
            "gold": entry.end,
            "solution": solution,
        }


class BothCheckers:
    """Upstream's checkers as one; meets `core.SourceChecker`."""

    def __init__(self, single: SourceChecker, agent: SourceChecker) -> None:
        self._single, self._agent = single, agent
        self.version = f"{single.version}; {agent.version}"

    def decide(self, task: Task, solution: Any) -> Decision:
        """The decision of the checker that upstream uses for this category."""
        return (self._agent if task.environment else self._single).decide(task, solution)

    def close(self) -> None:
        """End both workers."""
        self._single.close()
        self._agent.close()
