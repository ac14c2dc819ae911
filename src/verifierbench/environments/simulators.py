"""A source's simulators in one guarded process, and the environment of one task made of it.

A source brings a worker script: `load` gets what it needs of every scenario, `handle` gets `{"scenario", "request"}`,
or `{"scenario", "requests"}` for many of our own, and answers each from the scenario's initial state. What the script
imports of ours is part of its identity, because the answers depend on it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from verifierbench.core import canonical_hash, sha256
from verifierbench.core.files import read_bytes

if TYPE_CHECKING:
    from verifierbench.sandbox.worker import GuardedWorker

SECONDS = 10.0
"""What one request may take; it takes milliseconds."""


class Simulators:
    """The worker of a source; it starts with the first request and serves every scenario."""

    def __init__(
        self,
        script: Path,
        packages: Callable[[], Sequence[Path]],
        arguments: Callable[[], Any],
        *,
        ours: Sequence[Path] = (),
        folders: Sequence[Path] = (),
    ) -> None:
        """`packages` and `arguments` are asked for when the worker starts: a warm suite needs neither.

        `ours` are the modules of ours that the script imports, and `folders` where it finds them.
        """
        self._script, self._packages, self._arguments = script, packages, arguments
        self._ours, self._folders = tuple(ours), tuple(folders)
        self._lock = threading.Lock()
        self._worker: GuardedWorker | None = None

    def version(self, about: Any) -> str:
        """Identity of the worker's code together with what else (JSON) its answers depend on."""
        return canonical_hash([[sha256(read_bytes(path)) for path in (self._script, *self._ours)], about])

    def play(self, scenario: str, request: Any) -> Any:
        """Play a request in a scenario; raises `EnvironmentRefusal` for one that is malformed."""
        return self._started().request({"scenario": scenario, "request": request}, SECONDS)

    def play_all(self, scenario: str, requests: Sequence[Any]) -> list[Any]:
        """Play many requests of our own in one process, each from the initial state: a start costs more than a play."""
        seconds = SECONDS * max(1, len(requests) / 50)
        answers: Any = self._started().request({"scenario": scenario, "requests": list(requests)}, seconds)
        return list(answers)

    def ask(self, question: Any) -> Any:
        """Ask the script something that no verifier can ask."""
        return self._started().request(question, SECONDS)

    def close(self) -> None:
        """End the process; the next request starts it again."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()

    def _started(self) -> GuardedWorker:
        from verifierbench.sandbox.tiers import choose_tier  # heavy, and only needed to execute
        from verifierbench.sandbox.worker import GuardedWorker

        with self._lock:
            if self._worker is None:
                self._worker = GuardedWorker(
                    self._script,
                    search_path=[*self._folders, *self._packages()],
                    tier=choose_tier(),
                    arguments=self._arguments(),
                )
            return self._worker


class Simulated(msgspec.Struct, frozen=True, kw_only=True):
    """One task's environment; meets `core.Environment`."""

    simulators: Simulators
    scenario: str
    version: str

    def execute(self, request: Any) -> Any:
        """Play a request from the initial state."""
        return self.simulators.play(self.scenario, request)

    def close(self) -> None:
        """End the process that all scenarios share."""
        self.simulators.close()
