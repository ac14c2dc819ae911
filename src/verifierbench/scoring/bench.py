"""A place to run verifiers: one sandbox, and the public environments behind their budgets.

This is the only door from hidden cases to a verifier. What goes through it is the verifier's source, the bytes of one
solution and the bytes of the public task; the environment behind it holds the task's public materials alone. A
label, a kind, a clause, a case's id or operator is never within reach of this module's calls into the sandbox.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from verifierbench.core import JSON, Limits, PublicEnvironment, Task, content_bytes
from verifierbench.environments import BudgetedEnvironment
from verifierbench.environments.budget import Executes

from .public import PublicEnvironments

if TYPE_CHECKING:
    from verifierbench.sandbox import Execution


class Box(Protocol):
    """The part of `sandbox.VerifierBox` that is used here."""

    def run(
        self,
        verifier: bytes,
        solution: bytes,
        task: bytes,
        environment: PublicEnvironment | None,
        limits: Limits,
        *,
        explain: bool = False,
    ) -> Execution:
        """Decide one case."""

    def close(self) -> None:
        """End the sandbox."""


class Bench:
    """Runs any verifier on any solution of any task; owns, and closes, what it is given."""

    def __init__(self, box: Box, environments: PublicEnvironments) -> None:
        self._box, self.environments = box, environments
        self._told: tuple[Task | None, bytes] = (None, b"")

    def run(
        self,
        verifier: bytes,
        task: Task,
        solution: JSON,
        limits: Limits,
        *,
        explain: bool = False,
        environment_version: str | None = None,
        around: Callable[[Executes], Executes] | None = None,
    ) -> Execution:
        """One verifier on one solution; raises `InfrastructureError` where our machinery fails.

        `around` may put a count of its own between the case's budget and the environment.
        """
        public: Executes | None = self.environments.of(task, environment_version)
        if public is not None and around is not None:
            public = around(public)
        budgeted = BudgetedEnvironment(task, public, limits)
        told = self._public_bytes(task)
        return self._box.run(verifier, content_bytes(solution), told, budgeted, limits, explain=explain)

    def close(self) -> None:
        """Close the sandbox, the environments and the cache."""
        try:
            self._box.close()
        finally:
            self.environments.close()

    def _public_bytes(self, task: Task) -> bytes:
        """What the verifier is told of a task; kept for the next case, which is mostly of the same task."""
        if self._told[0] is not task:
            public: Any = task.public
            self._told = task, content_bytes(public)
        return self._told[1]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
