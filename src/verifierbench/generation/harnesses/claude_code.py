"""Claude Code: Anthropic's command line agent, a native binary; speaks Anthropic messages alone.

Each of the names it may take for a lesser task (summaries, sub-agents) is set to the one model, since the gateway
refuses any other. Its prompt and its tools depend on the model's name, which is therefore given as it is.
"""

from __future__ import annotations

from .base import HOME, PROGRAM, Brief, Dialect, Launch, machine

_HOURS = "7200000"
"""Two hours in milliseconds, past the end of any attempt: the gateway ends what hangs."""
_QUIET = {
    "IS_SANDBOX": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    "CLAUDE_CODE_MAX_RETRIES": "1",
    "CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK": "1",
    "API_TIMEOUT_MS": _HOURS,
    "CLAUDE_STREAM_IDLE_TIMEOUT_MS": _HOURS,
    "CLAUDE_STREAM_FIRST_BYTE_TIMEOUT_MS": _HOURS,
    "CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS": _HOURS,
}
_MODEL_NAMES = (
    "ANTHROPIC_MODEL",
    "ANTHROPIC_SMALL_FAST_MODEL",
    "ANTHROPIC_DEFAULT_HAIKU_MODEL",
    "ANTHROPIC_DEFAULT_SONNET_MODEL",
    "ANTHROPIC_DEFAULT_OPUS_MODEL",
    "CLAUDE_CODE_SUBAGENT_MODEL",
)


class ClaudeCode:
    """Meets `base.Harness`."""

    name = "claude-code"
    version = "2.1.332"
    dialects: tuple[Dialect, ...] = ("messages",)
    program = "claude-code"

    def launch(self, brief: Brief) -> Launch:
        """The command line and settings of one attempt."""
        return Launch(
            argv=(
                f"{PROGRAM}/node_modules/@anthropic-ai/claude-code-linux-{machine()}/claude",
                *("--print", "--output-format", "stream-json", "--verbose"),
                *("--model", brief.model, "--effort", brief.effort),
                *("--disallowed-tools", "WebFetch,WebSearch"),
                *("--dangerously-skip-permissions", "--setting-sources", "user", "--strict-mcp-config"),
                brief.prompt,
            ),
            environment={
                **_QUIET,
                **dict.fromkeys(_MODEL_NAMES, brief.model),
                "CLAUDE_CONFIG_DIR": f"{HOME}/.claude",
                "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(brief.output_tokens),
                "CLAUDE_CODE_MAX_CONTEXT_TOKENS": str(brief.context_tokens),
                "CLAUDE_CODE_AUTO_COMPACT_WINDOW": str(brief.context_tokens),
                "ANTHROPIC_BASE_URL": brief.url,
                "ANTHROPIC_API_KEY": brief.token,
            },
        )


CLAUDE_CODE = ClaudeCode()
