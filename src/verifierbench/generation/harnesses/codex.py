"""Codex: OpenAI's command line agent, a native binary; speaks OpenAI responses alone.

It has no setting for the output limit and sends none: the gateway adds it. Its prompt and its tools depend on the
model's name. Its own sandbox is off, because it runs in the cell.
"""

from __future__ import annotations

import json

from .base import HOME, PROGRAM, Brief, Dialect, Launch, machine

_TRIPLES = {"x64": "x86_64-unknown-linux-musl", "arm64": "aarch64-unknown-linux-musl"}
_CONFIG = """\
model = {model}
model_provider = "gateway"
model_reasoning_effort = {effort}
model_context_window = {context}
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
web_search = "disabled"
project_doc_max_bytes = 0

[model_providers.gateway]
name = "gateway"
base_url = {url}
env_key = "MODEL_TOKEN"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
stream_idle_timeout_ms = 7200000

[analytics]
enabled = false

[feedback]
enabled = false

[history]
persistence = "none"
"""


class Codex:
    """Meets `base.Harness`."""

    name = "codex"
    version = "0.171.0"
    dialects: tuple[Dialect, ...] = ("responses",)
    program = "codex"

    def launch(self, brief: Brief) -> Launch:
        """The command line and settings of one attempt."""
        vendor = f"{PROGRAM}/node_modules/@openai/codex-linux-{machine()}/vendor/{_TRIPLES.get(machine(), 'none')}"
        return Launch(
            argv=(
                f"{vendor}/bin/codex",
                *("exec", "--json", "--color", "never", "--skip-git-repo-check"),
                *("--dangerously-bypass-approvals-and-sandbox", "--disable", "plugins"),
                *("--", brief.prompt),
            ),
            environment={"CODEX_HOME": f"{HOME}/.codex", "MODEL_TOKEN": brief.token},
            files={
                ".codex/config.toml": _CONFIG.format(
                    # A JSON string is a TOML string.
                    model=json.dumps(brief.model),
                    effort=json.dumps(brief.effort),
                    context=brief.context_tokens,
                    url=json.dumps(f"{brief.url}/v1"),
                )
            },
        )


CODEX = Codex()
