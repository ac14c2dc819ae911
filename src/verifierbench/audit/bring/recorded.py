"""A public environment that answers from what was recorded, and from nothing else.

There is no live environment behind a brought task: a request that is not in its `evidence.jsonl` is refused in words a
verifier may read. Requests are the same when their canonical JSON is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from verifierbench.core import EnvironmentRefusal, canonical_hash

from .form import EvidenceRow


class Unrecorded(EnvironmentRefusal):
    """Nothing is recorded of what would be answered."""


class Recorded:
    """Answers by request; meets `core.Environment`."""

    def __init__(self, rows: Iterable[EvidenceRow]) -> None:
        self._rows = {canonical_hash(row.request): row for row in rows}
        self.asked: set[str] = set()
        """Keys of the recorded requests that were asked since this was last emptied."""

    @property
    def version(self) -> str:
        """Identity of all that is recorded."""
        return "recorded-" + canonical_hash({key: self._plain(key) for key in self._rows})[:16]

    def execute(self, request: Any) -> Any:
        """What was recorded; raises `EnvironmentRefusal`."""
        try:
            key = canonical_hash(request)
        except (ValueError, TypeError, RecursionError) as error:
            raise EnvironmentRefusal(f"the request is not JSON: {error}") from error
        row = self._rows.get(key)
        if row is None:
            raise Unrecorded(f"nothing is recorded for this request; {len(self._rows)} others are")
        self.asked.add(key)
        if row.refused is not None:
            raise EnvironmentRefusal(row.refused)
        return row.answer

    def rows(self, keys: Iterable[str] | None) -> list[dict[str, Any]]:
        """Some of what is recorded, or all of it, as plain JSON."""
        return [self._plain(key) for key in sorted(self._rows if keys is None else keys)]

    def close(self) -> None:
        """Nothing to release."""

    def _plain(self, key: str) -> dict[str, Any]:
        plain: dict[str, Any] = msgspec.to_builtins(self._rows[key])
        return {name: value for name, value in plain.items() if name != "refused" or value is not None}
