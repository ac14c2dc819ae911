"""Gemini generateContent. The model stands in the path; fields may be written in either of two ways."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from verifierbench.core import Effort
from verifierbench.generation.gateway.faults import Cut, failure_in
from verifierbench.generation.gateway.records import Change, Finish, Message, Reply, Terms, ToolCall, Usage
from verifierbench.generation.harnesses.efforts import BUDGETS, by_level

from . import sse
from .dialect import Dialect, count, finished, obj, objects, positive, status_of, text, words, written
from .edits import Body, Edits
from .fetched import WITHHELD, withhold

_FINISHES: Mapping[str, Finish] = {"MAX_TOKENS": "truncated"}
_OURS = ("functionDeclarations", "function_declarations")
"""The entries of a tool that run at the client."""
_OTHER_SPELLINGS: tuple[tuple[str, ...], ...] = (
    ("generation_config",),
    ("generationConfig", "max_output_tokens"),
    ("generationConfig", "candidate_count"),
    ("generationConfig", "thinking_config"),
    ("generationConfig", "thinkingConfig", "thinking_budget"),
    ("generationConfig", "thinkingConfig", "thinking_level"),
)
_ELSEWHERE = ("cachedContent", "cached_content", "serviceTier", "service_tier")
"""State that no record holds, and service at another price."""
_TALK = ("contents", "systemInstruction", "system_instruction")
_STATUSES: Mapping[int, str] = {401: "UNAUTHENTICATED", 404: "NOT_FOUND"}


def prepare(body: Body, terms: Terms) -> tuple[Body, tuple[Change, ...]]:
    """One spelling, one candidate; then effort, limit and tools."""
    edits = Edits(body)
    for keys in _OTHER_SPELLINGS:
        edits.rename(_camel(keys[-1]), *keys)
    if edits.has("generationConfig", "candidateCount"):
        edits.put(1, "generationConfig", "candidateCount")
    edits.leave_out(_ELSEWHERE)
    if terms.effort:
        _set_effort(edits, terms.effort, terms.model)
    edits.clamp(terms.output_tokens, "generationConfig", "maxOutputTokens")
    if not terms.hosted_tools:
        edits.sift(_ours, "tools")
        if edits.get("tools") == []:
            edits.drop("tools")
        withhold(edits, _TALK, _addresses, {"text": WITHHELD}, frozenset({"args", "response"}))
    return edits.result


def _addresses(part: Body) -> list[Any]:
    files = [obj(part.get(name)) for name in ("fileData", "file_data")]
    return [file.get(name) for file in files for name in ("fileUri", "file_uri")]


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _set_effort(edits: Edits, effort: Effort, model: str) -> None:
    """A level; a positive budget stays where it stands alone, and is set for models that know no level."""
    level, budget = (("generationConfig", "thinkingConfig", name) for name in ("thinkingLevel", "thinkingBudget"))
    leveled = by_level(model)
    if positive(edits.get(*budget)) and not (leveled and edits.has(*level)):
        edits.drop(*level)
    elif leveled:
        edits.drop(*budget)
        if text(edits.get(*level)).upper() != effort.upper():
            edits.put(effort.upper(), *level)
    else:
        edits.drop(*level)
        edits.put(BUDGETS[effort], *budget)


def _ours(tool: Any) -> Any:
    entry = obj(tool)
    kept = {key: value for key, value in entry.items() if key in _OURS}
    return tool if kept and len(kept) == len(entry) else kept or None


def read_request(body: Body) -> tuple[Message, ...]:
    """The system instruction, then the contents; results of functions are messages of their own."""
    system = words(obj(body.get("systemInstruction", body.get("system_instruction"))).get("parts"))
    head = (Message(role="system", text=system),) if system else ()
    return (*head, *(part for entry in objects(body.get("contents")) for part in _messages(entry)))


def _messages(entry: Body) -> list[Message]:
    parts = objects(entry.get("parts"))
    results = [obj(part["functionResponse"]) for part in parts if "functionResponse" in part]
    found = [
        Message(
            role="tool",
            text=written(result.get("response", {})),
            call_id=text(result.get("id")) or text(result.get("name")),
        )
        for result in results
    ]
    if len(results) < len(parts) or not parts:
        rest = [part for part in parts if "functionResponse" not in part]
        mine = entry.get("role") == "model"
        found.append(
            Message(
                role="assistant" if mine else "user", text=_said(rest), reasoning=_thoughts(rest), calls=_calls(rest)
            )
        )
    return found


def _said(parts: list[Body]) -> str:
    return "".join(text(part.get("text")) for part in parts if part.get("thought") is not True)


def _thoughts(parts: list[Body]) -> str:
    return "".join(text(part.get("text")) for part in parts if part.get("thought") is True)


def _calls(parts: list[Body]) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(
            id=text(call.get("id")) or text(call.get("name")),
            name=text(call.get("name")),
            arguments=written(call.get("args", {})),
        )
        for part in parts
        if "functionCall" in part
        for call in (obj(part["functionCall"]),)
    )


def fold(events: Iterable[Body]) -> Body:
    """The first candidate's parts in a row, with the last word on everything else."""
    whole: Body = {}
    candidate: Body = {}
    parts: list[Body] = []
    for event in events:
        failure = failure_in(event, 500)
        if failure:
            raise status_of(failure, event)
        whole.update(event)
        for piece in objects(event.get("candidates"))[:1]:
            parts += objects(obj(piece.get("content")).get("parts"))
            candidate.update(piece)
    if not candidate:
        return whole
    return {**whole, "candidates": [{**candidate, "content": {"role": "model", "parts": parts}}]}


def read_reply(body: Body) -> Reply:
    """The first candidate; a prompt that was blocked is an answer too."""
    candidate = next(iter(objects(body.get("candidates"))), {})
    reason = text(candidate.get("finishReason")) or text(obj(body.get("promptFeedback")).get("blockReason"))
    if not reason:
        raise Cut
    parts = objects(obj(candidate.get("content")).get("parts"))
    calls = _calls(parts)
    usage = obj(body.get("usageMetadata"))
    return Reply(
        text=_said(parts),
        reasoning=_thoughts(parts),
        calls=calls,
        usage=_usage(usage) if usage else None,
        finish=finished(reason, calls, _FINISHES),
        reason=reason,
    )


def _usage(usage: Body) -> Usage:
    thoughts = count(usage.get("thoughtsTokenCount"))
    return Usage(
        input=count(usage.get("promptTokenCount")) + count(usage.get("toolUsePromptTokenCount")),
        cached=count(usage.get("cachedContentTokenCount")),
        output=count(usage.get("candidatesTokenCount")) + thoughts,
        reasoning=thoughts,
    )


def _error(status: int, message: str, _code: str) -> Body:
    return {"error": {"code": status, "message": message, "status": _STATUSES.get(status, "INVALID_ARGUMENT")}}


def _stream_error(body: Body, _model: str) -> str:
    return sse.event(body)


GEMINI = Dialect(
    name="gemini",
    path=re.compile(r"models/(?P<model>[^:]+):(?:g|streamG)enerateContent"),
    counting=re.compile(r"models/[^:]+:countTokens"),
    counted="totalTokens",
    key_header=("x-goog-api-key", ""),
    headers={},
    query=("alt",),
    prepare=prepare,
    read_request=read_request,
    fold=fold,
    read_reply=read_reply,
    error=_error,
    stream_error=_stream_error,
)
