"""Anthropic messages."""

from __future__ import annotations

import json
import uuid
from typing import Any

from ..records import Answer, Tool
from . import openai
from .openai import event

__all__ = ["error", "events", "last_words", "overflow", "results", "serves", "streaming", "tools", "whole"]


def serves(method: str, path: str) -> bool:
    return method == "POST" and path.endswith("/messages")


def streaming(_path: str, body: Any) -> bool:
    return bool(body.get("stream"))


def tools(body: Any) -> dict[str, Tool]:
    return {tool["name"]: Tool(tool["input_schema"]) for tool in body.get("tools") or [] if "input_schema" in tool}


def results(body: Any) -> list[str]:
    contents = [message["content"] for message in body["messages"] if isinstance(message["content"], list)]
    return [block["tool_use_id"] for content in contents for block in content if block["type"] == "tool_result"]


def last_words(body: Any) -> str:
    last = body["messages"][-1]
    return openai.text(last["content"]) if last["role"] == "user" else ""


def error(status: int) -> Any:
    kind = {500: "api_error", 503: "overloaded_error"}.get(status) or openai.KINDS.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": openai.words(status)}}


def overflow() -> tuple[int, Any]:
    said = "prompt is too long: 215000 tokens > 200000 maximum"
    return 400, {"type": "error", "error": {"type": "invalid_request_error", "message": said}}


def whole(_path: str, body: Any, answer: Answer) -> Any:
    content = [_block(answer)] if answer.tool or answer.text else []
    return {**_message(body, answer), "content": content, "stop_reason": _stop(answer)}


def events(_path: str, body: Any, answer: Answer) -> list[str]:
    begun = _message(body, answer)
    told: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**begun, "usage": {**begun["usage"], "output_tokens": 1}}}
    ]
    if answer.tool or answer.text:
        empty = {"input": {}} if answer.tool else {"text": ""}
        told.append({"type": "content_block_start", "index": 0, "content_block": {**_block(answer), **empty}})
        told += [{"type": "content_block_delta", "index": 0, "delta": _delta(answer, it)} for it in answer.pieces()]
        told.append({"type": "content_block_stop", "index": 0})
    stop = {"stop_reason": _stop(answer), "stop_sequence": None}
    told.append({"type": "message_delta", "delta": stop, "usage": {"output_tokens": answer.tokens["output"]}})
    told.append({"type": "message_stop"})
    return [event(data, data["type"]) for data in told]


def _message(body: Any, answer: Answer) -> dict[str, Any]:
    tokens = answer.tokens
    usage = {
        "input_tokens": tokens["input"] - tokens["cached"],
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": tokens["cached"],
        "output_tokens": tokens["output"],
    }
    name, model = f"msg_{uuid.uuid4().hex[:16]}", body.get("model")
    empty = {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    return {"id": name, "type": "message", "role": "assistant", "model": model, **empty}


def _block(answer: Answer) -> dict[str, Any]:
    if not answer.tool:
        return {"type": "text", "text": answer.text}
    try:
        given = json.loads(answer.arguments)
    except ValueError:
        given = {}
    return {"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex[:12]}", "name": answer.tool, "input": given}


def _delta(answer: Answer, piece: str) -> dict[str, Any]:
    if answer.tool:
        return {"type": "input_json_delta", "partial_json": piece}
    return {"type": "text_delta", "text": piece}


def _stop(answer: Answer) -> str:
    return "max_tokens" if answer.cut else "tool_use" if answer.tool else "end_turn"
