"""Upstream's own evaluation, measured like any verifier, asked in a guarded worker for each task."""

from __future__ import annotations

import time
from typing import Any

from verifierbench.core import Decision, Inconsistent, Reason, Task, UnknownName, Verdict

from .data import SOURCE_VERSION, task_ids
from .environment import CHECKER, Place, worlds

CHECKER_VERSION = f"{SOURCE_VERSION}, evaluation, adapter 1"


class Evaluation:
    """Meets `core.SourceChecker`."""

    version = CHECKER_VERSION

    def __init__(self, place: Place) -> None:
        self._place = place
        self._known = frozenset(task_ids(place.root))

    def decide(self, task: Task, solution: Any) -> Decision:
        """Upstream's decision; raises `UnknownName` for a task that is none of upstream's."""
        name = task.id.partition("/")[2]
        if name not in self._known:
            raise UnknownName("AppWorld task", task.id)
        start = time.perf_counter()
        answer = worlds(CHECKER, self._place).of(name).ask({"solution": solution})
        return _decision(answer, time.perf_counter() - start)

    def close(self) -> None:
        """End the workers."""
        worlds(CHECKER, self._place).close()


def _decision(answer: Any, seconds: float) -> Decision:
    match answer:
        case {"valid": bool(valid), "why": str(why)}:
            return Decision(verdict=Verdict.PASS if valid else Verdict.FAIL, detail=why, wall_seconds=seconds)
        case {"exception": str(said)}:
            return Decision(reason=Reason.EXCEPTION, detail=said, wall_seconds=seconds)
    raise Inconsistent(f"the evaluation's worker answered {answer!r}")
