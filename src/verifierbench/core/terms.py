"""What an agent may use while it writes a verifier: one published record, saved with the run, the same for every task.

Each field is one factor, so that an experiment changes one of them and holds the rest. What the record says is
enforced on the trusted side, by the gateway and the desk; nothing in it is left to a harness to respect.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

__all__ = ["Effort", "Protocol"]

Effort: TypeAlias = Literal["low", "medium", "high"]
_Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Protocol(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The defaults are the paper's, where it gives a figure."""

    seconds: Annotated[float, msgspec.Meta(gt=0, le=86_400)] = 5_400.0
    """Wall clock for one task, from the harness's start; what stands in the workspace then is handed in."""
    output_tokens: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 32_768
    """Largest response of the model."""
    context_tokens: Annotated[int, msgspec.Meta(ge=1_000, le=10_000_000)] = 200_000
    """The context window that a harness is told of."""
    model_calls: _Count = 500
    """Answered requests to the model."""
    cost_usd: Annotated[float, msgspec.Meta(ge=0)] | None = None
    """What the model may cost, where the provider or a price says what a request costs."""
    executions: _Count = 20
    """Executions of the public environment, by `runpublic` and inside self-tests; a cached repeat counts too."""
    reserved: _Count = 0
    """So many of the executions are kept for self-tests: `runpublic` is declined once only they are left."""
    necessity: bool = False
    """Offer `selftest --vary`, and ask for it: is a verdict the same when an allowed property is another?"""
    labelled: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """Hidden cases shown with their labels; they are left out of the run's score."""
    effort: Effort | None = "high"
    """The model's reasoning effort; None for a model that has none, and whatever a harness asks for is passed on."""
    hosted_tools: bool = False
    """Whether the provider's own tools (web search, code execution) may be used."""
