"""The public environment of a task: its AppWorld world in a guarded worker, opened once and forked for each request.

Opening a world takes seconds and 200 MB, a request milliseconds, so a few worlds stay open, the ones used last. A
version names upstream's package, our code and what is public of the task, so it is known without upstream: a suite
with warm evidence opens no world and needs no package.
"""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import Task, canonical_hash, sha256
from verifierbench.core.files import read_bytes
from verifierbench.environments.simulators import Simulators
from verifierbench.families.guest import SEARCH_PATH

from .data import SOURCE_VERSION

NAME = "appworld"
HERE = Path(__file__).parent
GUEST = HERE / "guest"
"""On the search path of every worker: `world` and its parts."""
WORLD, CHECKER = HERE / "world_worker.py", HERE / "checker_worker.py"
OPEN_AT_ONCE = 3
"""Worlds of one kind that stay open in one process."""
CODE = (
    *(GUEST / name for name in ("hollow.py", "inline.py", "material.py", "watch.py", "world.py")),
    *(SEARCH_PATH / "guest" / name for name in ("diffs.py", "replaying.py")),
)


class Place(msgspec.Struct, frozen=True):
    """Where AppWorld is on this machine."""

    packages: Path
    root: Path
    """The folder with upstream's `data`."""


class Worlds:
    """The workers of one script, by task."""

    def __init__(self, script: Path, place: Place) -> None:
        self._script, self._place = script, place
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Simulators] = OrderedDict()

    def of(self, task: str) -> Simulators:
        """The worker of one task; another one's may be closed for it."""
        with self._lock:
            if task not in self._open:
                self._open[task] = self._made(task)
            self._open.move_to_end(task)
            gone = self._open.popitem(last=False)[1] if len(self._open) > OPEN_AT_ONCE else None
            found = self._open[task]
        if gone is not None:
            gone.close()
        return found

    def close(self) -> None:
        """End every worker."""
        with self._lock:
            gone = list(self._open.values())
            self._open.clear()
        for one in gone:
            one.close()

    def _made(self, task: str) -> Simulators:
        arguments = {"root": str(self._place.root.resolve()), "task": task}
        return Simulators(
            self._script,
            lambda: (self._place.packages,),
            lambda: arguments,
            ours=CODE,
            folders=(GUEST, SEARCH_PATH),
        )


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """One task's environment; meets `core.Environment`."""

    worlds: Worlds
    task: str
    version: str

    def execute(self, request: Any) -> Any:
        """Replay `{"events": […]}`: `{"results": […], "changes": […]}`; raises `EnvironmentRefusal`."""
        return self.worlds.of(self.task).play(self.task, request)

    def close(self) -> None:
        """End every world of this process."""
        self.worlds.close()


@functools.cache
def worlds(script: Path, place: Place) -> Worlds:
    """The worlds of this process for a script and a place."""
    return Worlds(script, place)


def environment(task: Task, place: Place) -> Opened:
    """The environment of one task; nothing starts before something is executed."""
    name = task.id.partition("/")[2]
    public = [{"name": material.name, "content": material.content} for material in task.materials]
    version = canonical_hash([SOURCE_VERSION, *_code(), name, public])
    return Opened(worlds=worlds(WORLD, place), task=name, version=version)


@functools.cache
def _code() -> tuple[str, ...]:
    return tuple(sha256(read_bytes(path)) for path in (WORLD, *CODE))
