"""OpenAI chat completions."""

from __future__ import annotations

import time
import uuid
from typing import Any

from ..records import Answer, Tool
from . import openai
from .openai import error, event

__all__ = ["error", "events", "last_words", "overflow", "results", "serves", "streaming", "tools", "whole"]


def serves(method: str, path: str) -> bool:
    return method == "POST" and path.endswith("/chat/completions")


def streaming(_path: str, body: Any) -> bool:
    return bool(body.get("stream"))


def tools(body: Any) -> dict[str, Tool]:
    functions = [tool["function"] for tool in body.get("tools") or [] if tool.get("type") == "function"]
    return {function["name"]: Tool(function.get("parameters") or {}) for function in functions}


def results(body: Any) -> list[str]:
    return [message["tool_call_id"] for message in body["messages"] if message["role"] == "tool"]


def last_words(body: Any) -> str:
    last = body["messages"][-1]
    return openai.text(last.get("content")) if last["role"] == "user" else ""


def overflow() -> tuple[int, Any]:
    return 400, openai.overflow("messages")


def whole(_path: str, body: Any, answer: Answer) -> Any:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None, "refusal": None}
    if answer.tool:
        message["tool_calls"] = [_call(answer)]
    choice = {"index": 0, "message": message, "finish_reason": _finish(answer), "logprobs": None}
    return {**_frame(body, "chat.completion"), "choices": [choice], "usage": _usage(answer)}


def events(_path: str, body: Any, answer: Answer) -> list[str]:
    frame = _frame(body, "chat.completion.chunk")

    def chunk(delta: Any, finish: str | None = None) -> str:
        return event({**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    stream = [chunk({"role": "assistant", "content": ""})]
    if answer.tool:
        call = _call(answer)
        first = {"index": 0, **call, "function": {**call["function"], "arguments": ""}}
        stream.append(chunk({"tool_calls": [first]}))
        stream += [chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}) for piece in answer.pieces()]
    else:
        stream += [chunk({"content": piece}) for piece in answer.pieces()]
    stream.append(chunk({}, _finish(answer)))
    stream.append(event({**frame, "choices": [], "usage": _usage(answer)}))
    return [*stream, event("[DONE]")]


def _frame(body: Any, kind: str) -> dict[str, Any]:
    name = f"chatcmpl-{uuid.uuid4().hex[:12]}"
    return {"id": name, "object": kind, "created": int(time.time()), "model": body.get("model")}


def _call(answer: Answer) -> dict[str, Any]:
    function = {"name": answer.tool, "arguments": answer.arguments}
    return {"id": f"call_{uuid.uuid4().hex[:10]}", "type": "function", "function": function}


def _finish(answer: Answer) -> str:
    return "length" if answer.cut else "tool_calls" if answer.tool else "stop"


def _usage(answer: Answer) -> dict[str, Any]:
    tokens = answer.tokens
    return {
        "prompt_tokens": tokens["input"],
        "completion_tokens": tokens["output"],
        "total_tokens": tokens["input"] + tokens["output"],
        "prompt_tokens_details": {"cached_tokens": tokens["cached"]},
        "completion_tokens_details": {"reasoning_tokens": tokens["reasoning"]},
    }
