"""What differs between the first state of a world and the present one, and whether a call moved anything.

Two kinds of state: large tables, of which only the records that were taken are looked at, and a small state that is
looked at as a whole. Both find changes by comparing, never by what a tool is said to do.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

diffs: Any = importlib.import_module("guest.diffs")
replaying: Any = importlib.import_module("guest.replaying")


class Tables:
    """A state of large tables: only the records that were taken are looked at."""

    def __init__(self, tables: Mapping[str, Any], places: Mapping[str, Mapping[str, int]]) -> None:
        self._tables, self._places = tables, places
        self._known: dict[str, dict[str, str | None]] = {name: {} for name in tables}

    def moved(self) -> bool:
        """Whether anything changed since this was asked last."""
        changed = False
        for name, table in self._tables.items():
            now, known = table.texts(), self._known[name]
            for key, text in now.items():
                old = known[key] if key in known else table.first.get(key)
                changed = changed or not self._alike(old, text)
            self._known[name] = now
        return changed

    def changes(self) -> list[dict[str, Any]]:
        """Every difference from the initial state."""
        first: dict[str, Any] = {}
        last: dict[str, Any] = {}
        for name, table in self._tables.items():
            now = table.texts()
            first[name] = table.before(now, self._places[name])
            order = [*first[name], *(key for key in now if key not in first[name])]
            last[name] = {key: json.loads(text) for key in order if (text := now[key]) is not None}
        return list(replaying.described(first, last))

    def end(self) -> dict[str, Any]:
        """Every record that is not as it was at first."""
        found = {}
        for name, table in self._tables.items():
            for key, text in table.texts().items():
                if text != table.first.get(key):
                    found[f"{name}/{key}"] = None if text is None else json.dumps(json.loads(text), sort_keys=True)
        return found

    def _alike(self, old: str | None, new: str | None) -> bool:
        if old == new:
            return True
        return None not in (old, new) and bool(diffs.same(json.loads(old or ""), json.loads(new or "")))


class Whole:
    """A small state: it is looked at as a whole."""

    def __init__(self, texts: Callable[[], tuple[str, str]]) -> None:
        """`texts` returns the state of both sides as JSON text."""
        self._texts = texts
        self._first = self._last = texts()

    def moved(self) -> bool:
        """Whether anything changed since this was asked last."""
        before, self._last = self._last, self._texts()
        return next(diffs.changes(*_apart(before, self._last)), None) is not None

    def changes(self) -> list[dict[str, Any]]:
        """Every difference from the initial state."""
        return list(replaying.described(*_apart(self._first, self._texts())))

    def end(self) -> dict[str, Any]:
        """The state."""
        return {"state": json.dumps(joined(self._texts()), sort_keys=True)}


def joined(texts: Sequence[str]) -> Any:
    """The state of both sides from its two texts."""
    db, device = map(json.loads, texts)
    return db | {"user": device}


def _apart(before: tuple[str, str], after: tuple[str, str]) -> tuple[Any, Any]:
    """Two states without the side that is written alike in both: to compare it would take most of the time."""
    alike = [old == new for old, new in zip(before, after, strict=True)]
    old, new = (["{}" if same else text for same, text in zip(alike, texts, strict=True)] for texts in (before, after))
    return joined(old), joined(new)
