"""Gemini CLI: Google's command line agent, on Node.js; speaks Gemini's generateContent alone.

It sends some names of models as others, and takes other models for summaries and checks of its own. So the model is
given by an alias, and every alias it keeps for such a purpose is made to be that one. It does not start itself a
second time for more memory.
"""

from __future__ import annotations

import json

from .base import HOME, PROGRAM, Brief, Dialect, Launch
from .efforts import gemini_thinking

_ALIAS = "verifierbench"
_PURPOSES = (
    "classifier",
    "prompt-completion",
    "fast-ack-helper",
    "edit-corrector",
    "summarizer-default",
    "summarizer-shell",
    "web-search",
    "web-fetch",
    "web-fetch-fallback",
    "loop-detection",
    "loop-detection-double-check",
    "llm-edit-fixer",
    "next-speaker-checker",
    "context-snapshotter",
    "chat-compression-3-pro",
    "chat-compression-3-flash",
    "chat-compression-3.1-flash-lite",
    "chat-compression-2.5-pro",
    "chat-compression-2.5-flash",
    "chat-compression-2.5-flash-lite",
    "chat-compression-default",
    "agent-history-provider-summarizer",
)
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
            files={
                ".gemini/settings.json": json.dumps({**_SETTINGS, "modelConfigs": {"customAliases": _aliases(brief)}})
            },
        )


def _aliases(brief: Brief) -> dict[str, object]:
    config = {"maxOutputTokens": brief.output_tokens, "thinkingConfig": gemini_thinking(brief)}
    ours = {"modelConfig": {"model": brief.model, "generateContentConfig": config}}
    purposes = {purpose: {"extends": _ALIAS, "modelConfig": {}} for purpose in _PURPOSES}
    # After the first request it goes by the model's own name, and would forget what the alias says.
    return {_ALIAS: ours, brief.model: ours, **purposes}


GEMINI_CLI = GeminiCli()
