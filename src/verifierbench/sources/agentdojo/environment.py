"""The public environment of the suites' tasks: upstream's tools and data, in a guarded worker of each task's own.

A version names upstream's package, our scripts and what is public of the task, so it is known without upstream: a
suite with warm evidence starts no process and needs no package.
"""

from __future__ import annotations

import functools
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from verifierbench.core import Task, canonical_hash, sha256
from verifierbench.core.files import read_bytes
from verifierbench.families.guest import SEARCH_PATH

from .curation import curation

if TYPE_CHECKING:
    from verifierbench.sandbox.worker import GuardedWorker

NAME = "agentdojo_suites"
SOURCE_VERSION = "agentdojo 0.1.35, benchmark v1.2.2"
SECONDS = 20.0
"""What one replay may take; it takes milliseconds."""
GUEST = Path(__file__).with_name("guest")
"""On the search path of both workers: `dojo`."""
SCRIPT = Path(__file__).with_name("simulator_worker.py")
_CODE = (SCRIPT, GUEST / "dojo.py", SEARCH_PATH / "guest" / "diffs.py", SEARCH_PATH / "guest" / "replaying.py")


class Suites:
    """A worker; it starts with the first request and serves some scenarios."""

    def __init__(self, packages: Path, scenarios: tuple[str, ...]) -> None:
        self._packages, self._names = packages, scenarios
        self._lock = threading.Lock()
        self._worker: GuardedWorker | None = None

    def replay(self, scenario: str, request: Any) -> Any:
        """Play a request in a scenario; raises `EnvironmentRefusal` for one that is malformed."""
        return self._started().request({"scenario": scenario, "request": request}, SECONDS)

    def describe(self, scenario: str) -> Any:
        """What a scenario is made of; for building a task, never for a verifier."""
        return self._started().request({"scenario": scenario, "describe": True}, SECONDS)

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
                    SCRIPT,
                    search_path=search_path(self._packages),
                    tier=choose_tier(),
                    arguments={"scenarios": {name: curation().scenarios[name] for name in self._names}},
                )
            return self._worker


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """One task's environment; meets `core.Environment`."""

    suites: Suites
    scenario: str
    version: str

    def execute(self, request: Any) -> Any:
        """Replay `{"events": […]}`: `{"results": […], "changes": […]}`; raises `EnvironmentRefusal`."""
        return self.suites.replay(self.scenario, request)

    def close(self) -> None:
        """End the process."""
        self.suites.close()


def search_path(packages: Path) -> list[Path]:
    """Where a worker looks for modules."""
    return [GUEST, SEARCH_PATH, packages]


def environment(task: Task, packages: Path) -> Scene:
    """The environment of one task; nothing starts before something is executed."""
    public = [{"name": material.name, "content": material.content} for material in task.materials]
    scenario = task.id.partition("/")[2]
    version = canonical_hash([SOURCE_VERSION, *_code(), scenario, public])
    return Scene(suites=Suites(packages, (scenario,)), scenario=scenario, version=version)


@functools.cache
def every_suite(packages: Path) -> Suites:
    """The one worker of this process that serves every scenario; for building."""
    return Suites(packages, tuple(curation().scenarios))


@functools.cache
def _code() -> tuple[str, ...]:
    return tuple(sha256(read_bytes(path)) for path in _CODE)
