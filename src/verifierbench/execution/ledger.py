"""The ledger: what has been computed, so that nothing is computed twice and nothing is lost.

One SQLite file per run. A result is appended in one statement the moment it exists, by the process that computed it;
the first complete write under a key wins and is never changed. Whatever is killed, whenever, running the same command
again computes only what the ledger lacks. It holds results only: a failure of ours is never written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from .sqlite import Layout, Store

LAYOUT = Layout(
    name="ledger",
    application=0x56424C47,  # "VBLG"
    version=1,
    schema=(
        """CREATE TABLE result (
            key TEXT PRIMARY KEY,
            value BLOB NOT NULL,
            finished_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        ) WITHOUT ROWID""",
    ),
)

_AT_ONCE = 500
"""Keys per query: SQLite bounds the number of parameters."""


class Ledger:
    """Results by unit key; open it in as many processes as you like."""

    def __init__(self, path: Path) -> None:
        self._store = Store(path, LAYOUT)

    def record(self, key: str, value: bytes) -> bool:
        """Append a finished result; False when another write under this key came first."""
        return self._store.execute("INSERT OR IGNORE INTO result (key, value) VALUES (?, ?)", (key, value)) == 1

    def result(self, key: str) -> bytes | None:
        """The result under a key, if it is finished."""
        found = self._store.rows("SELECT value FROM result WHERE key = ?", (key,))
        return found[0][0] if found else None

    def results(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The results that are finished among these keys."""
        return dict(self._among("key, value", keys))

    def finished(self, keys: Sequence[str]) -> frozenset[str]:
        """Which of these keys are finished."""
        return frozenset(key for (key,) in self._among("key", keys))

    def __len__(self) -> int:
        return int(self._store.rows("SELECT count(*) FROM result")[0][0])

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _among(self, columns: str, keys: Sequence[str]) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            found += self._store.rows(f"SELECT {columns} FROM result WHERE key IN ({marks})", some)  # noqa: S608  # fixed column names
        return found
