"""One module for each dialect: how its requests are read, how answers and errors are written.

Each has `serves(method, path)`, `streaming(path, body)`, `tools(body)`, `results(body)`, `last_words(body)`,
`error(status)`, `overflow()`, `whole(path, body, answer)` and `events(path, body, answer)`: server-sent events as text,
of which the first are sent before a stream is cut.
"""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

from . import chat, gemini, messages, responses

DIALECTS: dict[str, ModuleType] = {"chat": chat, "responses": responses, "messages": messages, "gemini": gemini}


def dialect_of(method: str, path: str) -> str | None:
    """Which dialect a request is in."""
    return next((name for name, module in DIALECTS.items() if module.serves(method, path)), None)


def elsewhere(method: str, path: str, body: Any) -> tuple[int, Any]:
    """The answer to what no dialect serves: counts of tokens, and lists of models."""
    size = len(json.dumps(body)) // 4
    if path.endswith("/count_tokens"):
        return 200, {"input_tokens": size}
    if path.endswith(":countTokens"):
        return 200, {"totalTokens": size}
    if path.endswith("/models") and method == "GET":
        return 200, {"object": "list", "data": [], "models": []}
    return 404, {"error": {"message": f"nothing is at {path}", "type": "not_found"}}
