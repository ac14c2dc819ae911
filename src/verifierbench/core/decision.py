"""What a verifier said about one case, or why it said nothing.

A decision holds a verdict or a reason, never both and never neither. Infrastructure failures are not decisions:
they are raised as `InfrastructureError`, retried, and never scored.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec


class Verdict(StrEnum):
    """The two strings a verifier may return; also the two labels a case may carry."""

    PASS = "PASS"  # noqa: S105  # a verdict, not a password
    FAIL = "FAIL"


class Reason(StrEnum):
    """Why a case got no decision. Each stays in the denominator and earns nothing."""

    MISSING = "missing"
    """There is no verifier, or its file defines no `verify`."""
    IMPORT_ERROR = "import_error"
    """The file cannot be parsed, or running its top level raised."""
    EXCEPTION = "exception"
    """`verify` raised."""
    TIMEOUT = "timeout"
    """The verifier's own time was used up (time spent in the environment is not counted)."""
    MEMORY = "memory"
    """It ran out of its memory."""
    KILLED = "killed"
    """It ended without an answer: a signal, an exit, too much output, a forged frame."""
    BAD_OUTPUT = "bad_output"
    """`verify` returned something other than exactly "PASS" or "FAIL"."""
    ENVIRONMENT_BUDGET = "environment_budget"
    """It let `BudgetExhausted` escape."""


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one case may cost a verifier: a published record, the same for everyone."""

    environment_calls: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 20
    """Calls of `env.run`; a cached repeat counts too."""
    environment_seconds: Annotated[float, msgspec.Meta(gt=0, le=3_000)] = 600.0
    """Time all executions of a case may take together; past it, `env.run` is refused as past the call budget."""
    seconds: Annotated[float, msgspec.Meta(gt=0, le=3_600)] = 30.0
    """The verifier's own time, in seconds of wall clock; environment time is not counted."""
    memory_mb: Annotated[int, msgspec.Meta(ge=64, le=65_536)] = 512
    """Address space of the verifier's process, in MiB."""
    output_bytes: Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)] = 1_000_000
    """What it may print, standard output and error together."""


class Decision(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One verifier's answer on one case."""

    verdict: Verdict | None = None
    reason: Reason | None = None
    detail: str = ""
    """One line for a person: the exception's type and text, the signal, the returned value's type."""
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    environment_calls: int = 0
    line: int | None = None
    """The line of verifier.py that decided: known for exceptions, and for verdicts when asked to explain."""

    def __post_init__(self) -> None:
        if (self.verdict is None) == (self.reason is None):
            raise ValueError("a decision has a verdict or a reason, and not both")
