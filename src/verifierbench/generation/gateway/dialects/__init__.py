"""The dialects the gateway speaks, by name, and which of them a request is in.

Every dialect is one table entry; nothing else in the gateway asks which one it has before it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from verifierbench.generation.harnesses.base import Dialect as Name

from .chat import CHAT
from .dialect import Dialect
from .gemini import GEMINI
from .messages import MESSAGES
from .responses import RESPONSES

__all__ = ["DIALECTS", "Dialect", "below_version", "dialect_at", "tool_results"]

DIALECTS: Mapping[Name, Dialect] = {entry.name: entry for entry in (CHAT, RESPONSES, MESSAGES, GEMINI)}

_VERSION = re.compile(r"/v\d+(?:alpha|beta)?\d*(?=/)")


def below_version(path: str) -> str:
    """The path of a request without its version: `/v1/messages` → `messages`."""
    found = _VERSION.match(path)
    return path[found.end() if found else 0 :].strip("/")


def dialect_at(path: str) -> Dialect | None:
    """The dialect of a request for the model, by its path below the version; None for any other request."""
    return next((entry for entry in DIALECTS.values() if entry.path.fullmatch(path)), None)


def tool_results(dialect: Dialect, body: object) -> int:
    """How many results of tools a request carries: how far the conversation is."""
    messages = dialect.read_request(body) if isinstance(body, dict) else ()
    return sum(message.role == "tool" for message in messages)
