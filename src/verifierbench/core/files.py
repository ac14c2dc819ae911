"""Reading and writing files so that nothing is half-written and every complaint names its place.

A write goes to a temporary name beside the target, is synced and renamed; a reader turns any malformed byte into one
`MalformedInput` naming file, line or JSON path, and cause.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from .errors import MalformedInput, Unavailable

T = TypeVar("T")


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file's content in one step; raises `Unavailable` when the disk refuses.

    A link is followed; a pipe or a device is written to and stays what it is.
    """
    try:
        path = path.resolve() if path.is_symlink() else path
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise Unavailable(f"{path} cannot be written: {error.strerror or error}") from error


def read_bytes(path: Path) -> bytes:
    """A file's bytes; raises `MalformedInput` when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise MalformedInput(path, "", error.strerror or str(error)) from error


def encode(value: Any) -> bytes:
    """Indented JSON with a final newline, for people; NaN refused by the types."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def encode_lines(values: Iterable[Any]) -> bytes:
    """JSON Lines."""
    return b"".join(msgspec.json.encode(value) + b"\n" for value in values)


def decode(path: Path, kind: type[T]) -> T:
    """One JSON document of a given type; raises `MalformedInput`."""
    return _decode(path, "", read_bytes(path), kind)


def decode_lines(path: Path, kind: type[T]) -> Iterator[T]:
    """A JSON Lines file of a given type; raises `MalformedInput` naming the line."""
    for number, line in enumerate(read_bytes(path).splitlines(), 1):
        if line.strip():
            yield _decode(path, f"line {number}", line, kind)


def _decode(path: Path, place: str, data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        cause, _, where = str(error).partition(" - at ")
        raise MalformedInput(path, ", ".join(filter(None, (place, where.strip("`")))), cause) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise MalformedInput(path, place, f"not JSON: {error}") from error
