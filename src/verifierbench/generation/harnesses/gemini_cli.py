"""Gemini CLI: Google's command line agent, on Node.js; speaks Gemini's generateContent alone.

It takes other models for summaries and checks of its own, and sends some names of models as others. So the model is
given by an alias, and every name it keeps for such a purpose is made to mean that one. What stays is that the names
gemini-3-pro-preview and gemini-3.5-flash are sent as their successors': the gateway refuses those, naming both. It
does not start itself a second time for more memory.
"""

from __future__ import annotations

import json

from .base import HOME, PROGRAM, Brief, Dialect, Launch
from .efforts import gemini_thinking

_ALIAS = "verifierbench"
_TAKEN = (
    *("classifier", "prompt-completion", "fast-ack-helper", "edit-corrector", "summarizer-default"),
    *("summarizer-shell", "web-search", "web-fetch", "web-fetch-fallback", "loop-detection"),
    *("loop-detection-double-check", "llm-edit-fixer", "next-speaker-checker", "context-snapshotter"),
    *("agent-history-provider-summarizer", "chat-compression-3-pro", "chat-compression-3-flash"),
    *("chat-compression-3.1-flash-lite", "chat-compression-2.5-pro", "chat-compression-2.5-flash"),
    *("chat-compression-2.5-flash-lite", "chat-compression-default", "gemini-3-pro-preview"),
    *("gemini-3.1-pro-preview", "gemini-3.1-pro-preview-customtools", "gemini-3-flash-preview"),
    *("gemini-3.1-flash-lite", "gemini-3.1-flash-lite-preview", "gemini-3.5-flash"),
    *("gemini-3.5-flash-lite", "gemini-3.8-flash", "gemini-2.5-pro", "gemini-2.5-flash"),
    *("gemini-2.5-flash-lite", "gemma-4-31b-it", "gemma-4-26b-a4b-it"),
)
"""Its own names: purposes it has a model for, and models it would take in place of the one given."""
_SETTINGS = {
    "general": {
        "enableAutoUpdate": False,
        "enableAutoUpdateNotification": False,
        "maxAttempts": 2,
        "retryFetchErrors": False,
    },
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "model": {"maxSessionTurns": -1},
    "tools": {"exclude": ["google_web_search", "web_fetch"]},
    "context": {"fileName": ".no-such-file", "discoveryMaxDirs": 0},
}


class GeminiCli:
    """Meets `base.Harness`."""

    name = "gemini-cli"
    version = "0.61.0"
    dialects: tuple[Dialect, ...] = ("gemini",)
    program = "gemini-cli"

    def launch(self, brief: Brief) -> Launch:
        """The command line and settings of one attempt."""
        return Launch(
            argv=(
                "node",
                f"{PROGRAM}/node_modules/@google/gemini-cli/bundle/gemini.js",
                *("--model", _ALIAS, "--approval-mode", "yolo", "--skip-trust", "--output-format", "stream-json"),
                *("--prompt", brief.prompt),
            ),
            environment={
                "GEMINI_CLI_HOME": HOME,
                "GEMINI_API_KEY": brief.token,
                "GEMINI_CLI_NO_RELAUNCH": "true",
                "GEMINI_TELEMETRY_ENABLED": "false",
                "GOOGLE_GEMINI_BASE_URL": brief.url,
            },
            files={".gemini/settings.json": json.dumps({**_SETTINGS, "modelConfigs": _models(brief)})},
        )


def _models(brief: Brief) -> dict[str, object]:
    config = {"maxOutputTokens": brief.output_tokens, "thinkingConfig": gemini_thinking(brief)}
    # By its resource name, which means the same to Google, fewer models are sent as others.
    ours = {"modelConfig": {"model": f"models/{brief.model}", "generateContentConfig": config}}
    # After the first request it goes by the model's own name, and would forget what the alias says.
    names = (*_TAKEN, brief.model, f"models/{brief.model}")
    return {"customAliases": {_ALIAS: ours, **{name: {"extends": _ALIAS, "modelConfig": {}} for name in names}}}


GEMINI_CLI = GeminiCli()
