"""Messages between a worker and its caller: kind, seconds, length, that many bytes. Standard library only.

The header is written by trusted code on both sides; the bytes of an ANSWER were written by a process that ran
upstream code, and are judged by whoever reads them.
"""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

LOAD, REQUEST = 1, 2
"""What a caller says."""
READY, FAILED, UNCONFINED, ANSWER, ENDED, TOO_LONG, TOO_LATE = 11, 12, 13, 14, 15, 16, 17
"""What a worker says: loaded and locked down; could not load; could not be locked down; an answer; none came; one
longer than a message may be; none in time."""
LONGEST = 64 << 20
"""Bytes of one message."""

_HEADER = struct.Struct("=IdQ")


class Message(NamedTuple):
    """One message; `seconds` is how long a request may take."""

    kind: int
    body: bytes
    seconds: float = 0.0


def pack(message: Message) -> bytes:
    """Return a message as it travels."""
    return _HEADER.pack(message.kind, message.seconds, len(message.body)) + message.body


def send(fd: int, message: Message) -> None:
    """Write one message whole; OSError when the other side is gone."""
    view = memoryview(pack(message))
    while view:
        view = view[os.write(fd, view) :]


def receive(read: Callable[[int], bytes]) -> Message:
    """Read one message with `read(at most this many bytes)`.

    EOFError at the end, ValueError for a message that is too long.
    """
    kind, seconds, length = _HEADER.unpack(_exactly(read, _HEADER.size))
    if length > LONGEST:
        raise ValueError(f"a message of {length} bytes; at most {LONGEST} are allowed")
    return Message(kind, _exactly(read, length), seconds)


def _exactly(read: Callable[[int], bytes], count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        more = read(min(1 << 20, count - len(data)))
        if not more:
            raise EOFError("the other side is gone")
        data += more
    return bytes(data)
