"""What one verifier may reach of the public environment on one case: the task's own materials, and a few executions.

Everything is checked here, on the trusted side. Every call of `run` is counted, a cached repeat as much as a first
one, so that what a verifier can do never depends on who asked before it. What is refused is refused in words the
verifier may read; nothing hidden is in reach, because only the task's public materials are held.
"""

from __future__ import annotations

import time
from typing import Any, Protocol

from verifierbench.core import (
    Absent,
    BudgetExhausted,
    EnvironmentRefusal,
    Limits,
    Material,
    Task,
    at,
)


class Executes(Protocol):
    """The part of an environment that a verifier reaches."""

    def execute(self, request: Any) -> Any:
        """Answer one request."""


class BudgetedEnvironment:
    """Meets `core.PublicEnvironment` for one case."""

    def __init__(self, task: Task, environment: Executes | None, limits: Limits) -> None:
        self._materials = {material.name: material for material in task.materials}
        self._environment, self._limits = environment, limits
        self._seconds = 0.0
        self.calls = 0
        """How often `run` was called."""

    def read(self, material: str, pointer: str) -> Any:
        """Return a part of a public material; raises `EnvironmentRefusal` where there is none.

        The pointer is a JSON pointer for `json`, `/path` for `files` ("" lists all paths), and "" for `text`.
        """
        found = self._materials.get(material) if isinstance(material, str) else None
        if found is None:
            names = ", ".join(self._materials) or "none"
            raise EnvironmentRefusal(f"this task has no material {material!r}; it has: {names}")
        if not isinstance(pointer, str) or (pointer and not pointer.startswith("/")):
            raise EnvironmentRefusal(f'a pointer is "" or begins with "/"; {pointer!r} does not')
        return _READERS[found.kind](found, pointer)

    def run(self, request: Any) -> Any:
        """Execute the environment; raises `BudgetExhausted`, `EnvironmentRefusal` or `InfrastructureError`."""
        self.calls += 1
        if self._environment is None:
            raise EnvironmentRefusal("this task has no environment to run; decide from the solution and the materials")
        if self.calls > self._limits.environment_calls:
            raise BudgetExhausted(f"all {self._limits.environment_calls} executions for this case are used up")
        if self._seconds >= self._limits.environment_seconds:
            raise BudgetExhausted(f"the {self._limits.environment_seconds:g} s of executions for this case are used up")
        start = time.monotonic()
        try:
            return self._environment.execute(request)
        finally:
            self._seconds += time.monotonic() - start


def _read_json(material: Material, pointer: str) -> Any:
    try:
        return at(material.content, pointer)
    except Absent:
        raise EnvironmentRefusal(f"{material.name} has nothing at {pointer!r}") from None


def _read_file(material: Material, pointer: str) -> Any:
    if not pointer:
        return sorted(material.content)
    try:
        return material.content[pointer[1:]]
    except KeyError:
        raise EnvironmentRefusal(f'{material.name} has no file {pointer[1:]!r}; the pointer "" lists them') from None


def _read_text(material: Material, pointer: str) -> Any:
    if pointer:
        raise EnvironmentRefusal(f'{material.name} is one text; its only pointer is ""')
    return material.content


_READERS = {"json": _read_json, "files": _read_file, "text": _read_text}
