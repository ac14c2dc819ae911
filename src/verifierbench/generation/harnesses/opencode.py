"""OpenCode: an open agent with many providers, a native binary; the slowest to start.

The provider is described to it in full, so that it looks nothing up but a package registry, in vain. It adds the
thinking budget to the output limit where it speaks Anthropic messages; the gateway holds the limit. Its own retries,
at most five, cannot be set.
"""

from __future__ import annotations

import json

from .base import HOME, PROGRAM, Brief, Dialect, Launch, machine
from .efforts import by_level

_PACKAGES: dict[Dialect, str] = {
    "responses": "@ai-sdk/openai",
    "messages": "@ai-sdk/anthropic",
    "chat": "@ai-sdk/openai-compatible",
}
"""Which client of its own, built into the binary, speaks a dialect."""
_CONFIG = ".config/opencode/opencode.json"
_QUIET = {
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_CLAUDE_CODE": "1",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    "OPENCODE_DISABLE_EXTERNAL_SKILLS": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
    "OPENCODE_DISABLE_SHARE": "1",
}


class OpenCode:
    """Meets `base.Harness`."""

    name = "opencode"
    version = "1.18.33"
    dialects: tuple[Dialect, ...] = tuple(_PACKAGES)
    program = "opencode"

    def launch(self, brief: Brief) -> Launch:
        """The command line and settings of one attempt."""
        return Launch(
            argv=(
                f"{PROGRAM}/node_modules/opencode-linux-{machine()}/bin/opencode",
                *("run", "--format", "json", "--auto", "--title", "verifier"),
                *("--model", f"gateway/{brief.model}", "--variant", brief.effort),
                brief.prompt,
            ),
            environment={
                **_QUIET,
                "OPENCODE_CONFIG": f"{HOME}/{_CONFIG}",
                "OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX": str(brief.output_tokens),
                "MODEL_TOKEN": brief.token,
            },
            files={_CONFIG: json.dumps(_config(brief))},
        )


def _config(brief: Brief) -> dict[str, object]:
    model: dict[str, object] = {
        "name": brief.model,
        "reasoning": True,
        "tool_call": True,
        "limit": {"context": brief.context_tokens, "output": brief.output_tokens},
    }
    if brief.dialect == "messages" and by_level(brief.model):
        # Its own variants for this client are budgets, and there is none for a low or a medium effort.
        model["variants"] = {brief.effort: {"thinking": {"type": "adaptive"}, "effort": brief.effort}}
    options = {
        "baseURL": f"{brief.url}/v1",
        "apiKey": "{env:MODEL_TOKEN}",
        "timeout": False,
        "headerTimeout": False,
        "chunkTimeout": 7_200_000,
    }
    return {
        "autoupdate": False,
        "share": "disabled",
        "permission": {"*": "allow", "webfetch": "deny", "websearch": "deny"},
        "provider": {
            "gateway": {"npm": _PACKAGES[brief.dialect], "options": options, "models": {brief.model: model}},
        },
        "small_model": f"gateway/{brief.model}",
    }


OPENCODE = OpenCode()
