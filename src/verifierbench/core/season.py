"""A season decides every random choice an operator makes, what is held back, and every secret name of a suite.

Each choice is drawn from HMAC-SHA-256(secret, task, operator), so that who knows the secret can rebuild the suite and
nobody else can guess it. Before a season is used its salted commitment is published; when it is rotated out its file
is, and everybody can see that nothing was chosen afterwards. What is used keys of its own, so that no published value
tells anything of another. The development season's secret is public, and says so by its name.
"""

from __future__ import annotations

import hashlib
import hmac
import random

import msgspec

from .hashing import JSON, canonical_bytes, canonical_hash
from .records import SCHEMA_VERSION


class Published(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may be told of a season before it is over: nothing of the secret can be computed from it."""

    schema: int = SCHEMA_VERSION
    name: str
    commitment: str


class Season(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A named secret, and what the season leaves out of its sources and adds to them.

    Its file is the secret; a revealed season is the same file, published.
    """

    schema: int = SCHEMA_VERSION
    name: str
    secret: str
    salt: str = ""
    """Random, so that a commitment cannot be tried out against guesses of the rest."""
    withheld_tasks: tuple[str, ...] = ()
    """Task ids left out, so that a later season can use them."""
    withheld_operators: tuple[str, ...] = ()
    """Operators none of whose cases are used; the matched controls of their attacks go with them."""
    plugin: str | None = None
    """Name of a private Python file beside the season's own, which adds tasks and cases."""
    plugin_hash: str | None = None
    """SHA-256 of that file."""

    def __repr__(self) -> str:
        """Without the secret: a traceback may be shown to anybody."""
        return f"Season(name={self.name!r}, commitment={self.commitment[:12]!r})"

    @property
    def commitment(self) -> str:
        """SHA-256 over everything above, in canonical JSON; empty fields are left out, so that new ones may come."""
        fields: dict[str, JSON] = msgspec.to_builtins(self)
        return canonical_hash({name: value for name, value in fields.items() if value})

    @property
    def published(self) -> Published:
        """What is published before the season is used."""
        return Published(name=self.name, commitment=self.commitment)

    def seed(self, task: str, operator: str) -> str:
        """The seed of one operator on one task, in hexadecimal."""
        return self._hmac(f"{task}\0{operator}".encode()).hexdigest()

    def random(self, task: str, operator: str) -> random.Random:
        """A generator of its own for one operator on one task."""
        return random.Random(self.seed(task, operator))  # noqa: S311  # reproducible choices, no secrets

    def alias(self, task: str) -> str:
        """The opaque name a task goes by in this season: nobody without the secret can tell which task it is."""
        return "t" + self.keyed("alias", task)[:10]

    def keyed(self, kind: str, *parts: JSON) -> str:
        """HMAC-SHA-256 of JSON values in hexadecimal, under a key of this season for this kind of value alone."""
        # No seed begins with a zero byte (a task has a name), so no seed is the key of a kind.
        key = self._hmac(f"\0{kind}".encode()).digest()
        return hmac.new(key, canonical_bytes(parts), hashlib.sha256).hexdigest()

    def _hmac(self, message: bytes) -> hmac.HMAC:
        return hmac.new(self.secret.encode(), message, hashlib.sha256)


DEVELOPMENT = Season(name="development", secret="public")  # noqa: S106  # published on purpose
