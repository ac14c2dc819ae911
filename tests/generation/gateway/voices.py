"""Requests, answers and errors of the four dialects, written out after the providers' own documents.

Every answer has the same usage: 1200 tokens of input, 200 of them cached; 57 of output, 7 of them reasoned where the
dialect tells of it.
"""

from __future__ import annotations

import json
from typing import Any

MODEL = "model-1"
DIALECTS = ("chat", "responses", "messages", "gemini")
PATHS = {"chat": "/v1/chat/completions", "responses": "/v1/responses", "messages": "/v1/messages"}
OVERFLOW = {
    "chat": {
        "error": {
            "message": "maximum context length is 9",
            "type": "invalid_request_error",
            "code": "context_length_exceeded",
        }
    },
    "responses": {"error": {"message": "too long", "type": "invalid_request_error", "code": "context_length_exceeded"}},
    "messages": {
        "type": "error",
        "error": {"type": "invalid_request_error", "message": "prompt is too long: 215000 tokens > 200000 maximum"},
    },
    "gemini": {
        "error": {
            "code": 400,
            "message": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            "status": "INVALID_ARGUMENT",
        }
    },
}


def busy(dialect: str, status: int) -> str:
    if dialect == "messages":
        return json.dumps({"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}})
    return json.dumps({"error": {"message": "slow down", "code": status if dialect == "gemini" else "busy"}})


def path(dialect: str, streaming: bool, model: str = MODEL) -> str:
    if dialect == "gemini":
        return f"/v1beta/models/{model}:" + ("streamGenerateContent?alt=sse" if streaming else "generateContent")
    return PATHS[dialect]


def request(dialect: str, streaming: bool, results: int = 0, model: str = MODEL, **more: Any) -> dict[str, Any]:
    """A request after so many results of tools."""
    return {
        **_BODIES[dialect](results),
        **({} if dialect == "gemini" else {"model": model, "stream": streaming}),
        **more,
    }


def _chat(results: int) -> dict[str, Any]:
    call = {"id": "c1", "type": "function", "function": {"name": "shell", "arguments": '{"command":"ls"}'}}
    turns = [
        message
        for _ in range(results)
        for message in (
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "listing"},
        )
    ]
    head = [{"role": "system", "content": "rules"}, {"role": "user", "content": "task"}]
    return {"messages": head + turns, "tools": [{"type": "function", "function": {"name": "shell"}}]}


def _responses(results: int) -> dict[str, Any]:
    turns = [
        item
        for _ in range(results)
        for item in (
            {"type": "function_call", "call_id": "c1", "name": "shell", "arguments": '{"command":"ls"}'},
            {"type": "function_call_output", "call_id": "c1", "output": "listing"},
        )
    ]
    head = [{"role": "user", "content": [{"type": "input_text", "text": "task"}]}]
    return {"instructions": "rules", "input": head + turns, "tools": [{"type": "function", "name": "shell"}]}


def _messages(results: int) -> dict[str, Any]:
    turns = [
        message
        for _ in range(results)
        for message in (
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "c1", "name": "shell", "input": {"command": "ls"}}],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "listing"}]},
        )
    ]
    tools = [{"name": "shell", "input_schema": {}}]
    return {
        "system": "rules",
        "messages": [{"role": "user", "content": "task"}, *turns],
        "tools": tools,
        "max_tokens": 100,
    }


def _gemini(results: int) -> dict[str, Any]:
    turns = [
        content
        for _ in range(results)
        for content in (
            {"role": "model", "parts": [{"functionCall": {"name": "shell", "args": {"command": "ls"}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "shell", "response": {"output": "listing"}}}]},
        )
    ]
    return {
        "systemInstruction": {"parts": [{"text": "rules"}]},
        "contents": [{"role": "user", "parts": [{"text": "task"}]}, *turns],
        "tools": [{"functionDeclarations": [{"name": "shell"}]}],
    }


_BODIES = {"chat": _chat, "responses": _responses, "messages": _messages, "gemini": _gemini}


def sse(*events: Any, named: bool = False) -> str:
    heads = [f"event: {event['type']}\n" if named else "" for event in events]
    texts = [event if isinstance(event, str) else json.dumps(event) for event in events]
    return "".join(f"{head}data: {text}\n\n" for head, text in zip(heads, texts, strict=True))


def answer(dialect: str, streaming: bool, kind: str = "answered") -> str:
    """The model's answer: `answered` says "done", `tools` calls shell, `truncated` says "do" and is cut."""
    return {
        "chat": _chat_answer,
        "responses": _responses_answer,
        "messages": _messages_answer,
        "gemini": _gemini_answer,
    }[dialect](streaming, kind)


