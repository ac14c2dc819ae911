"""Evidence: what a public environment answered, kept so that each request is executed once for all verifiers.

The key is the hash of (environment version, canonical request). A label, a case or a verifier never enters it, so
nothing about them can be learnt from a hit. A deterministic refusal is evidence too; a time-out or a failure of our
machinery never is, and neither is an answer that differs between runs: its key is quarantined.

Any number of processes may share the file. Who is first to want an answer holds the key's byte of a lock file while
it executes; the others sleep in the kernel and then find the answer. The kernel lets go when a process dies, however
it dies, so there is no lease to expire. Where the file cannot be written (a suite installed read-only), hits are
still served and misses executed each time.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from verifierbench.core import JSON, Unavailable, canonical_hash, content_bytes
from verifierbench.execution.sqlite import Layout, Store

LAYOUT = Layout(
    name="evidence cache",
    application=0x56424556,  # "VBEV"
    version=1,
    schema=(
        """CREATE TABLE evidence (
            key TEXT PRIMARY KEY,
            refused INTEGER NOT NULL,
            answer BLOB NOT NULL
        ) WITHOUT ROWID""",
        "CREATE TABLE quarantine (key TEXT PRIMARY KEY, version TEXT NOT NULL, answers BLOB NOT NULL) WITHOUT ROWID",
    ),
)


class Evidence(msgspec.Struct, frozen=True):
    """What an environment said to a request."""

    answer: Any
    """The answer, or the words of the refusal."""
    refused: bool = False


class EvidenceCache:
    """Evidence by key, in one SQLite file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._store, self.writable = _open(path)
        self._flights = -1

    @staticmethod
    def key(version: str, request: JSON) -> str:
        """Identity of a request; raises ValueError for what is not JSON."""
        return canonical_hash([version, request])

    def find(self, key: str) -> Evidence | None:
        """The evidence under a key, if there is some."""
        if self._store is None:
            return None
        found = self._store.rows("SELECT answer, refused FROM evidence WHERE key = ?", (key,))
        return Evidence(json.loads(found[0][0]), bool(found[0][1])) if found else None

    def keep(self, key: str, evidence: Evidence) -> None:
        """Store evidence, unless some is there already or the key is quarantined."""
        if self._store is not None and self.writable:
            self._store.execute(
                "INSERT OR IGNORE INTO evidence (key, refused, answer) SELECT ?, ?, ? "
                "WHERE NOT EXISTS (SELECT 1 FROM quarantine WHERE key = ?)",
                (key, evidence.refused, content_bytes(evidence.answer), key),
            )

    def quarantine(self, key: str, version: str, answers: JSON) -> None:
        """Forget the evidence under a key and never keep any again; `answers` is what differed."""
        if self._store is None or not self.writable:
            raise Unavailable(f"{self.path} cannot be written, so nothing can be quarantined; make it writable")
        arguments = (key, version, content_bytes(answers))
        self._store.execute("INSERT OR REPLACE INTO quarantine (key, version, answers) VALUES (?, ?, ?)", arguments)
        self._store.execute("DELETE FROM evidence WHERE key = ?", (key,))

    def quarantined(self) -> tuple[str, ...]:
        """The keys whose answers differed between runs."""
        return tuple(key for (key,) in self._store.rows("SELECT key FROM quarantine")) if self._store else ()

    def __len__(self) -> int:
        return int(self._store.rows("SELECT count(*) FROM evidence")[0][0]) if self._store else 0

    @contextmanager
    def flight(self, key: str) -> Iterator[None]:
        """Be the only process that executes the request under this key."""
        if not self.writable:
            yield
            return
        if self._flights < 0:
            self._flights = os.open(f"{self.path}.flights", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        # One byte of the (empty) file stands for a key. Two keys that share one merely wait for each other.
        place = int(key[:15], 16)
        fcntl.lockf(self._flights, fcntl.LOCK_EX, 1, place)
        try:
            yield
        finally:
            fcntl.lockf(self._flights, fcntl.LOCK_UN, 1, place)

    def close(self) -> None:
        """Close the file."""
        if self._store is not None:
            self._store.close()
        if self._flights >= 0:
            os.close(self._flights)
            self._flights = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _open(path: Path) -> tuple[Store | None, bool]:
    """The file, and whether it can be written; no file where there is none and none can be made."""
    with suppress(Unavailable, sqlite3.OperationalError):
        store = Store(path, LAYOUT)
        if _takes_writes(store):
            return store, True
        store.close()
    return (Store(path, LAYOUT, readonly=True), False) if path.is_file() else (None, False)


def _takes_writes(store: Store) -> bool:
    try:
        store.execute("DELETE FROM evidence WHERE key = ''")
    except Unavailable:
        return False
    return True
