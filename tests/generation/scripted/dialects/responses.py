"""OpenAI responses."""

from __future__ import annotations

import json
import time
import uuid
from typing import Any

from ..records import Answer, Tool
from . import openai
from .openai import error, event

__all__ = ["error", "events", "last_words", "overflow", "results", "serves", "streaming", "tools", "whole"]


def serves(method: str, path: str) -> bool:
    return method == "POST" and path.endswith("/responses")


def streaming(_path: str, body: Any) -> bool:
    return bool(body.get("stream"))


def tools(body: Any) -> dict[str, Tool]:
    offered = [tool for tool in body.get("tools") or [] if tool["type"] in ("function", "custom", "local_shell")]
    return {tool.get("name") or tool["type"]: Tool(tool.get("parameters") or {}, tool["type"]) for tool in offered}


def results(body: Any) -> list[str]:
    return [item["call_id"] for item in _items(body) if str(item.get("type", "")).endswith("_output")]


def last_words(body: Any) -> str:
    items = _items(body)
    return openai.text(items[-1].get("content")) if items and items[-1].get("role") == "user" else ""


def overflow() -> tuple[int, Any]:
    return 400, openai.overflow("input")


def whole(_path: str, body: Any, answer: Answer) -> Any:
    return _response(_begun(body), _item(answer), answer)


def events(_path: str, body: Any, answer: Answer) -> list[str]:
    begun, item = _begun(body), _item(answer)
    told: list[tuple[str, dict[str, Any]]] = [
        ("response.created", {"response": begun}),
        ("response.in_progress", {"response": begun}),
        *_item_events(item, answer),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        (f"response.{'incomplete' if answer.cut else 'completed'}", {"response": _response(begun, item, answer)}),
    ]
    return [event({"type": name, "sequence_number": n, **data}, name) for n, (name, data) in enumerate(told)]


def _item_events(item: dict[str, Any], answer: Answer) -> list[tuple[str, dict[str, Any]]]:
    place = {"item_id": item["id"], "output_index": 0}
    if item["type"] == "message":
        part = {"type": "output_text", "text": "", "annotations": []}
        place["content_index"] = 0
        return [
            (
                "response.output_item.added",
                {"output_index": 0, "item": {**item, "status": "in_progress", "content": []}},
            ),
            ("response.content_part.added", {**place, "part": part}),
            *(("response.output_text.delta", {**place, "delta": piece, "logprobs": []}) for piece in answer.pieces()),
            ("response.output_text.done", {**place, "text": answer.text, "logprobs": []}),
            ("response.content_part.done", {**place, "part": item["content"][0]}),
        ]
    if item["type"] == "function_call":
        begun = {**item, "status": "in_progress", "arguments": ""}
        return [
            ("response.output_item.added", {"output_index": 0, "item": begun}),
            *(("response.function_call_arguments.delta", {**place, "delta": piece}) for piece in answer.pieces()),
            ("response.function_call_arguments.done", {**place, "arguments": answer.arguments, "name": answer.tool}),
        ]
    return [("response.output_item.added", {"output_index": 0, "item": {**item, "status": "in_progress"}})]


def _items(body: Any) -> list[Any]:
    given = body.get("input")
    return given if isinstance(given, list) else [{"role": "user", "content": given or ""}]


def _item(answer: Answer) -> dict[str, Any]:
    name, status = uuid.uuid4().hex[:12], "incomplete" if answer.cut else "completed"
    if not answer.tool:
        content = [{"type": "output_text", "text": answer.text, "annotations": []}]
        return {"id": f"msg_{name}", "type": "message", "status": status, "role": "assistant", "content": content}
    call = {"status": status, "call_id": f"call_{name}"}
    if answer.kind == "custom":
        return {"id": f"ctc_{name}", "type": "custom_tool_call", **call, "name": answer.tool, "input": answer.arguments}
    if answer.kind == "local_shell":
        action = {"type": "exec", **json.loads(answer.arguments), "env": {}}
        return {"id": f"lsh_{name}", "type": "local_shell_call", **call, "action": action}
    return {"id": f"fc_{name}", "type": "function_call", **call, "name": answer.tool, "arguments": answer.arguments}


def _begun(body: Any) -> dict[str, Any]:
    return {
        "id": f"resp_{uuid.uuid4().hex[:12]}",
        "object": "response",
        "created_at": int(time.time()),
        "model": body.get("model"),
        "status": "in_progress",
        "output": [],
        "usage": None,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": False,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
    }


def _response(begun: dict[str, Any], item: dict[str, Any], answer: Answer) -> dict[str, Any]:
    tokens = answer.tokens
    usage = {
        "input_tokens": tokens["input"],
        "input_tokens_details": {"cached_tokens": tokens["cached"]},
        "output_tokens": tokens["output"],
        "output_tokens_details": {"reasoning_tokens": tokens["reasoning"]},
        "total_tokens": tokens["input"] + tokens["output"],
    }
    done = {"status": "completed", "output": [item], "usage": usage}
    if answer.cut:
        done |= {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    return {**begun, **done}
