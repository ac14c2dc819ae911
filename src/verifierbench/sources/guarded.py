"""An upstream checker in a guarded worker: the part of it that is the same whatever the source.

A script answers `{"valid": bool, "why": str}` or `{"exception": str}`. An exception inside upstream is no verdict; a
worker that dies is our failure, not upstream's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from verifierbench.core import Decision, Inconsistent, Reason, Task, Verdict
from verifierbench.sandbox.tiers import choose_tier
from verifierbench.sandbox.worker import GuardedWorker

_SECONDS = 30.0


class GuardedChecker:
    """Meets `core.SourceChecker`; the worker starts with the first case.

    `request` makes the script's request of a task and a solution, and raises `UnknownName` for a foreign task;
    `arguments` are what the script is loaded with.
    """

    def __init__(
        self,
        script: Path,
        search_path: Sequence[Path],
        version: str,
        request: Callable[[Task, Any], Any],
        *,
        arguments: Any = None,
    ) -> None:
        self.version = version
        self._arguments = arguments
        self._script = script
        self._search_path = search_path
        self._request = request
        self._worker: GuardedWorker | None = None

    def decide(self, task: Task, solution: Any) -> Decision:
        """Upstream's decision; raises `UnknownName` for a task that is not an entry of its source."""
        request = self._request(task, solution)
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
            self._worker = GuardedWorker(
                self._script, search_path=self._search_path, tier=choose_tier(), arguments=self._arguments
            )
        return self._worker


def _decision(answer: Any, seconds: float) -> Decision:
    match answer:
        case {"valid": bool(valid), "why": str(why)}:
            return Decision(verdict=Verdict.PASS if valid else Verdict.FAIL, detail=why, wall_seconds=seconds)
        case {"exception": str(said)}:
            return Decision(reason=Reason.EXCEPTION, detail=said, wall_seconds=seconds)
    raise Inconsistent(f"the checker's worker answered {answer!r}")
