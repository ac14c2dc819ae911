"""Anthropic messages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from verifierbench.core import Effort
from verifierbench.generation.gateway.faults import Cut, failure_in
from verifierbench.generation.gateway.records import Change, Finish, Message, Reply, Terms, ToolCall, Usage

from . import sse
from .dialect import Dialect, count, finished, obj, objects, positive, settle_tools, status_of, text, words, written
from .edits import Body, Edits
from .fetched import WITHHELD, withhold

BUDGETS: Mapping[Effort, int] = {"low": 4_096, "medium": 8_192, "high": 16_384}
"""Tokens of thinking where a harness asks for a number of them and not for an effort."""
_LEAST = 1_024
"""The smallest number of them that the provider takes."""
_FINISHES: Mapping[str, Finish] = {
    "max_tokens": "truncated",
    "model_context_window_exceeded": "overflow",
    "tool_use": "tools",
    "pause_turn": "tools",
}
_OURS = re.compile(r"custom|(?:bash|text_editor|computer|memory|tool_search_tool)_.*")
"""Kinds of tools that run at the client, or that only search the request's own tools."""
_ERRORS: Mapping[int, str] = {401: "authentication_error", 404: "not_found_error"}


def prepare(body: Body, terms: Terms) -> tuple[Body, tuple[Change, ...]]:
    """The limit first, because thinking must stay below it."""
    edits = Edits(body)
    edits.clamp(terms.output_tokens, "max_tokens")
    edits.leave_out(("service_tier", "speed"))
    if terms.effort:
        _drop_rivals(edits)
    if edits.has("thinking", "budget_tokens"):
        _set_budget(edits, terms)
    if terms.effort and (edits.has("output_config") or edits.get("thinking", "type") not in ("enabled", "disabled")):
        edits.put(terms.effort, "output_config", "effort")
    if not terms.hosted_tools:
        edits.drop("mcp_servers")
        edits.drop("container")
        settle_tools(edits, lambda tool: tool if _OURS.fullmatch(written(obj(tool).get("type", "custom"))) else None)
        withhold(edits, ("messages", "system"), _addresses, {"type": "text", "text": WITHHELD}, frozenset({"input"}))
    return edits.result


def _addresses(part: Body) -> list[Any]:
    source = obj(part.get("source"))
    return [source.get("url", "") if source.get("type") == "url" else None]


def _drop_rivals(edits: Edits) -> None:
    """What says not to think, unless the limit leaves no room for it; a positive budget stays one."""
    kind, budget = edits.get("thinking", "type"), edits.get("thinking", "budget_tokens")
    if kind == "adaptive" or (kind == "disabled" and edits.get("max_tokens") <= _LEAST):
        edits.drop("thinking", "budget_tokens")
    elif kind != "enabled" or not positive(budget):
        edits.drop("thinking")


def _set_budget(edits: Edits, terms: Terms) -> None:
    limit = edits.get("max_tokens")
    budget = BUDGETS[terms.effort] if terms.effort else edits.get("thinking", "budget_tokens")
    if not isinstance(budget, int) or budget >= limit:
        budget = max(_LEAST, int(limit) // 2)
    if budget < limit:
        edits.put(budget, "thinking", "budget_tokens")
    else:
        edits.put({"type": "disabled"}, "thinking")


def read_request(body: Body) -> tuple[Message, ...]:
    """The system prompt, then the messages; results of tools are messages of their own."""
    system = words(body.get("system"))
    head = (Message(role="system", text=system),) if system else ()
    return (*head, *(part for entry in objects(body.get("messages")) for part in _parts(entry)))


def _parts(entry: Body) -> Iterator[Message]:
    content = entry.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)
    for block in blocks:
        if block.get("type") == "tool_result":
            yield Message(role="tool", text=words(block.get("content")), call_id=text(block.get("tool_use_id")))
    rest = [block for block in blocks if block.get("type") != "tool_result"]
    if rest or not blocks:
        role = entry.get("role")
        yield Message(
            role="assistant" if role == "assistant" else "system" if role == "system" else "user",
            text=words([block for block in rest if block.get("type") not in ("thinking", "tool_use")]),
            reasoning=_thoughts(rest),
            calls=_calls(rest),
        )


