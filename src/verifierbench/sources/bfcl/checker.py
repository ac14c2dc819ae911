"""Upstream's own checker, measured like any verifier: its function, asked in a guarded worker.

It is given upstream's tool definitions and upstream's unrepaired gold, so that its decision is what the benchmark
itself would say. An exception inside it is no verdict; a worker that dies is our failure, not its.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verifierbench.core import Decision, Inconsistent, Reason, Task, UnknownName, Verdict
from verifierbench.sandbox.tiers import choose_tier
from verifierbench.sandbox.worker import GuardedWorker

from .data import SOURCE_VERSION, Entry
from .tasks import entry_id

SCRIPT = Path(__file__).with_name("checker_worker.py")
CHECKER_VERSION = f"{SOURCE_VERSION} ast_checker, adapter 1"
_SECONDS = 30.0


class AstChecker:
    """Meets `core.SourceChecker`; the worker starts with the first case."""

    version = CHECKER_VERSION

    def __init__(self, packages: Path, entries: Mapping[str, Entry]) -> None:
        self._packages = packages
        self._entries = entries
        self._worker: GuardedWorker | None = None

    def decide(self, task: Task, solution: Any) -> Decision:
        """Upstream's decision; raises `UnknownName` for a task that is not an entry of this source."""
        entry = self._entries.get(entry_id(task.id))
        if entry is None:
            raise UnknownName("BFCL task", task.id)
        request = {"category": entry.category, "tools": entry.tools, "gold": entry.gold, "solution": solution}
        start = time.perf_counter()
        answer = self._guarded().request(request, _SECONDS)
        return _decision(answer, time.perf_counter() - start)

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _guarded(self) -> GuardedWorker:
        if self._worker is None:
            self._worker = GuardedWorker(SCRIPT, search_path=[self._packages], tier=choose_tier())
        return self._worker


def _decision(answer: Any, seconds: float) -> Decision:
    match answer:
        case {"valid": bool(valid), "why": str(why)}:
            return Decision(verdict=Verdict.PASS if valid else Verdict.FAIL, detail=why, wall_seconds=seconds)
        case {"exception": str(said)}:
            return Decision(reason=Reason.EXCEPTION, detail=said, wall_seconds=seconds)
    raise Inconsistent(f"the checker's worker answered {answer!r}")
