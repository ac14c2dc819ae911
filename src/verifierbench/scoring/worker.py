"""The worker of a scoring run: one bench in a process of its own, deciding one case after another.

It reads the suite and the verifiers from disk, and what it finds there must be what the run began with; a file that
changed meanwhile stops the run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import Case, Limits, MalformedInput, Task
from verifierbench.sandbox import Tier, VerifierBox
from verifierbench.suite import Suite

from .bench import Bench
from .folder import RunFolder
from .public import PublicEnvironments


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a scoring worker is opened with."""

    suite: str
    suite_hash: str
    run: str
    tier: str
    limits: Limits


class Scorer:
    """Meets `execution.Worker`; a unit's payload is what `plan` made, its result a `core.Decision` as JSON."""

    def __init__(self, settings: Any) -> None:
        self._settings = msgspec.convert(settings, Settings)
        self._suite = Suite.load(Path(self._settings.suite))
        if self._suite.hash != self._settings.suite_hash:
            raise MalformedInput(self._suite.path, "", "the suite changed while it was being scored; start again")
        self._folder = RunFolder(Path(self._settings.run))
        self._tasks: dict[str, tuple[Task, dict[str, Case]]] = {}
        self._source: tuple[str, bytes] = ("", b"")
        self._bench = Bench(VerifierBox(Tier(self._settings.tier)), PublicEnvironments(self._suite.evidence))

    def compute(self, payload: dict[str, Any]) -> bytes:
        """Decide one case."""
        task, cases = self._task(payload["task"])
        source = self._verifier(task, payload["verifier"])
        content, limits = cases[payload["case"]].content, self._settings.limits
        execution = self._bench.run(source, task, content, limits, environment_version=payload["environment"])
        return msgspec.json.encode(execution.decision)

    def close(self) -> None:
        """Close the bench."""
        self._bench.close()

    def _task(self, name: str) -> tuple[Task, dict[str, Case]]:
        if name not in self._tasks:
            task = self._suite.task(name)
            self._tasks = {name: (task, {case.id: case for case in self._suite.cases(task)})}
        return self._tasks[name]

    def _verifier(self, task: Task, expected: str) -> bytes:
        if self._source[0] != expected:
            self._source = expected, self._folder.verifier(task, expected)
        return self._source[1]
