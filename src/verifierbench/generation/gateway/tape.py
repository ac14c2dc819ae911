"""exchanges.jsonl: one line per exchange, appended in one write the moment the exchange is over.

Killed at any moment, what was written before stands; a last line that was cut is dropped by whoever reads, and cut
off by whoever writes on. Secrets are blotted out of the bytes of a line, wherever they stood: a model may well print
its environment, and a provider may well repeat a key it refuses. A harness sends the whole conversation each time, so a
request is written as what it adds to the one before it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from verifierbench.core.errors import MalformedInput
from verifierbench.core.hashing import content_bytes

from .records import Exchange

BLOT = b"[withheld]"
_SECRET = 8
"""A shorter key protects nothing (servers of one's own take any word), and would blot out honest text."""


class Tape:
    """The record of one line, open for writing; `before` is what it held."""

    def __init__(self, path: Path, secrets: Iterable[str] = ()) -> None:
        self._secrets = tuple(json.dumps(secret)[1:-1].encode() for secret in secrets if len(secret) >= _SECRET)
        path.parent.mkdir(parents=True, exist_ok=True)
        self.before = read(path) if path.exists() else []
        self._base = next((exchange for exchange in reversed(self.before) if _has_body(exchange)), None)
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        os.ftruncate(self._file, sum(len(line) for line in _whole_lines(path)))

    def append(self, exchange: Exchange) -> None:
        """Write one exchange."""
        plain = msgspec.to_builtins(exchange)
        if self._base is not None and _has_body(exchange):
            plain["request"] = None
            plain["added"] = {"to": self._base.n, **added(self._base.request, exchange.request)}
        line = content_bytes(plain) + b"\n"
        for secret in self._secrets:
            line = line.replace(secret, BLOT)
        _write_all(self._file, line)
        self._base = exchange if _has_body(exchange) else self._base

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)
        self._file = -1  # a later write fails, and reaches no other file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def read(path: Path) -> list[Exchange]:
    """The exchanges of a tape in the order in which they ended.

    Raises MalformedInput where another line than the last is damaged.
    """
    found: list[Exchange] = []
    bodies: dict[int, Any] = {}
    for number, line in enumerate(_whole_lines(path), start=1):
        try:
            plain = json.loads(line)
            grown = plain.pop("added", None)
            if grown is not None:
                plain["request"] = restored(bodies[grown["to"]], grown)
            exchange = msgspec.convert(plain, Exchange)
        except (ValueError, KeyError, TypeError, AttributeError, msgspec.ValidationError) as error:
            raise MalformedInput(path, f"line {number}", f"no exchange of a tape: {error}") from error
        bodies[exchange.n] = exchange.request
        found.append(exchange)
    return found


def added(base: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    """What a request adds to another: `keys` in order, `new` values, and of lists how much is the `same` beginning."""
    new: dict[str, Any] = {}
    same: dict[str, int] = {}
    for key, value in body.items():
        if key in base and _alike(base[key], value):
            continue
        new[key] = value
        if isinstance(value, list) and isinstance(base.get(key), list):
            same[key] = _common(base[key], value)
            new[key] = value[same[key] :]
    return {"keys": list(body), "new": new, "same": same}


def restored(base: dict[str, Any], grown: dict[str, Any]) -> dict[str, Any]:
    """The request again: the inverse of `added`."""
    new, same = grown["new"], grown["same"]
    whole = {key: [*base[key][: same[key]], *new[key]] if key in same else new[key] for key in new}
    return {key: whole[key] if key in new else base[key] for key in grown["keys"]}


def _common(one: list[Any], other: list[Any]) -> int:
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if not _alike(a, b)), min(len(one), len(other)))


def _alike(one: Any, other: Any) -> bool:
    # Python's equality is faster and coarser (1 == 1.0 == True, any order of keys), so it only rules out.
    return one == other and content_bytes(one) == content_bytes(other)


def _has_body(exchange: Exchange) -> bool:
    return isinstance(exchange.request, dict)


def _whole_lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as lines:
        for line in lines:
            if line.endswith(b"\n"):
                yield line


def _write_all(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
