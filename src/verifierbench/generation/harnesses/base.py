"""What a harness is to us: how to install it, and the one command line that makes it write a verifier.

A harness only describes. Processes, budgets, keys and outcomes belong to the run; its exit status, its own limits and
its own token figures are never trusted. Everything it is told is public: the address and the token are good for one
attempt, and lead to the gateway alone.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal, Protocol, TypeAlias

import msgspec

from verifierbench.core import Effort

Dialect: TypeAlias = Literal["chat", "responses", "messages", "gemini"]
"""OpenAI chat completions, OpenAI responses, Anthropic messages, Gemini generateContent."""

HOME, WORKSPACE, PROGRAM = "/home/agent", "/workspace", "/opt/harness"
"""Where, inside the cell, a harness finds its own files, the agent's folder, and itself (read-only)."""


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """What one attempt is given."""

    model: str
    """The provider's name of the model, without the provider."""
    dialect: Dialect
    """One of the harness's, which the provider speaks."""
    url: str
    """The gateway's root inside the cell, `http://127.0.0.1:PORT`: no slash at the end, no `/v1`."""
    token: str
    """Stands where the provider's key would."""
    prompt: str
    effort: Effort
    output_tokens: int
    context_tokens: int


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """A process to start in the cell, in `WORKSPACE`."""

    argv: tuple[str, ...]
    environment: Mapping[str, str] = {}
    """Beside HOME, PATH, LANG, TERM, TMPDIR and the XDG folders, which the cell sets."""
    files: Mapping[str, str] = {}
    """Files to write before, by their path below `HOME`."""


class Harness(Protocol):
    """One program that drives a model; registered under the entry point group `verifierbench.harnesses`."""

    @property
    def name(self) -> str:
        """What it is called on the command line and in tables."""

    @property
    def version(self) -> str:
        """The pinned version."""

    @property
    def dialects(self) -> tuple[Dialect, ...]:
        """What it can speak, the best first."""

    @property
    def program(self) -> str | None:
        """The folder of its lock file below `npm/`, or an absolute one; None where it needs nothing installed."""

    def launch(self, brief: Brief) -> Launch:
        """The command line and settings of one attempt."""


_MACHINES = {"x86_64": "x64", "aarch64": "arm64"}


def machine() -> str:
    """What npm packages call this machine's processor, `x64` or `arm64`; only the first has been tried."""
    return _MACHINES.get(os.uname().machine, os.uname().machine)
