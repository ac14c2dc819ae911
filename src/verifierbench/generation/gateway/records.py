"""What passes the gateway, in one form whatever the dialect: terms, replies, exchanges, totals.

An `Exchange` holds the request as it was sent on and the provider's own text beside what we read in it, so that a
later reader may read it again. No record holds a key, a token or a header. Tokens are counted one way: input with what
was cached, output with what was reasoned.
"""

from __future__ import annotations

import re
from typing import Any, Literal, TypeAlias

import msgspec

from verifierbench.core import Effort
from verifierbench.generation.harnesses.base import Dialect

Finish: TypeAlias = Literal["answered", "tools", "truncated", "overflow"]
"""How a model's reply ends: a final text, calls of tools, cut by the output limit, cut by the context window."""

Ending: TypeAlias = Literal[
    "answered", "tools", "truncated", "refused", "overflow", "budget", "outage", "rejected", "abandoned"
]
"""How a request ended: a reply's `Finish`, or

refused      by us: token, path, model name, or a replay that fits no longer
overflow     the conversation no longer fits the model's context
budget       calls, cost or time are used up
outage       the provider is down after all retries (5xx, 429, no connection, silence)
rejected     another error of the provider's
abandoned    the client or the attempt was gone before the provider had answered
"""

REPLIES: tuple[Ending, ...] = ("answered", "tools", "truncated")
"""Endings of a request that the model answered."""

TIME_USED = "This run's time is used up."
"""The refusal of a `budget` ending that is the clock's."""

_TOKEN = re.compile(r"[A-Za-z0-9_.-]{16,}")


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """What tokens cost, in USD per million."""

    input: float
    output: float
    cached: float | None = None
    """Input read from the provider's cache; None where it costs as other input."""
    written: float | None = None
    """Input written to the provider's cache; None where it costs as other input."""

    def cost(self, usage: Usage) -> float:
        """USD for one reply."""
        cached = self.input if self.cached is None else self.cached
        written = self.input if self.written is None else self.written
        plain = usage.input - usage.cached - usage.written
        parts = ((plain, self.input), (usage.cached, cached), (usage.written, written), (usage.output, self.output))
        return sum(tokens * price for tokens, price in parts) / 1e6


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one reply or of many."""

    input: int = 0
    """With `cached` and `written`."""
    cached: int = 0
    written: int = 0
    output: int = 0
    """With `reasoning`."""
    reasoning: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in self.__struct_fields__})


class ToolCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call the model asks for."""

    id: str
    """The provider's; the tool's name where it gives none."""
    name: str
    arguments: str
    """The text the model wrote, JSON or not."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a conversation as a request carries it."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None
    """Whose result a `tool` message is."""


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What the model answered."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    cost_usd: float | None = None
    """The provider's own figure, where it gives one."""
    finish: Finish
    reason: str = ""
    """The provider's own word for how it ended."""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One try at the provider."""

    status: int | None
    """None where no answer came."""
    seconds: float
    problem: str | None = None
    """Why it was not the last one, or why nothing came of it."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A field of the request that was sent on otherwise than it came; None where the field was or is absent."""

    field: str
    """A JSON pointer into the request as it came."""
    was: Any
    now: Any


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """One request for the model and everything that came of it."""

    schema: int = 1
    n: int
    """From 1, in the order of arrival."""
    started: str
    """ISO 8601, UTC."""
    seconds: float
    dialect: Dialect
    path: str
    """Below the provider's base URL."""
    streaming: bool
    request: Any
    """The body as sent on; None where nothing was sent on."""
    changes: tuple[Change, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    status: int | None = None
    """The provider's last status; None where it never answered."""
    content_type: str = ""
    response: str = ""
    """The provider's last answer, as it came."""
    reply: Reply | None = None
    cost_usd: float | None = None
    ended: Ending
    refusal: str | None = None
    """What the client was told in place of the provider's answer."""


class Calls(msgspec.Struct, frozen=True, kw_only=True):
    """The totals of a line."""

    answered: int = 0
    """Requests that the model answered."""
    requests: int = 0
    """All of them, refused ones included."""
    input: int = 0
    cached: int = 0
    output: int = 0
    reasoning: int = 0
    cost_usd: float | None = 0.0
    """None once an answered request's cost is not known."""
    ended: Ending | None = None
    """How the last request ended; None where none came."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What one attempt may ask of the model."""

    token: str
    """At least 16 letters, digits, dots, dashes or underscores: whatever repeats it is blotted out of the record."""
    model: str
    dialect: Dialect
    effort: Effort | None
    """None leaves what the harness asks for."""
    output_tokens: int
    model_calls: int
    deadline: float
    """In `time.monotonic()`."""
    cost_usd: float | None = None
    hosted_tools: bool = False
    price: Price | None = None

    def __post_init__(self) -> None:
        if not _TOKEN.fullmatch(self.token):
            raise ValueError("a token has at least 16 letters, digits, dots, dashes or underscores")
