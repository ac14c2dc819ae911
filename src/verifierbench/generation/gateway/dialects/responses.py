"""OpenAI responses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from verifierbench.generation.gateway.faults import Cut, Failure
from verifierbench.generation.gateway.records import Change, Finish, Message, Reply, Terms, ToolCall, Usage

from . import sse
from .chat import error
from .dialect import RIVALS, STATUS, Dialect, count, finished, obj, objects, settle_tools, text, words, written
from .edits import Body, Edits
from .fetched import WITHHELD, withhold

_FINISHES: Mapping[str, Finish] = {"max_output_tokens": "truncated", "max_tokens": "truncated"}
_OURS = frozenset({"function", "custom", "local_shell", "shell", "apply_patch", "namespace", "tool_search"})
"""Kinds of tools that run at the client; a shell does unless it asks for a container."""
_ELSEWHERE = ("background", "previous_response_id", "conversation", "prompt", "service_tier", "speed")
"""Answers of another response, state that no record holds, and service at another price."""
_LAST = ("response.completed", "response.incomplete", "response.failed")


def prepare(body: Body, terms: Terms) -> tuple[Body, tuple[Change, ...]]:
    """An answer in this very response to this very request; then effort, limit and tools."""
    edits = Edits(body)
    edits.leave_out(_ELSEWHERE)
    if terms.effort:
        edits.leave_out((*RIVALS, "reasoning_effort"))
        edits.drop("reasoning", "max_tokens")
        edits.drop("reasoning", "enabled")
        edits.put(terms.effort, "reasoning", "effort")
    edits.clamp(terms.output_tokens, "max_output_tokens")
    if not terms.hosted_tools:
        settle_tools(edits, _ours)
        withhold(edits, ("input",), _addresses, {"type": "input_text", "text": WITHHELD})
    return edits.result


def _addresses(part: Body) -> list[Any]:
    image = part.get("image_url")
    return [part.get("file_url"), obj(image).get("url", image)]


def _ours(tool: Any) -> Any:
    entry = obj(tool)
    hosted = entry.get("type") not in _OURS or text(obj(entry.get("environment")).get("type")).startswith("container")
    inner = entry.get("tools")
    if hosted or not isinstance(inner, list):
        return None if hosted or inner is not None else tool
    kept = [part for part in inner if _ours(part) is part]
    return tool if len(kept) == len(inner) else {**entry, "tools": kept}


def read_request(body: Body) -> tuple[Message, ...]:
    """The instructions, then one message per item of `input`."""
    instructions = words(body.get("instructions"))
    head = (Message(role="system", text=instructions),) if instructions else ()
    given = body.get("input")
    if isinstance(given, str):
        return (*head, Message(role="user", text=given))
    return (*head, *(_message(item) for item in objects(given)))


def _message(item: Body) -> Message:
    kind = text(item.get("type"))
    if kind.endswith("_output"):
        said = item.get("output", item.get("tools", ""))
        plain = words(said) if isinstance(said, str | list) else written(said)
        return Message(role="tool", text=plain, call_id=text(item.get("call_id")))
    if kind == "reasoning":
        return Message(role="assistant", reasoning=_thoughts(item))
    if kind.endswith("_call"):
        return Message(role="assistant", calls=(_call(item),))
    role = text(item.get("role"))
    said = words(item.get("content"))
    if role in ("system", "developer"):
        return Message(role="system", text=said)
    return Message(role="assistant" if role == "assistant" else "user", text=said)


def _thoughts(item: Body) -> str:
    return words(item.get("summary")) or words(item.get("content"))


def _call(item: Body) -> ToolCall:
    name = text(item.get("name")) or text(item.get("type")).removesuffix("_call")
    given = next((item[key] for key in ("arguments", "input", "action", "operation") if item.get(key) is not None), "")
    return ToolCall(id=text(item.get("call_id")) or text(item.get("id")) or name, name=name, arguments=written(given))


def fold(events: Iterable[Body]) -> Body:
    """The response that the last event carries; its items from the events before where it leaves them out."""
    items: list[Body] = []
    for event in events:
        kind = event.get("type")
        if kind == "response.output_item.done":
            items.append(obj(event.get("item")))
        elif kind == "error":
            inner = obj(event.get("error")) or event
            raise _failure(inner)
        elif kind in _LAST:
            whole = obj(event.get("response"))
            return whole if whole.get("output") else {**whole, "output": items}
    raise Cut


def read_reply(body: Body) -> Reply:
    """Texts, thoughts and calls of all items."""
    status = body.get("status")
    if status == "failed" or obj(body.get("error")):
        raise _failure(obj(body.get("error")))
    if status not in ("completed", "incomplete"):
        raise Cut
    items = objects(body.get("output"))
    # A hosted tool's call is over when the response is: only those of the client's tools wait for an answer.
    calls = tuple(_call(item) for item in items if _waits(text(item.get("type"))))
    reason = text(obj(body.get("incomplete_details")).get("reason")) or str(status)
    usage = obj(body.get("usage"))
    return Reply(
        text="".join(words(item.get("content")) for item in items if item.get("type") == "message"),
        reasoning="\n".join(_thoughts(item) for item in items if item.get("type") == "reasoning"),
        calls=calls,
        usage=_usage(usage) if usage else None,
        cost_usd=float(usage["cost"]) if isinstance(usage.get("cost"), float) else None,
        finish=finished(reason, calls, _FINISHES),
        reason=reason,
    )


def _waits(kind: str) -> bool:
    return kind in {"function_call", "custom_tool_call", *(f"{name}_call" for name in _OURS)}


def _failure(told: Body) -> Failure:
    code = text(told.get("code")) or text(told.get("type"))
    return Failure(STATUS.get(code, 400), text(told.get("message")) or "the response failed", code)


def _usage(usage: Body) -> Usage:
    return Usage(
        input=count(usage.get("input_tokens")),
        cached=count(obj(usage.get("input_tokens_details")).get("cached_tokens")),
        output=count(usage.get("output_tokens")),
        reasoning=count(obj(usage.get("output_tokens_details")).get("reasoning_tokens")),
    )


def _stream_error(body: Body, model: str) -> str:
    told = obj(body.get("error"))
    failed = {
        "id": "resp_failed",
        "object": "response",
        "created_at": 0,
        "model": model,
        "status": "failed",
        "output": [],
        "error": {
            "code": text(told.get("code")) or text(told.get("type")) or "invalid_prompt",
            "message": text(told.get("message")),
        },
    }
    return sse.event({"type": "response.failed", "sequence_number": 0, "response": failed}, "response.failed")


RESPONSES = Dialect(
    name="responses",
    path=re.compile(r"responses"),
    counting=re.compile(r"responses/input_tokens"),
    counted="input_tokens",
    key_header=("Authorization", "Bearer "),
    headers={"openai-beta": ""},
    query=(),
    prepare=prepare,
    read_request=read_request,
    fold=fold,
    read_reply=read_reply,
    error=error,
    stream_error=_stream_error,
)
