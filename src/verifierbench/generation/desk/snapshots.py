"""Every version of verifier.py that was seen in a workspace, by hash and with the reason it was looked at.

The workspace is the agent's while this runs. A link, a pipe or a device is never followed or waited on; a write that
is caught half-way is a version like any other; and an agent that rewrites its file for hours cannot fill a disk: past
the caps a version is named but not kept, except the one that is handed in.
"""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, TypeAlias

from verifierbench.core import sha256
from verifierbench.core.files import write_atomically
from verifierbench.generation.submission import take
from verifierbench.generation.workspace import VERIFIER

from .record import VERSIONS, Journal, Version, now

__all__ = ["EVERY_SECONDS", "MOST_BYTES", "MOST_LINES", "Snapshots"]

EVERY_SECONDS = 0.25
MOST_BYTES, MOST_LINES = 64_000_000, 20_000
"""Bytes of versions kept, and lines written, for changes alone."""

_Why: TypeAlias = Literal["changed", "selftest", "submit", "end"]


class Snapshots:
    """Watches one workspace from `start` to `close`; `look` may be called from any thread."""

    def __init__(self, workspace: Path, record: Path) -> None:
        self._file, self._kept_in = workspace / VERIFIER, record / "versions"
        self._journal: Journal[Version] = Journal(record / VERSIONS)
        self._lock, self._over = threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._watch, name="verifierbench-snapshots", daemon=True)
        self._last: str | None = None
        self._kept: set[str] = set()
        self._bytes = self._lines = 0

    def start(self) -> Self:
        """Begin to look every `EVERY_SECONDS`."""
        self._thread.start()
        return self

    def look(self, why: _Why = "changed") -> tuple[bytes | None, str]:
        """Take what stands there now, or None and why not; a change is written down, and every look with a reason."""
        with self._lock:
            return self._look(why)

    def close(self) -> None:
        """Look a last time and stop; may be called twice."""
        with self._lock:
            try:
                self._look("end")
            finally:
                self._over.set()
                self._journal.close()
        if self._thread.is_alive():
            self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(EVERY_SECONDS):
            self.look()

    def _look(self, why: _Why) -> tuple[bytes | None, str]:
        source, reason = take(self._file)
        if source is not None and not self._over.is_set():
            self._note(source, why)
        return source, reason

    def _note(self, source: bytes, why: _Why) -> None:
        digest = sha256(source)
        if why == "changed" and (digest == self._last or self._lines >= MOST_LINES):
            return
        self._last = digest
        self._lines += 1
        kept = self._keep(digest, source, why)
        self._journal.append(Version(hash=digest, at=now(), bytes=len(source), why=why, kept=kept))

    def _keep(self, digest: str, source: bytes, why: _Why) -> bool:
        if digest in self._kept:
            return True
        if self._bytes + len(source) > MOST_BYTES and why not in ("submit", "end"):
            return False
        # Content first, its line after: a line never names what is not there.
        write_atomically(self._kept_in / f"{digest}.py", source)
        self._kept.add(digest)
        self._bytes += len(source)
        return True

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
