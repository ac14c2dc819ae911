"""A table of records as upstream's tools see it, of which a record is copied when a tool first takes it by its key.

The tables are large and a replay touches a handful of records, so a world is made by laying empty overlays on the
loaded tables, and what changed is found among the records that were taken. A record met while a table is gone through
is the loaded one: upstream's tools read those and never write to them, which the tests prove by comparing with whole
states.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any


class Overlay(MutableMapping[str, Any]):
    """A table; every record in `base` stays as it was."""

    def __init__(self, base: Mapping[str, Any]) -> None:
        self.base = base
        self.taken: dict[str, Any] = {}
        """Records copied or added, in the order in which they were taken."""
        self.gone: set[str] = set()
        self.first: dict[str, str] = {}
        """Text of the records in `base` that were taken or are gone."""

    def __getitem__(self, key: str) -> Any:
        if key in self.taken:
            return self.taken[key]
        if key in self.gone:
            raise KeyError(key)
        model = type(self.base[key])
        record = self.taken[key] = model.model_validate_json(self._kept(key))  # a copy at the speed of Rust
        return record

    def __setitem__(self, key: str, record: Any) -> None:
        if key in self.base:
            self._kept(key)
        self.gone.discard(key)
        self.taken[key] = record

    def __delitem__(self, key: str) -> None:
        if key not in self:
            raise KeyError(key)
        if key in self.base:
            self._kept(key)
        self.taken.pop(key, None)
        self.gone.add(key)

    def __contains__(self, key: object) -> bool:
        return key in self.taken or (key in self.base and key not in self.gone)

    def __iter__(self) -> Iterator[str]:
        yield from (key for key in self.base if key not in self.gone)
        yield from (key for key in self.taken if key not in self.base)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def values(self) -> Any:
        """Every record, for reading."""
        return (self._seen(key) for key in self)

    def items(self) -> Any:
        """Every key with its record, for reading."""
        return ((key, self._seen(key)) for key in self)

    def texts(self) -> dict[str, str | None]:
        """Every record that may have changed, as JSON text; None for one that is gone."""
        there: dict[str, str | None] = {key: text_of(record) for key, record in self.taken.items()}
        return there | dict.fromkeys(self.gone & self.base.keys())

    def before(self, keys: Iterable[str], places: Mapping[str, int]) -> dict[str, Any]:
        """Those of some records that were there at first, in their first order."""
        mine = [key for key in keys if key in self.first]
        return {key: json.loads(self.first[key]) for key in sorted(mine, key=places.__getitem__)}

    def _kept(self, key: str) -> str:
        if key not in self.first:
            self.first[key] = text_of(self.base[key])
        return self.first[key]

    def _seen(self, key: str) -> Any:
        return self.taken[key] if key in self.taken else self.base[key]


def text_of(record: Any) -> str:
    """A record as JSON text."""
    text: str = record.model_dump_json(warnings=False)
    return text
