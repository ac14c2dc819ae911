"""Gemini generateContent; a call's arguments are always whole, so a broken call is one without any."""

from __future__ import annotations

import json
import uuid
from typing import Any

from ..records import Answer, Tool
from . import openai
from .openai import event

__all__ = ["error", "events", "last_words", "overflow", "results", "serves", "streaming", "tools", "whole"]

_STATUSES = {401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}
_JUDGEMENT = {"reasoning": "scripted", "next_speaker": "user", "confidence": 0, "unproductive_state_confidence": 0}
"""What Gemini CLI may ask for by a schema, about its own conversation."""


def serves(method: str, path: str) -> bool:
    return method == "POST" and path.endswith((":generateContent", ":streamGenerateContent"))


def streaming(path: str, _body: Any) -> bool:
    return path.endswith(":streamGenerateContent")


def tools(body: Any) -> dict[str, Tool]:
    offered = [function for tool in body.get("tools") or [] for function in tool.get("functionDeclarations") or []]
    return {it["name"]: Tool(it.get("parametersJsonSchema") or it.get("parameters") or {}) for it in offered}


def results(body: Any) -> list[str]:
    parts = [part for content in body["contents"] for part in content.get("parts") or []]
    given = [part["functionResponse"] for part in parts if "functionResponse" in part]
    return [it.get("id") or f"result-{number}" for number, it in enumerate(given)]


def last_words(body: Any) -> str:
    last = body["contents"][-1]
    return openai.text(last.get("parts")) if last.get("role") == "user" else ""


def error(status: int) -> Any:
    name = _STATUSES.get(status, "INVALID_ARGUMENT" if status < 500 else "UNAVAILABLE")
    return {"error": {"code": status, "message": openai.words(status), "status": name}}


def overflow() -> tuple[int, Any]:
    said = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
    return 400, {"error": {"code": 400, "message": said, "status": "INVALID_ARGUMENT"}}


def whole(path: str, body: Any, answer: Answer) -> Any:
    config = body.get("generationConfig") or {}
    parts = _parts(answer)
    if config.get("responseJsonSchema") or config.get("responseSchema"):
        parts = [{"text": json.dumps(_JUDGEMENT)}]
    return _response(path, parts, answer, last=True)


def events(path: str, _body: Any, answer: Answer) -> list[str]:
    first = _response(path, _parts(answer), answer, last=False)
    return [event(first), event(_response(path, [{"text": ""}], answer, last=True))]


def _parts(answer: Answer) -> list[dict[str, Any]]:
    if not answer.tool:
        return [{"text": answer.text}] if answer.text else []
    try:
        given = json.loads(answer.arguments)
    except ValueError:
        given = {}
    return [{"functionCall": {"name": answer.tool, "args": given}, "thoughtSignature": "c2ln"}]


def _response(path: str, parts: list[dict[str, Any]], answer: Answer, *, last: bool) -> dict[str, Any]:
    tokens = answer.tokens
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    model = path.rsplit("/", 1)[-1].partition(":")[0]
    response = {"candidates": [candidate], "modelVersion": model, "responseId": uuid.uuid4().hex[:12]}
    if last:
        candidate["finishReason"] = "MAX_TOKENS" if answer.cut else "STOP"
        response["usageMetadata"] = {
            "promptTokenCount": tokens["input"],
            "cachedContentTokenCount": tokens["cached"],
            "candidatesTokenCount": tokens["output"] - tokens["reasoning"],
            "thoughtsTokenCount": tokens["reasoning"],
            "totalTokenCount": tokens["input"] + tokens["output"],
        }
    return response
