"""OpenAI chat completions, and what other servers have made of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias

from verifierbench.generation.gateway.faults import Cut, failure_in
from verifierbench.generation.gateway.records import Change, Finish, Message, Reply, Terms, ToolCall, Usage

from . import sse
from .dialect import (
    RIVALS,
    Dialect,
    count,
    finished,
    obj,
    objects,
    positive,
    settle_tools,
    status_of,
    text,
    words,
    written,
)
from .edits import Body, Edits
from .fetched import WITHHELD, withhold

_Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
_ROLES: Mapping[str, _Role] = {
    "system": "system",
    "developer": "system",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
_FINISHES: Mapping[str, Finish] = {"length": "truncated"}
_LIMITS = ("max_tokens", "max_completion_tokens")
_OURS = ("function", "custom")
"""Kinds of tools that run at the client."""
_FETCHED = ("image_url", "video_url", "audio_url", "input_video")
_UNPRICED = ("service_tier", "speed")


def prepare(body: Body, terms: Terms) -> tuple[Body, tuple[Change, ...]]:
    """One answer, of the model itself, with its usage told; then effort, limit and tools."""
    edits = Edits(body)
    edits.drop("models")  # a list to fall back on would be another model
    edits.leave_out(_UNPRICED)
    if edits.has("n"):
        edits.put(1, "n")
    if edits.get("stream") is True:
        edits.put(True, "stream_options", "include_usage")
    if terms.effort:
        _set_effort(edits, terms.effort)
    for name in [name for name in _LIMITS if edits.get(name) is not None] or _LIMITS[1:]:
        edits.clamp(terms.output_tokens, name)
    if not terms.hosted_tools:
        edits.drop("web_search_options")
        edits.drop("plugins")
        settle_tools(edits, lambda tool: tool if obj(tool).get("type") in _OURS else None)
        withhold(edits, ("messages",), _addresses, {"type": "text", "text": WITHHELD})
    return edits.result


def _set_effort(edits: Edits, effort: str) -> None:
    """In one of the two fields there are; a budget in tokens stays where it stands alone."""
    edits.leave_out(RIVALS)
    reasoning = obj(edits.get("reasoning"))
    if edits.get("reasoning_effort") is not None or not reasoning:
        edits.drop("reasoning")
        edits.put(effort, "reasoning_effort")
        return
    edits.drop("reasoning_effort")
    edits.drop("reasoning", "enabled")
    if positive(reasoning.get("max_tokens")):
        edits.drop("reasoning", "effort")
    else:
        edits.drop("reasoning", "max_tokens")
        edits.put(effort, "reasoning", "effort")


def _addresses(part: Body) -> list[Any]:
    named = [part.get(name) for name in _FETCHED]
    file = obj(part.get("file"))
    data = text(file.get("file_data"))  # bare base64 in some servers' form, an address in others'
    return [*(obj(one).get("url", one) for one in named), file.get("url"), data if "://" in data else None]


def read_request(body: Body) -> tuple[Message, ...]:
    """One message per entry of `messages`."""
    return tuple(_message(entry) for entry in objects(body.get("messages")))


def _message(entry: Body) -> Message:
    role = _ROLES.get(text(entry.get("role")), "user")
    return Message(
        role=role,
        text=words(entry.get("content")),
        reasoning=_reasoning(entry),
        calls=_calls(entry),
        call_id=text(entry.get("tool_call_id")) or text(entry.get("name")) if role == "tool" else None,
    )


def _reasoning(message: Body) -> str:
    return text(message.get("reasoning_content")) or text(message.get("reasoning"))


def _calls(message: Body) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(
            id=text(call.get("id")) or text(function.get("name")),
            name=text(function.get("name")),
            arguments=written(function.get("arguments", function.get("input", ""))),
        )
        for call in objects(message.get("tool_calls"))
        for function in (obj(call.get("function")) or obj(call.get("custom")),)
    )


def fold(events: Iterable[Body]) -> Body:
    """The first choice's pieces put together."""
    whole: Body = {}
    message: Body = {}
    calls: dict[Any, Body] = {}
    for event in events:
        failure = failure_in(event, 500)
        if failure:
            raise status_of(failure, event)
        whole.update({key: event[key] for key in ("id", "model", "usage") if event.get(key) is not None})
        for choice in objects(event.get("choices"))[:1]:
            delta = obj(choice.get("delta"))
            _grow(message, delta, ("content", "reasoning_content", "reasoning", "refusal"))
            for call in objects(delta.get("tool_calls")):
                _grow_call(calls, call)
            whole["finish_reason"] = choice.get("finish_reason") or whole.get("finish_reason")
    choice = {
        "index": 0,
        "message": {**message, "role": "assistant"},
        "finish_reason": whole.pop("finish_reason", None),
    }
    if calls:
        choice["message"]["tool_calls"] = list(calls.values())
    return {**whole, "choices": [choice]}


def _grow(target: Body, delta: Body, names: tuple[str, ...]) -> None:
    for name in names:
        if isinstance(delta.get(name), str):
            target[name] = target.get(name, "") + delta[name]


def _grow_call(calls: dict[Any, Body], delta: Body) -> None:
    # Some servers give no index: then a piece with an id begins a call, one without belongs to the last.
    index = delta.get("index")
    if not isinstance(index, int):
        index = len(calls) if delta.get("id") or not calls else len(calls) - 1
    call = calls.setdefault(index, {"type": "function"})
    call.update({key: delta[key] for key in ("id", "type") if isinstance(delta.get(key), str) and delta[key]})
    for kind, pieces in (("function", ("name", "arguments")), ("custom", ("name", "input"))):
        if isinstance(delta.get(kind), dict):
            _grow(call.setdefault(kind, {}), delta[kind], pieces)


def read_reply(body: Body) -> Reply:
    """The first choice."""
    choice = next(iter(objects(body.get("choices"))), {})
    reason = text(choice.get("finish_reason"))
    if not reason:
        raise Cut
    message = obj(choice.get("message"))
    calls = _calls(message)
    usage = obj(body.get("usage"))
    cost = usage.get("cost")
    return Reply(
        text=words(message.get("content")) or text(message.get("refusal")),
        reasoning=_reasoning(message),
        calls=calls,
        usage=_usage(usage) if usage else None,
        cost_usd=float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) else None,
        finish=finished(reason, calls, _FINISHES),
        reason=reason,
    )


def _usage(usage: Body) -> Usage:
    return Usage(
        input=count(usage.get("prompt_tokens")),
        cached=count(obj(usage.get("prompt_tokens_details")).get("cached_tokens")),
        output=count(usage.get("completion_tokens")),
        reasoning=count(obj(usage.get("completion_tokens_details")).get("reasoning_tokens")),
    )


def error(status: int, message: str, code: str) -> Body:
    """`{"error": {…}}`."""
    kind = "authentication_error" if status == 401 else "invalid_request_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _stream_error(body: Body, _model: str) -> str:
    return sse.event(body) + sse.event(sse.DONE)


CHAT = Dialect(
    name="chat",
    path=re.compile(r"chat/completions"),
    counting=re.compile(r"(?!)"),
    counted="",
    key_header=("Authorization", "Bearer "),
    headers={},
    query=(),
    prepare=prepare,
    read_request=read_request,
    fold=fold,
    read_reply=read_reply,
    error=error,
    stream_error=_stream_error,
)