def _thoughts(blocks: list[Body]) -> str:
    return "\n".join(text(block.get("thinking")) for block in blocks if block.get("type") == "thinking")


def _calls(blocks: list[Body]) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(id=text(block.get("id")), name=text(block.get("name")), arguments=written(block.get("input", {})))
        for block in blocks
        if block.get("type") == "tool_use"
    )


def fold(events: Iterable[Body]) -> Body:
    """The message, its blocks grown from their pieces."""
    whole: Body = {}
    blocks: dict[Any, Body] = {}
    for event in events:
        kind, index = event.get("type"), written(event.get("index"))
        if kind == "error":
            failure = failure_in(event, 500)
            raise status_of(failure, event) if failure else Cut
        if kind == "message_start":
            whole = dict(obj(event.get("message")))
        elif kind == "content_block_start":
            blocks[index] = dict(obj(event.get("content_block")))
        elif kind == "content_block_delta":
            _grow(blocks.setdefault(index, {}), obj(event.get("delta")))
        elif kind == "message_delta":
            whole.update(obj(event.get("delta")))
            whole["usage"] = {**obj(whole.get("usage")), **obj(event.get("usage"))}
        elif kind == "message_stop":
            return {**whole, "content": [_settled(block) for block in blocks.values()]}
    raise Cut


_PIECES: Mapping[str, tuple[str, str]] = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "signature_delta": ("signature", "signature"),
    "input_json_delta": ("partial_json", "partial_json"),
}


def _grow(block: Body, delta: Body) -> None:
    source, target = _PIECES.get(text(delta.get("type")), ("", ""))
    if isinstance(delta.get(source), str):
        block[target] = text(block.get(target)) + delta[source]


def _settled(block: Body) -> Body:
    """The block with its input read, or as the text it is where it was cut."""
    given = block.pop("partial_json", "")
    if given:
        try:
            block["input"] = json.loads(given)
        except (ValueError, RecursionError):
            block["input"] = given
    return block


def read_reply(body: Body) -> Reply:
    """Texts, thoughts and calls of all blocks."""
    reason = text(body.get("stop_reason"))
    if not reason:
        raise Cut
    blocks = objects(body.get("content"))
    calls = _calls(blocks)
    usage = obj(body.get("usage"))
    cost = usage.get("cost")
    return Reply(
        text="".join(text(block.get("text")) for block in blocks if block.get("type") == "text"),
        reasoning=_thoughts(blocks),
        calls=calls,
        usage=_usage(usage) if usage else None,
        cost_usd=float(cost) if isinstance(cost, float) else None,
        finish=finished(reason, calls, _FINISHES),
        reason=reason,
    )


def _usage(usage: Body) -> Usage:
    cached, made = count(usage.get("cache_read_input_tokens")), count(usage.get("cache_creation_input_tokens"))
    return Usage(
        input=count(usage.get("input_tokens")) + cached + made,
        cached=cached,
        written=made,
        output=count(usage.get("output_tokens")),
        reasoning=count(obj(usage.get("output_tokens_details")).get("thinking_tokens")),
    )


def _error(status: int, message: str, _code: str) -> Body:
    return {"type": "error", "error": {"type": _ERRORS.get(status, "invalid_request_error"), "message": message}}


def _stream_error(body: Body, _model: str) -> str:
    return sse.event({"type": "error", **body}, "error")


MESSAGES = Dialect(
    name="messages",
    path=re.compile(r"messages"),
    counting=re.compile(r"messages/count_tokens"),
    counted="input_tokens",
    key_header=("x-api-key", ""),
    headers={"anthropic-version": "2023-06-01", "anthropic-beta": ""},
    query=("beta",),
    prepare=prepare,
    read_request=read_request,
    fold=fold,
    read_reply=read_reply,
    error=_error,
    stream_error=_stream_error,
)