def _said(kind: str) -> str:
    return {"answered": "done", "truncated": "do", "tools": ""}[kind]


def _chat_answer(streaming: bool, kind: str) -> str:
    finish = {"answered": "stop", "tools": "tool_calls", "truncated": "length"}[kind]
    usage = {
        "prompt_tokens": 1200,
        "completion_tokens": 57,
        "prompt_tokens_details": {"cached_tokens": 200},
        "completion_tokens_details": {"reasoning_tokens": 7},
    }
    call = {"id": "c1", "type": "function", "function": {"name": "shell", "arguments": '{"command":"ls"}'}}
    if not streaming:
        message: dict[str, Any] = {"role": "assistant", "content": _said(kind), "reasoning_content": "hm"}
        if kind == "tools":
            message["tool_calls"] = [call]
        return json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage})

    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    pieces = [chunk({"reasoning_content": "hm"})] + [chunk({"content": letter}) for letter in _said(kind)]
    if kind == "tools":
        begun = {"index": 0, "id": "c1", "type": "function", "function": {"name": "shell", "arguments": ""}}
        pieces.append(chunk({"tool_calls": [begun]}))
        for piece in ('{"command":', '"ls"}'):
            pieces.append(chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}))
    return sse(*pieces, chunk({}, finish), {"choices": [], "usage": usage}, "[DONE]")


def _responses_answer(streaming: bool, kind: str) -> str:
    text = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": _said(kind)}]}
    call = {"type": "function_call", "call_id": "c1", "name": "shell", "arguments": '{"command":"ls"}'}
    items = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        call if kind == "tools" else text,
    ]
    whole = {
        "id": "r1",
        "object": "response",
        "status": "incomplete" if kind == "truncated" else "completed",
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if kind == "truncated" else None,
        "output": items,
        "usage": {
            "input_tokens": 1200,
            "input_tokens_details": {"cached_tokens": 200},
            "output_tokens": 57,
            "output_tokens_details": {"reasoning_tokens": 7},
        },
    }
    if not streaming:
        return json.dumps(whole)
    done = [{"type": "response.output_item.done", "output_index": at, "item": item} for at, item in enumerate(items)]
    last = {"type": "response.incomplete" if kind == "truncated" else "response.completed", "response": whole}
    return sse({"type": "response.created", "response": {**whole, "status": "in_progress"}}, *done, last, named=True)


def _messages_answer(streaming: bool, kind: str) -> str:
    reason = {"answered": "end_turn", "tools": "tool_use", "truncated": "max_tokens"}[kind]
    usage = {
        "input_tokens": 900,
        "cache_creation_input_tokens": 100,
        "cache_read_input_tokens": 200,
        "output_tokens": 57,
    }
    call = {"type": "tool_use", "id": "c1", "name": "shell", "input": {"command": "ls"}}
    block = call if kind == "tools" else {"type": "text", "text": _said(kind)}
    whole = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, block],
        "stop_reason": reason,
        "usage": usage,
    }
    if not streaming:
        return json.dumps(whole)
    begun = {**whole, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    if kind == "tools":
        start: dict[str, Any] = {**call, "input": {}}
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in ('{"command":', '"ls"}')]
    else:
        start = {"type": "text", "text": ""}
        deltas = [{"type": "text_delta", "text": letter} for letter in _said(kind)]
    return sse(
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "ping"},
        {"type": "content_block_start", "index": 1, "content_block": start},
        *({"type": "content_block_delta", "index": 1, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 57}},
        {"type": "message_stop"},
        named=True,
    )


def _gemini_answer(streaming: bool, kind: str) -> str:
    part = {"functionCall": {"name": "shell", "args": {"command": "ls"}}} if kind == "tools" else {"text": _said(kind)}
    parts = [{"text": "hm", "thought": True}, part]
    reason = "MAX_TOKENS" if kind == "truncated" else "STOP"
    usage = {
        "promptTokenCount": 1200,
        "cachedContentTokenCount": 200,
        "candidatesTokenCount": 50,
        "thoughtsTokenCount": 7,
    }

    def chunk(parts: list[Any], **more: Any) -> dict[str, Any]:
        return {
            "candidates": [{"content": {"role": "model", "parts": parts}, "index": 0, **more}],
            "usageMetadata": usage,
        }

    if not streaming:
        return json.dumps(chunk(parts, finishReason=reason))
    return sse(*(chunk([one]) for one in parts), chunk([{"text": ""}], finishReason=reason))
