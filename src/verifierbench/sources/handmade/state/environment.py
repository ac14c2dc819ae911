"""The public environment of the desk: the world, replaying events in a guarded process.

Verifiers choose the requests, so the world answers where it can do nothing else. While cases are built, requests
are ours alone, and the same script answers them in this process.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from verifierbench.core import Task, canonical_bytes, sha256
from verifierbench.core.files import read_bytes
from verifierbench.families.guest import SEARCH_PATH

from . import world
from .materials import WORLD, database

if TYPE_CHECKING:
    from verifierbench.sandbox.worker import GuardedWorker

NAME = "fernhill"
SECONDS = 10.0
"""What one replay may take; it takes milliseconds."""
GUESTS = tuple(SEARCH_PATH / "guest" / name for name in ("diffs.py", "replaying.py"))


class Desk:
    """Meets `core.Environment`; the process starts with the first request and serves every task."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: GuardedWorker | None = None

    @property
    def version(self) -> str:
        """Hash of the world's source and of the initial state."""
        return _version()

    def execute(self, request: Any) -> Any:
        """Replay `{"events": […]}`: `{"results": […], "changes": […]}`; raises `EnvironmentRefusal`."""
        return self._started().request(request, SECONDS)

    def close(self) -> None:
        """End the process."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.close()

    def _started(self) -> GuardedWorker:
        from verifierbench.sandbox import choose_tier  # heavy, and only needed to execute
        from verifierbench.sandbox.worker import GuardedWorker

        with self._lock:
            if self._worker is None:
                self._worker = GuardedWorker(
                    WORLD, search_path=[SEARCH_PATH], tier=choose_tier(), arguments={"database": database()}
                )
            return self._worker


@functools.cache
def desk() -> Desk:
    """The one desk of this process."""
    return Desk()


def environment(task: Task) -> Desk:  # noqa: ARG001  # every task stands at the same desk
    """The public environment of a task."""
    return desk()


def replay(events: list[dict[str, Any]]) -> Mapping[str, Any]:
    """Replay events in this process, unguarded: for events we made ourselves."""
    _load()
    answer: Mapping[str, Any] = world.handle({"events": events})
    return answer


@functools.cache
def _load() -> None:
    world.load({"database": database()})


@functools.cache
def _version() -> str:
    code = b"\0".join(read_bytes(path) for path in (WORLD, *GUESTS))
    return sha256(code + b"\0" + canonical_bytes(database()))
