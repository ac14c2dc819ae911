"""Pi: four tools (read, bash, edit, write), the shortest prompt, every dialect.

Its own retries are few, because the gateway retries; its idle time-out is off, because a model may think for long.
A model of ours is described to it in models.json, so that it looks nothing up.
"""

from __future__ import annotations

import json

from .base import HOME, PROGRAM, Brief, Dialect, Launch
from .efforts import by_level

_APIS: dict[Dialect, tuple[str, str]] = {
    "responses": ("openai-responses", "/v1"),
    "messages": ("anthropic-messages", ""),
    "gemini": ("google-generative-ai", "/v1beta"),
    "chat": ("openai-completions", "/v1"),
}
"""What Pi calls a dialect, and what it expects the base URL to end with."""
_FOLDER = ".pi/agent"
_FLAGS = ("--no-extensions", "--no-skills", "--no-prompt-templates", "--no-themes", "--no-context-files", "--no-mcp")
_SETTINGS = {
    "enableInstallTelemetry": False,
    "quietStartup": True,
    "cacheWarming": "off",
    "httpIdleTimeoutMs": "disabled",
    "retry": {"maxRetries": 1, "provider": {"maxRetries": 0, "timeoutMs": 7_200_000}},
}


class Pi:
    """Meets `base.Harness`."""

    name = "pi"
    version = "1.6.0"
    dialects: tuple[Dialect, ...] = tuple(_APIS)
    program = "pi"

    def launch(self, brief: Brief) -> Launch:
        """The command line and settings of one attempt."""
        return Launch(
            argv=(
                "node",
                f"{PROGRAM}/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js",
                *("--print", "--mode", "json", "--no-approve"),
                *("--provider", "gateway", "--model", brief.model, "--thinking", brief.effort),
                *_FLAGS,
                brief.prompt,
            ),
            environment={
                "PI_CODING_AGENT_DIR": f"{HOME}/{_FOLDER}",
                "PI_OFFLINE": "1",
                "PI_TELEMETRY": "0",
                "PI_SKIP_VERSION_CHECK": "1",
                "MODEL_TOKEN": brief.token,
            },
            files={
                f"{_FOLDER}/settings.json": json.dumps(_SETTINGS),
                f"{_FOLDER}/models.json": json.dumps({"providers": {"gateway": _provider(brief)}}),
            },
        )


def _provider(brief: Brief) -> dict[str, object]:
    api, path = _APIS[brief.dialect]
    model: dict[str, object] = {
        "id": brief.model,
        "reasoning": True,
        "input": ["text"],
        "contextWindow": brief.context_tokens,
        "maxTokens": brief.output_tokens,
        "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
    }
    if brief.dialect == "messages":
        model["compat"] = {"forceAdaptiveThinking": by_level(brief.model)}
    return {"baseUrl": f"{brief.url}{path}", "api": api, "apiKey": "$MODEL_TOKEN", "models": [model]}


PI = Pi()
