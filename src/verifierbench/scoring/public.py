"""The public environments of a suite's tasks, through one cache of evidence, opened only when something is missing.

Work comes task by task, so few environments are kept open at a time; an environment that is closed is opened again
when it is needed. With warm evidence none is ever opened.
"""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from types import TracebackType
from typing import Self

from verifierbench.core import Environment, Inconsistent, Task
from verifierbench.environments import CachedEnvironment, EvidenceCache, LazyEnvironment
from verifierbench.sources import environment_for

OPEN_AT_ONCE = 2
"""Environments kept open; one may hold a repository or a database in memory."""


class PublicEnvironments:
    """Cached environments by task."""

    def __init__(self, evidence: Path) -> None:
        self._evidence = evidence
        self._cache: EvidenceCache | None = None
        self._open: OrderedDict[str, CachedEnvironment] = OrderedDict()
        self.executions = 0
        """Requests that had to be executed by environments closed since."""

    def of(self, task: Task, version: str | None = None) -> CachedEnvironment | None:
        """The environment of a task, None where it has none; `version` where it is known already."""
        if task.environment is None:
            return None
        if task.id not in self._open:
            self._open[task.id] = self._prepare(task, version)
            while len(self._open) > OPEN_AT_ONCE:
                self._close(self._open.popitem(last=False)[1])
        self._open.move_to_end(task.id)
        return self._open[task.id]

    def close(self) -> None:
        """Close every environment and the cache."""
        while self._open:
            self._close(self._open.popitem()[1])
        if self._cache is not None:
            self._cache.close()
            self._cache = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _prepare(self, task: Task, version: str | None) -> CachedEnvironment:
        if self._cache is None:
            self._cache = EvidenceCache(self._evidence)
        known = version or _version(task)
        return CachedEnvironment(LazyEnvironment(known, lambda: open_environment(task)), self._cache)

    def _close(self, environment: CachedEnvironment) -> None:
        self.executions += environment.executions
        environment.close()


def open_environment(task: Task) -> Environment:
    """The environment of a task that says it has one."""
    environment = environment_for(task)
    if environment is None:
        raise Inconsistent(
            f"task {task.id} names the environment {task.environment!r}, which its source does not offer"
        )
    return environment


def environment_version(task: Task) -> str | None:
    """The version of a task's environment as it is installed here; None where the task has none."""
    return _version(task) if task.environment else None


def _version(task: Task) -> str:
    environment = open_environment(task)
    try:
        return environment.version
    finally:
        environment.close()
