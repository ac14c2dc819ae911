"""A conversation with a model, in each dialect's own form: what the model said goes back as it came.

Every class takes the settings and says how a request is made, what a reply asks for, and how results are given back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

SYSTEM = (
    "You work alone in a folder on a Linux machine; nobody answers questions. Use the tool `bash` to read files, write"
    " files and run programs. When the work is done, answer in words without a tool call."
)
SECONDS, MOST_SECONDS = 120, 600
NAME, ABOUT = "bash", "Run a command with bash in the working folder; returns its output and its exit status."
SCHEMA = {
    "type": "object",
    "properties": {
        "command": {"type": "string", "description": "The command; each starts in the working folder anew."},
        "timeout": {"type": "integer", "description": f"Seconds; {SECONDS} unless given, at most {MOST_SECONDS}."},
    },
    "required": ["command"],
}
Call = tuple[str, Any]
"""A call's id, and its arguments as the model gave them."""


class Talk(Protocol):
    """A conversation with the model."""

    @property
    def path(self) -> str:
        """Where requests go, below the gateway's root."""

    @property
    def header(self) -> tuple[str, str]:
        """The name and the value that carry the token."""

    def body(self) -> dict[str, Any]:
        """The next request."""

    def take(self, reply: Any) -> tuple[str, list[Call]]:
        """Keep what the model said; returns its text, and its calls."""

    def give(self, results: list[tuple[str, str]]) -> None:
        """Add what the calls came to, by their ids, in their order."""


class Chat:
    """OpenAI chat completions."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.path, self.header = "/v1/chat/completions", ("authorization", f"Bearer {told['token']}")
        self.said: list[Any] = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": told["prompt"]}]
        self.fixed = {
            "model": told["model"],
            "reasoning_effort": told["effort"],
            "max_completion_tokens": told["output_tokens"],
            "tools": [{"type": "function", "function": {"name": NAME, "description": ABOUT, "parameters": SCHEMA}}],
        }

    def body(self) -> dict[str, Any]:  # noqa: D102
        return {**self.fixed, "messages": self.said}

    def take(self, reply: Any) -> tuple[str, list[Call]]:  # noqa: D102
        message = reply["choices"][0]["message"]
        self.said.append(message)
        calls = message.get("tool_calls") or []
        return message.get("content") or "", [(call["id"], call["function"]["arguments"]) for call in calls]

    def give(self, results: list[tuple[str, str]]) -> None:  # noqa: D102
        self.said += [{"role": "tool", "tool_call_id": name, "content": text} for name, text in results]


class Responses:
    """OpenAI responses; nothing is stored with the provider, so reasoning comes and goes encrypted."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.path, self.header = "/v1/responses", ("authorization", f"Bearer {told['token']}")
        self.said: list[Any] = [{"role": "user", "content": told["prompt"]}]
        self.fixed = {
            "model": told["model"],
            "instructions": SYSTEM,
            "reasoning": {"effort": told["effort"]},
            "max_output_tokens": told["output_tokens"],
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "tools": [{"type": "function", "name": NAME, "description": ABOUT, "parameters": SCHEMA}],
        }

    def body(self) -> dict[str, Any]:  # noqa: D102
        return {**self.fixed, "input": self.said}

    def take(self, reply: Any) -> tuple[str, list[Call]]:  # noqa: D102
        self.said += reply["output"]
        parts = [part for item in reply["output"] if item["type"] == "message" for part in item["content"]]
        calls = [(item["call_id"], item["arguments"]) for item in reply["output"] if item["type"] == "function_call"]
        return "".join(part.get("text", "") for part in parts), calls

    def give(self, results: list[tuple[str, str]]) -> None:  # noqa: D102
        self.said += [{"type": "function_call_output", "call_id": name, "output": text} for name, text in results]


class Messages:
    """Anthropic messages."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.path, self.header = "/v1/messages", ("x-api-key", told["token"])
        self.said: list[Any] = [{"role": "user", "content": told["prompt"]}]
        self.fixed = {
            "model": told["model"],
            "system": SYSTEM,
            **told["thinking"],
            "max_tokens": told["output_tokens"],
            "tools": [{"name": NAME, "description": ABOUT, "input_schema": SCHEMA}],
        }

    def body(self) -> dict[str, Any]:  # noqa: D102
        return {**self.fixed, "messages": self.said}

    def take(self, reply: Any) -> tuple[str, list[Call]]:  # noqa: D102
        content = reply["content"]
        self.said.append({"role": "assistant", "content": content})
        text = "".join(block["text"] for block in content if block["type"] == "text")
        return text, [(block["id"], block["input"]) for block in content if block["type"] == "tool_use"]

    def give(self, results: list[tuple[str, str]]) -> None:  # noqa: D102
        blocks = [{"type": "tool_result", "tool_use_id": name, "content": text} for name, text in results]
        self.said.append({"role": "user", "content": blocks})


class Gemini:
    """Gemini generateContent; calls have no ids, results come in their order."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.path = f"/v1beta/models/{told['model']}:generateContent"
        self.header = ("x-goog-api-key", told["token"])
        self.said: list[Any] = [{"role": "user", "parts": [{"text": told["prompt"]}]}]
        declared = {"name": NAME, "description": ABOUT, "parametersJsonSchema": SCHEMA}
        self.fixed = {
            "systemInstruction": {"parts": [{"text": SYSTEM}]},
            "generationConfig": {"maxOutputTokens": told["output_tokens"], "thinkingConfig": told["thinking"]},
            "tools": [{"functionDeclarations": [declared]}],
        }

    def body(self) -> dict[str, Any]:  # noqa: D102
        return {**self.fixed, "contents": self.said}

    def take(self, reply: Any) -> tuple[str, list[Call]]:  # noqa: D102
        content = reply["candidates"][0].get("content") or {}
        parts = content.get("parts") or []
        self.said.append({"role": "model", "parts": parts})
        text = "".join(part["text"] for part in parts if "text" in part and not part.get("thought"))
        return text, [("", part["functionCall"].get("args") or {}) for part in parts if "functionCall" in part]

    def give(self, results: list[tuple[str, str]]) -> None:  # noqa: D102
        parts = [{"functionResponse": {"name": NAME, "response": {"output": text}}} for _, text in results]
        self.said.append({"role": "user", "parts": parts})


DIALECTS: dict[str, Callable[[dict[str, Any]], Talk]] = {
    "chat": Chat,
    "responses": Responses,
    "messages": Messages,
    "gemini": Gemini,
}
