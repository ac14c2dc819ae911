"""An attempt's executions of the public environment, counted where no harness can reach.

One request is served at a time, so a request counts for itself and the total is settled when it is done: what our own
failure spoilt is not charged. A cached repeat is charged like a first execution, and so is a request the environment
refuses. What is past the budget is refused in words that say what the refusal is not: evidence.
"""

from __future__ import annotations

import threading
from typing import Any

from verifierbench.core import BudgetExhausted, Protocol
from verifierbench.environments.budget import Executes

__all__ = ["NOT_EVIDENCE", "AttemptOver", "Budget", "Meter"]

NOT_EVIDENCE = "this is not evidence about the solution"


class AttemptOver(Exception):
    """The attempt ended while a request was served: nobody waits for its answer."""


class Budget:
    """What an attempt may execute, and has."""

    def __init__(self, protocol: Protocol) -> None:
        self.allowed, self.reserved = protocol.executions, protocol.reserved
        self.used = 0

    @property
    def left(self) -> int:
        """Executions that remain."""
        return self.allowed - self.used

    @property
    def exhausted(self) -> str:
        """What is said past the budget."""
        return f"budget exhausted: all {self.allowed} executions are used up; {NOT_EVIDENCE}"

    @property
    def declined(self) -> str:
        """What `runpublic` is told once only reserved executions are left; empty while there are others."""
        if self.left <= 0:
            return self.exhausted
        if self.left <= self.reserved:
            return (
                f"budget exhausted: the {self.left} executions that are left are reserved for `selftest`; "
                + NOT_EVIDENCE
            )
        return ""


class Meter:
    """Counts the executions of one request; meets `Executes` around an environment once it is put there."""

    def __init__(self, budget: Budget, over: threading.Event) -> None:
        self._budget, self._over = budget, over
        self._environment: Executes | None = None
        self.spent = 0
        self.blocked = 0
        """Executions that were refused for the budget."""

    def around(self, environment: Executes) -> Executes:
        """Stand before an environment."""
        self._environment = environment
        return self

    def execute(self, request: Any) -> Any:
        """Answer one request; raises `BudgetExhausted` past the budget, `AttemptOver` past the attempt."""
        if self._over.is_set():
            raise AttemptOver
        if self.spent >= self._budget.left:
            self.blocked += 1
            raise BudgetExhausted(self._budget.exhausted)
        self.spent += 1
        assert self._environment is not None
        return self._environment.execute(request)
