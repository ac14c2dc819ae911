"""What the gateway knows of a dialect: one table entry of plain functions, and the readers they share.

A request may be anything: a model inside the cell can write to the door itself. So every reader takes any JSON and
raises nothing; what it does not understand is passed on, for the provider to refuse.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from verifierbench.generation.gateway.faults import Cut, Failure, failure_in
from verifierbench.generation.gateway.records import Change, Finish, Message, Reply, Terms, ToolCall
from verifierbench.generation.harnesses.base import Dialect as Name

from . import sse
from .edits import Body, Edits


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """One way to talk to a model."""

    name: Name
    path: re.Pattern[str]
    """Matches the path of a request for the model, below the version; a group `model` where the path names it."""
    counting: re.Pattern[str]
    """Matches the path of a request that only counts tokens."""
    counted: str
    """The field such a request is answered with."""
    key_header: tuple[str, str]
    """The header that carries the provider's key, and what stands before the key in it."""
    headers: Mapping[str, str]
    """Headers of the client's that are sent on; the value is sent where the client gives none, "" for nothing."""
    query: tuple[str, ...]
    """Parameters of the address that are sent on."""
    prepare: Callable[[Body, Terms], tuple[Body, tuple[Change, ...]]]
    """The request to send on and what was changed: effort, output limit, hosted tools, parts to be fetched."""
    read_request: Callable[[Body], tuple[Message, ...]]
    """The conversation."""
    fold: Callable[[Iterable[Body]], Body]
    """A stream's events as the one object that an answer without streaming is; raises Cut or Failure."""
    read_reply: Callable[[Body], Reply]
    """The model's reply in an answer without streaming; raises Cut or Failure."""
    error: Callable[[int, str, str], Body]
    """An error of ours as the dialect tells it: status, words, code."""
    stream_error: Callable[[Body, str], str]
    """An error's body as a stream tells it, once the stream has begun; the model's name."""

    def model_of(self, path: str, body: Body) -> str:
        """The model a request names; "" where it names none."""
        found = self.path.fullmatch(path)
        named = found.groupdict().get("model") if found else None
        return named or text(body.get("model"))

    def streaming(self, path: str, body: Body) -> bool:
        """Whether the client wants a stream."""
        return ":stream" in path if "model" in self.path.groupindex else body.get("stream") is True

    def read(self, answer: str) -> Reply:
        """The reply in a response that came with status 200; raises Cut or Failure."""
        start = answer.lstrip()[:1]
        if start not in ("{", "["):
            return self.read_reply(self.fold(sse.objects(answer)))
        try:
            whole = json.loads(answer)
        except (ValueError, RecursionError):
            raise Cut from None
        body = self.fold(objects(whole)) if isinstance(whole, list) else whole
        failure = failure_in(body, 500)
        if failure:
            raise status_of(failure, body)
        return self.read_reply(body)


def status_of(failure: Failure, body: Body) -> Failure:
    """An error told inside an answer, with the status that its code stands for."""
    error = obj(body.get("error"))
    number = error.get("code")
    plain = isinstance(number, int) and not isinstance(number, bool) and 400 <= number < 600
    status = number if plain else STATUS.get(failure.code, 400)
    return Failure(int(status or 400), failure.words, failure.code)


STATUS: Mapping[str, int] = {
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "overloaded_error": 529,
    "server_is_overloaded": 503,
    "slow_down": 503,
    "api_error": 500,
    "server_error": 500,
    "internal_error": 500,
    "timeout_error": 504,
    "vector_store_timeout": 504,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "RESOURCE_EXHAUSTED": 429,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
    "DEADLINE_EXCEEDED": 504,
}
"""The HTTP status of an error that is told by its code; any other is the request's fault."""


def finished(reason: str, calls: Iterable[ToolCall], finishes: Mapping[str, Finish]) -> Finish:
    """How a reply ended: by the provider's word where that decides it, else by whether tools are called."""
    return finishes.get(reason) or ("tools" if list(calls) else "answered")


def settle_tools(edits: Edits, keep: Callable[[Any], Any]) -> None:
    """Take hosted tools out, and with them a choice that may name one of them."""
    if edits.sift(keep, "tools"):
        choice = edits.get("tool_choice")
        if not edits.get("tools"):
            edits.drop("tools")
            edits.drop("tool_choice")
        elif isinstance(choice, dict) and choice.get("type") not in ("auto", "any", "none"):
            edits.drop("tool_choice")


RIVALS = ("thinking", "thinking_budget", "enable_thinking", "chat_template_kwargs")
"""Fields in which servers that speak OpenAI's dialects take an effort beside the dialect's own."""


def positive(value: Any) -> bool:
    """Whether the value is a number of tokens to think with: none, and "as many as you like", are not."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def obj(value: Any) -> Body:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def objects(value: Any) -> list[Body]:
    """The objects in a list; nothing where it is none."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def text(value: Any) -> str:
    """The value where it is text, else nothing."""
    return value if isinstance(value, str) else ""


def count(value: Any) -> int:
    """The value where it is a number of tokens, else 0."""
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e12 else 0


def written(value: Any) -> str:
    """Text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def words(content: Any) -> str:
    """The text of a message's content, in whichever of the usual forms; other parts by their kind in brackets."""
    if isinstance(content, str):
        return content
    parts = [part.get("text", part.get("refusal")) for part in objects(content)]
    kinds = [text(part.get("type")) or "part" for part in objects(content)]
    return "\n".join(said if isinstance(said, str) else f"[{kind}]" for said, kind in zip(parts, kinds, strict=True))
