"""The trusted end of `env`: reads one request at a time, keeps the budgets, asks the environment, answers.

Everything that arrives is an attacker's. A line that is too long, is not a request, is out of turn or does not come
alone is a `Violation`, and ends the child. One that the rest of the project could not handle, because it is nested
too deeply or has no UTF-8 form, is refused before anyone sees it. Time spent in the environment is measured here, so
that it is not charged to the verifier. Budgets are enforced here whatever the environment does.
"""

from __future__ import annotations

import json
import re
import socket
import time
from typing import Annotated, Any, NoReturn

import msgspec

from verifierbench.core.errors import BudgetExhausted, EnvironmentRefusal, InfrastructureError
from verifierbench.core.hashing import content_bytes
from verifierbench.core.protocols import PublicEnvironment

from .published import REQUEST_BYTES

MAX_REQUESTS = 10_000
"""Reads and runs together: reads cost no budget, so they need an end of their own."""
MAX_REPLY_BYTES = 1 << 30
"""Bytes of all answers of one case."""
DEEPEST = 200
"""Lists and objects within one another in a request: every reader of JSON here can take as many, on any stack."""
_CHUNK = 1 << 16
_ENVELOPE = 1
"""The object a request travels in."""
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class Violation(Exception):
    """The child broke the protocol; the text is one line for a person."""


class _Request(msgspec.Struct, frozen=True, tag_field="op", forbid_unknown_fields=True):
    id: Annotated[int, msgspec.Meta(ge=1, le=1 << 31)]


class _Read(_Request, frozen=True, tag="read"):
    material: str
    pointer: str


class _Run(_Request, frozen=True, tag="run"):
    request: Any


class Channel:
    """One case's connection to its public environment."""

    def __init__(self, environment: PublicEnvironment, allowed_calls: int) -> None:
        self._environment, self._allowed = environment, allowed_calls
        self.ours, self.theirs = socket.socketpair()
        self.ours.setblocking(False)
        self._incoming = bytearray()
        self._outgoing = memoryview(b"")
        self._requests = self._replied = 0
        self.calls = 0
        """Executions asked of the environment."""
        self.refused_for_budget = False
        self.seconds = 0.0
        """Time spent in the environment."""

    def close(self) -> None:
        """Close both ends."""
        self.ours.close()
        self.theirs.close()

    @property
    def has_more_to_send(self) -> bool:
        """Whether part of an answer still waits for the child to read."""
        return bool(self._outgoing)

    def receive(self) -> bool:
        """Take what has arrived and answer a complete request; False once the child's end is closed.

        Raises Violation, and what the environment raises besides refusals.
        """
        try:
            data = self.ours.recv(_CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not data:
            return False
        # Only the new part can hold the end of the line: searching the whole again is quadratic.
        end = data.find(b"\n")
        self._incoming += data
        if len(self._incoming) > REQUEST_BYTES:
            raise Violation(f"it sent a request longer than {REQUEST_BYTES} bytes")
        if end >= 0:
            self._take(end == len(data) - 1)
        return True

    def send(self) -> bool:
        """Send more of the answer; False once the child's end is closed."""
        try:
            self._outgoing = self._outgoing[self.ours.send(self._outgoing) :]
        except BlockingIOError:
            return True
        except OSError:
            return False
        return True

    def _take(self, alone: bool) -> None:
        if not alone:
            raise Violation("it sent more than one request at a time")
        line, self._incoming = bytes(self._incoming), bytearray()
        self._requests += 1
        if self._requests > MAX_REQUESTS:
            raise Violation(f"it sent more than {MAX_REQUESTS} requests")
        unfit = _unfit(line)
        reply = _refusal(unfit) if unfit else self._answer(_parse(line, self._requests))
        self._replied += len(reply)
        if self._replied > MAX_REPLY_BYTES:
            raise Violation(f"it asked for more than {MAX_REPLY_BYTES} bytes")
        self._outgoing = memoryview(reply + b"\n")
        self.send()

    def _answer(self, request: _Read | _Run) -> bytes:
        started = time.monotonic()
        try:
            return b'{"result":%b}' % _encode(self._ask(request))
        except BudgetExhausted as refusal:
            self.refused_for_budget = True
            return content_bytes({"error": "budget", "text": str(refusal)})
        except EnvironmentRefusal as refusal:
            return _refusal(str(refusal))
        finally:
            self.seconds += time.monotonic() - started

    def _ask(self, request: _Read | _Run) -> Any:
        if isinstance(request, _Read):
            return self._environment.read(request.material, request.pointer)
        if self.calls >= self._allowed:
            raise BudgetExhausted(f"all {self._allowed} executions of this case are used")
        self.calls += 1
        return self._environment.run(request.request)


def _parse(line: bytes, turn: int) -> _Read | _Run:
    # The standard library's reader, because the rest of the project reads JSON with it: 5 and 5.0 stay apart.
    try:
        said = json.loads(line.decode(), parse_constant=_no_constant)
        request: _Read | _Run = msgspec.convert(said, _Read | _Run)
    except (ValueError, RecursionError) as error:
        raise Violation(f"it sent something that is no request: {error}") from None
    if request.id != turn:
        raise Violation(f"it sent request {request.id} where number {turn} was due")
    return request


def _unfit(line: bytes) -> str:
    """Return why a line is refused unread, or ""; whatever it is, this takes time in proportion to its length."""
    if _nesting(line) > DEEPEST + _ENVELOPE:
        return f"the request is nested too deeply: at most {DEEPEST} lists and objects may lie within one another"
    if _SURROGATE.search(line) and not _has_utf8(line):
        return "the request holds a lone surrogate, which has no UTF-8 form"
    return ""


def _nesting(line: bytes) -> int:
    """Return how deep the brackets outside strings go."""
    if line.count(b"[") + line.count(b"{") <= DEEPEST:
        return 0
    depth = deepest = 0
    for bracket in _STRING.sub(b"", line).translate(None, _NOT_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _has_utf8(line: bytes) -> bool:
    """Whether each text in a line can be encoded; also true of what is no JSON, which others judge."""
    try:
        json.dumps(json.loads(line.decode()), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    except ValueError:
        return True
    return True


def _refusal(text: str) -> bytes:
    return content_bytes({"error": "refused", "text": text})


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _encode(value: Any) -> bytes:
    try:
        return content_bytes(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise InfrastructureError(f"the environment answered with something that is not JSON: {error}") from error
