"""Which rows of a world differ, found without reading the others: triggers note the rows a statement touches.

A world has hundreds of thousands of rows and a call touches a handful, so states are never compared as a whole. The
triggers are temporary and belong to the one connection that upstream writes through; they note a row's place and
nothing else. What a row was is read from a copy made when the world was opened, what it is from the world itself, so
a row that was touched and left as it was counts for nothing.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

NOT_STATE = ("record_hash",)
"""Columns that upstream derives from the others."""
_EVENTS = {"INSERT": ("NEW",), "UPDATE": ("OLD", "NEW"), "DELETE": ("OLD",)}


class Table(NamedTuple):
    """One table of one app."""

    app: str
    model: str
    name: str


class _Watched(NamedTuple):
    table: Table
    live: sqlite3.Connection
    first: sqlite3.Connection
    columns: Mapping[str, str]
    """Name → declared type."""

    def row(self, connection: sqlite3.Connection, place: int) -> dict[str, Any] | None:
        names = ", ".join(f'"{name}"' for name in self.columns)
        found = connection.execute(f'SELECT {names} FROM "{self.table.name}" WHERE rowid = ?', (place,)).fetchone()  # noqa: S608
        if found is None:
            return None
        return {name: value(cell, self.columns[name]) for name, cell in zip(self.columns, found, strict=True)}


Place = tuple[int, int]
"""Number of a watched table, and a row's id."""


class Watch:
    """The rows of some tables, from the moment it is made."""

    def __init__(self, tables: Iterable[Table], connections: Mapping[str, sqlite3.Connection]) -> None:
        """`connections` gives the one through which each app is written."""
        self._live = dict(connections)
        first = {app: _copied(connection) for app, connection in connections.items()}
        for connection in self._live.values():
            connection.execute("PRAGMA recursive_triggers = ON")  # what REPLACE removes is noted as well
            connection.execute("CREATE TEMP TABLE touched (watched INTEGER, place INTEGER)")
        self._watched = [
            _Watched(table, self._live[table.app], first[table.app], columns(self._live[table.app], table.name))
            for table in tables
        ]
        for number, watched in enumerate(self._watched):
            _note(number, watched)

    def touched(self) -> set[Place]:
        """The rows touched since this was last asked."""
        found: set[Place] = set()
        for connection in self._live.values():
            found |= set(connection.execute("SELECT DISTINCT watched, place FROM touched").fetchall())
            connection.execute("DELETE FROM touched")
            connection.commit()
        return found

    def first(self, place: Place) -> Any:
        """What a row was at first; None where there was none."""
        watched = self._watched[place[0]]
        return watched.row(watched.first, place[1])

    def now(self, place: Place) -> Any:
        """What a row is; None where there is none."""
        watched = self._watched[place[0]]
        return watched.row(watched.live, place[1])

    def state(self, rows: Mapping[Place, Any]) -> dict[str, Any]:
        """Some rows as a state, `{app.model: {id: row}}`; those that are None are left out, tables are not."""
        made: dict[str, Any] = {}
        for (number, place), row in sorted(rows.items()):
            table = self._watched[number].table
            below = made.setdefault(f"{table.app}.{table.model}", {})
            if row is not None:
                below[str(place)] = row
        return made


def columns(connection: sqlite3.Connection, table: str) -> dict[str, str]:
    """The columns of a table that are part of the state, with their declared types."""
    found = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
    return {name: kind.upper() for _, name, kind, *_ in found if name not in NOT_STATE}


def value(cell: Any, kind: str) -> Any:
    """A stored value as JSON."""
    if cell is None:
        return None
    if kind == "BOOLEAN":
        return bool(cell)
    if kind == "JSON":
        return json.loads(cell)
    return cell.hex() if isinstance(cell, bytes) else cell


def _copied(connection: sqlite3.Connection) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:", check_same_thread=False)
    connection.backup(copy)
    return copy


def _note(number: int, watched: _Watched) -> None:
    for event, sides in _EVENTS.items():
        notes = " ".join(f"INSERT INTO touched VALUES ({number}, {side}.rowid);" for side in sides)  # noqa: S608
        name = f"note_{number}_{event.lower()}"
        watched.live.execute(
            f'CREATE TEMP TRIGGER "{name}" AFTER {event} ON main."{watched.table.name}" BEGIN {notes} END'
        )
