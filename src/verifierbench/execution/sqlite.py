"""SQLite files that several processes write at once and any of them may be killed over.

Write-ahead logging: a process that is killed loses at most the statement it was at, and never the file. Each kind of
file carries its application id and schema version; another kind, or a newer version, is refused by name and never
guessed at. What the operating system refuses becomes one sentence (`Unavailable`), a damaged file `MalformedInput`,
a lock that is never released `InfrastructureError`.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

import msgspec

from verifierbench.core import InfrastructureError, MalformedInput, Unavailable

PATIENCE_SECONDS = 60.0
"""How long a writer waits for the others before it is our failure."""

_DAMAGED = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})
_CONTENDED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_CURES = {
    sqlite3.SQLITE_FULL: "free some space and run the same command again: finished work is kept",
    sqlite3.SQLITE_READONLY: "make the file and its folder writable, or choose another folder",
    sqlite3.SQLITE_CANTOPEN: "make its folder exist and be writable, or choose another folder",
}


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of file."""

    name: str
    application: int
    """SQLite's application id: tells our kinds of file, and strangers' files, apart."""
    version: int
    schema: tuple[str, ...]
    """Statements that create it."""


class Store:
    """An open file of one layout; every statement commits by itself."""

    def __init__(self, path: Path, layout: Layout, *, readonly: bool = False) -> None:
        self.path, self.layout = path, layout
        with self._errors():
            self._connection = _patiently(lambda: _connect(path, layout, readonly))

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> int:
        """Run one writing statement; returns how many rows it changed."""
        with self._errors():
            return self._connection.execute(statement, parameters).rowcount

    def rows(self, statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Every row a query finds."""
        with self._errors():
            return self._connection.execute(statement, parameters).fetchall()

    def close(self) -> None:
        """Close the file; what was committed stays."""
        with suppress(sqlite3.Error):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            self._raise(error)
        except OSError as error:
            raise Unavailable(f"{self.path} cannot be written: {error.strerror or error}") from error

    def _raise(self, error: sqlite3.Error) -> NoReturn:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _DAMAGED:
            raise MalformedInput(self.path, "", f"no {self.layout.name}, or a damaged one: {error}") from error
        if code in _CONTENDED:
            raise InfrastructureError(f"{self.path} stayed locked for {PATIENCE_SECONDS:.0f} s") from error
        if code in _CURES or code == sqlite3.SQLITE_IOERR:
            cure = _CURES.get(code, "check the disk and run the same command again: finished work is kept")
            raise Unavailable(f"{self.path} cannot be written: {error}; {cure}") from error
        raise error


def _connect(path: Path, layout: Layout, readonly: bool) -> sqlite3.Connection:
    if readonly:
        # `immutable`: without write access there is nowhere to put the log's index, and nobody to need it.
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=PATIENCE_SECONDS, isolation_level=None)
    try:
        if not readonly:
            connection.execute("PRAGMA journal_mode = WAL")
            # A lost power supply may cost the last results, which are computed again; it never costs the file.
            connection.execute("PRAGMA synchronous = NORMAL")
        _settle(connection, path, layout, readonly)
    except BaseException:
        connection.close()
        raise
    return connection


def _settle(connection: sqlite3.Connection, path: Path, layout: Layout, readonly: bool) -> None:
    """Create what is not there, in one transaction; refuse what is not ours or newer than us."""
    # One transaction, so that all that is read is of one moment: another process may be creating the file.
    connection.execute("BEGIN")
    current = _is_current(connection, path, layout)
    connection.execute("COMMIT")
    if current or readonly:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _is_current(connection, path, layout):
            for statement in layout.schema:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {layout.application}")
            connection.execute(f"PRAGMA user_version = {layout.version}")
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _is_current(connection: sqlite3.Connection, path: Path, layout: Layout) -> bool:
    """Whether the file has our schema; False for a new file, raises for any other."""
    ((application,),) = connection.execute("PRAGMA application_id").fetchall()
    ((version,),) = connection.execute("PRAGMA user_version").fetchall()
    ((tables,),) = connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    if not application and not version and not tables:
        return False
    if application != layout.application:
        raise MalformedInput(path, "", f"no {layout.name}, but a database of something else")
    if version > layout.version:
        raise MalformedInput(
            path, "", f"{layout.name} of version {version}, newer than this program's {layout.version}; upgrade it"
        )
    return True


def _patiently(connect: Any) -> sqlite3.Connection:
    """Open, waiting for processes that open the same new file: SQLite itself does not wait while it turns WAL on."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            opened: sqlite3.Connection = connect()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _CONTENDED or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return opened
