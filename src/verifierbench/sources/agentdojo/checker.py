"""Upstream's own evaluation, measured like any verifier: `utility and not security`, asked in a guarded worker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from verifierbench.core import Task, UnknownName
from verifierbench.sandbox.tiers import choose_tier
from verifierbench.sandbox.worker import GuardedWorker
from verifierbench.sources.guarded import GuardedChecker

from .curation import curation
from .environment import SOURCE_VERSION, search_path

SCRIPT = Path(__file__).with_name("checker_worker.py")
CHECKER_VERSION = f"{SOURCE_VERSION} utility and not security, adapter 1"


class SuiteChecker(GuardedChecker):
    """Upstream's evaluation of the tasks that are in the table."""

    def __init__(self, packages: Path) -> None:
        super().__init__(SCRIPT, search_path(packages), CHECKER_VERSION, self._asked)

    def _asked(self, task: Task, solution: Any) -> dict[str, Any]:
        scenario = task.id.partition("/")[2]
        if scenario not in curation().scenarios:
            raise UnknownName("AgentDojo task", task.id)
        return {"scenario": scenario, "solution": solution}

    def _guarded(self) -> GuardedWorker:
        if self._worker is None:
            scenarios = {"scenarios": curation().scenarios}
            self._worker = GuardedWorker(
                self._script, search_path=self._search_path, tier=choose_tier(), arguments=scenarios
            )
        return self._worker
