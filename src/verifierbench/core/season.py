"""A season decides every random choice an operator makes.

Each choice is drawn from HMAC-SHA-256(secret, task, operator), so that who knows the secret can rebuild the suite and
nobody else can guess it. The development season's secret is public, and says so by its name.
"""

from __future__ import annotations

import hashlib
import hmac
import random

import msgspec


class Season(msgspec.Struct, frozen=True, kw_only=True):
    """A named secret."""

    name: str
    secret: str

    def seed(self, task: str, operator: str) -> str:
        """The seed of one operator on one task, in hexadecimal."""
        message = f"{task}\0{operator}".encode()
        return hmac.new(self.secret.encode(), message, hashlib.sha256).hexdigest()

    def random(self, task: str, operator: str) -> random.Random:
        """A generator of its own for one operator on one task."""
        return random.Random(self.seed(task, operator))  # noqa: S311  # reproducible choices, no secrets


DEVELOPMENT = Season(name="development", secret="public")  # noqa: S106  # published on purpose
