"""Records of a run: what was run, and what was handed in for each task.

A submission says how the agent's work came to its end as the trusted side saw it; no harness's own word is in it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

import msgspec

from .decision import Limits
from .records import SCHEMA_VERSION
from .terms import Protocol


class Ended(StrEnum):
    """How an agent's work on a task came to its end."""

    SUBMITTED = "submitted"
    """It said so, by `submit`."""
    FINISHED = "finished"
    """Its harness came to an end after a last answer of the model's."""
    TIME = "time"
    """The protocol's seconds were used up."""
    BUDGET = "budget"
    """The protocol's model calls, or what it may cost, were used up."""
    OVERFLOW = "overflow"
    """The model's context was too small for what the harness sent."""
    CRASHED = "crashed"
    """The harness ended, or never began, without any of these."""


class Spent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a submission took, as the trusted side counted it, attempts that crashed included."""

    model_calls: int = 0
    input_tokens: int = 0
    """Those read from the provider's cache included."""
    cached_tokens: int = 0
    output_tokens: int = 0
    """Reasoning included."""
    reasoning_tokens: int = 0
    cost_usd: float | None = None
    """None where neither the provider nor a price says it."""
    executions: int = 0
    """Of the public environment; blocked ones are not counted."""
    selftests: int = 0
    blocked: int = 0
    """Requests past the budget."""

    def __add__(self, other: Spent) -> Spent:
        """What both took; a cost that is not known of one is not known of both."""
        both: dict[str, Any] = {}
        for name in self.__struct_fields__:
            pair = getattr(self, name), getattr(other, name)
            both[name] = None if None in pair else sum(pair)
        return Spent(**both)


class Submission(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One verifier as it was handed in."""

    task: str
    """The task's alias: a submission knows nothing hidden."""
    outcome: Literal["submitted", "missing"]
    verifier_hash: str | None
    trace: tuple[dict[str, Any], ...] = ()
    seconds: float = 0.0
    ended: Ended | None = None
    """None for an agent without a harness."""
    attempts: int = 1
    """More than one where a harness crashed and was started again."""
    spent: Spent = Spent()
    shown: tuple[str, ...] = ()
    """Content hashes of hidden cases that were shown with their labels: they are left out of the score."""


class Run(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A run's own description: enough to run it again."""

    schema: int = SCHEMA_VERSION
    name: str
    harness: str | None
    """None for rows decided on the trusted side."""
    model: str | None
    suite: str
    """Where the suite lay, relative to the run's folder where possible."""
    suite_hash: str
    tier: str | None
    """How verifiers were contained; ranked results need `namespaces`."""
    limits: Limits = Limits()
    seed: str = "0"
    """What the case order of each verifier is drawn from."""
    generation: int | None = None
    """Which of several generations of one configuration this is, from 1; None for a single one."""
    harness_version: str | None = None
    provider: str | None = None
    """Whom the model was asked from; None for agents without a model."""
    protocol: Protocol | None = None
    """What the agent might use; None for agents without a harness."""
