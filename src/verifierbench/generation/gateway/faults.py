"""What a provider's error means: try again, the context is full, or it will never do.

Read in one place for all dialects, because servers that speak a dialect do not always speak its errors.
"""

from __future__ import annotations

import json
import re
from typing import Any

_BUSY = frozenset({408, 409, 425, 429})
_NO_MONEY = frozenset({"insufficient_quota", "billing_not_active", "billing_hard_limit_reached"})
_FULL_CODES = frozenset({"context_length_exceeded", "request_too_large"})
_FULL = re.compile(
    r"context[ _-](?:length|window|limit|size)|maximum context|prompt is too long|input is too long"
    r"|too many (?:input )?tokens|(?:input|prompt) token count.{0,40}exceeds"
    r"|reduce the length of the (?:messages|input|prompt)",
    re.IGNORECASE,
)
_CLIENT_ERRORS = range(400, 500)


class Cut(Exception):
    """The response ends before the model had finished."""


class Failure(Exception):
    """The provider answered with an error: an HTTP status, its words, its code."""

    def __init__(self, status: int, words: str, code: str = "") -> None:
        super().__init__(words)
        self.status, self.words, self.code = status, words, code

    @property
    def transient(self) -> bool:
        """Whether the same request may be answered later."""
        return (self.status in _BUSY or self.status >= 500) and not self.overflow and not self.unpaid

    @property
    def unpaid(self) -> bool:
        """Whether the account can pay no more, which providers tell as if they were busy."""
        return self.code in _NO_MONEY

    @property
    def overflow(self) -> bool:
        """Whether the conversation no longer fits the model's context."""
        known = self.code in _FULL_CODES or self.status == 413
        return known or (self.status in _CLIENT_ERRORS and self.status not in _BUSY and bool(_FULL.search(self.words)))


def failure_of(status: int, text: str) -> Failure:
    """The error in a body of any dialect, or the body itself where it is none."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    return failure_in(body, status) or Failure(status, text[:500].strip() or "no words")


def failure_in(body: Any, status: int) -> Failure | None:
    """The error object of a body, under the given status; None where the body tells of none."""
    if isinstance(body, list) and body:
        body = body[0]
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, str) and error:
        return Failure(status, error)
    if not isinstance(error, dict):
        return None
    code = next(
        (error[name] for name in ("code", "type", "status") if error.get(name) and isinstance(error[name], str)), ""
    )
    return Failure(status, str(error.get("message") or error), code)
