"""What a client is told: the provider's answer as it came, or words of ours in the dialect's own form.

An error of ours has a status that harnesses do not retry, and says so to those that ask. Once a stream has begun there
is no status left to give, and the error is told inside it.
"""

from __future__ import annotations

import json
from typing import Any

from aiohttp import web

from .dialects import Dialect
from .dialects.edits import Body
from .questions import Answer, Question
from .records import Ending

STREAM = {"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache"}
_NO_RETRY = {"x-should-retry": "false"}
_STATUS = {401: 400, 403: 400}
"""From the provider these mean our key; harnesses take them for theirs, and some ask for ever."""
_CODES: dict[Ending, str] = {
    "refused": "request_refused",
    "budget": "budget_used_up",
    "outage": "provider_down",
    "abandoned": "abandoned",
}


def own(dialect: Dialect, words: str, ended: Ending, status: int = 400) -> web.Response:
    """An error of ours."""
    body = dialect.error(status, words, _CODES.get(ended, ended))
    return web.json_response(body, status=status, headers=_NO_RETRY)


def told(dialect: Dialect, answer: Answer) -> web.Response:
    """The answer to a client that has heard nothing yet."""
    if answer.refusal or answer.status is None:
        return own(dialect, answer.refusal or "nobody waited for the answer", answer.ended)
    if answer.status != 200 and answer.status < 400:
        return own(dialect, f"the provider answered with status {answer.status}", answer.ended)
    return web.Response(
        status=_STATUS.get(answer.status, answer.status),
        headers={"Content-Type": answer.content_type or "application/json"},
        body=answer.text.encode(),
    )


def told_in_stream(question: Question, answer: Answer) -> str:
    """The answer to a client whose stream has begun."""
    if answer.status == 200 and not answer.refusal:
        return answer.text
    body = None if answer.refusal else _error_body(answer.text)
    words = answer.refusal or answer.text[:500] or "nobody waited for the answer"
    ours = question.dialect.error(400, words, _CODES.get(answer.ended, answer.ended))
    return question.dialect.stream_error(body or ours, question.model)


def models(dialect: Dialect, model: str, path: str) -> Body:
    """The list of models, or one of them: the one there is, in a form that every client reads."""
    if dialect.name == "gemini":
        entry: Body = {
            "name": f"models/{model}",
            "displayName": model,
            "supportedGenerationMethods": ["generateContent"],
        }
        return {"models": [entry]} if path == "models" else entry
    entry = {
        "id": model,
        "object": "model",
        "type": "model",
        "display_name": model,
        "created": 0,
        "created_at": "1970-01-01T00:00:00Z",
        "owned_by": "provider",
    }
    around = {"object": "list", "has_more": False, "first_id": model, "last_id": model, "models": []}
    return {"data": [entry], **around} if path == "models" else entry


def _error_body(text: str) -> Body | None:
    try:
        body: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(body, list) and body:
        body = body[0]
    return body if isinstance(body, dict) and isinstance(body.get("error"), dict) else None
