"""What OpenAI's two dialects have in common: errors, and text in parts."""

from __future__ import annotations

import json
from typing import Any

KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}
WORDS = {
    400: "Unknown parameter: 'scripted'.",
    401: "Incorrect API key provided.",
    429: "Rate limit reached for requests. Please slow down.",
    529: "Overloaded",
}


def words(status: int) -> str:
    return WORDS.get(status, "The server had an error while processing your request.")


def error(status: int) -> dict[str, Any]:
    code = "rate_limit_exceeded" if status == 429 else None
    kind = KINDS.get(status, "server_error")
    return {"error": {"message": words(status), "type": kind, "param": None, "code": code}}


def overflow(parameter: str) -> dict[str, Any]:
    message = (
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 150000 tokens."
        " Please reduce the length of the messages."
    )
    kind = "invalid_request_error"
    return {"error": {"message": message, "type": kind, "param": parameter, "code": "context_length_exceeded"}}


def text(content: Any) -> str:
    """The words of a content that is a string or a list of parts."""
    if isinstance(content, str):
        return content
    return " ".join(part.get("text", "") for part in content or [] if isinstance(part, dict))


def event(data: Any, name: str | None = None) -> str:
    """One server-sent event."""
    return (f"event: {name}\n" if name else "") + f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n"
