"""A line on a real socket: client, gateway and provider are three parties over HTTP."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests

from verifierbench.generation.gateway import Exchange, Terms, tape
from verifierbench.generation.gateway.server import Gateway, Line
from verifierbench.generation.gateway.upstream import Provider, Upstream

from . import voices
from .scripted import ScriptedProvider, Step

TOKEN = "run-token-0123456789abcdef"
KEY = "sk-secret-key-of-the-provider"


@dataclass
class Setting:
    """One line with what is on both of its ends."""

    line: Line
    url: str
    dialect: str
    tape_path: Path
    provider: ScriptedProvider | None

    def post(self, body: Any, streaming: bool, **how: Any) -> requests.Response:
        headers = {"Authorization": f"Bearer {TOKEN}", **how.pop("headers", {})}
        path = how.pop("path", None) or voices.path(self.dialect, streaming)
        return requests.post(self.url + path, json=body, headers=headers, timeout=20, **how)

    def ask(self, streaming: bool, results: int = 0, **more: Any) -> requests.Response:
        return self.post(voices.request(self.dialect, streaming, results, **more), streaming)

    @property
    def exchanges(self) -> list[Exchange]:
        return tape.read(self.tape_path)


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Callable[..., Setting]]:
    """Make a line: its dialect, the provider's script, and what differs from the usual terms."""
    with ExitStack() as stack:

        def make(
            dialect: str,
            steps: Sequence[Step] = (),
            *,
            upstream: Upstream | None = None,
            keep_alive: float = 20.0,
            look: Callable[[], None] | None = None,
            name: str = "exchanges.jsonl",
            patience: dict[str, Any] | None = None,
            **terms: Any,
        ) -> Setting:
            provider = stack.enter_context(ScriptedProvider(steps)) if upstream is None else None
            if provider is not None:
                usual = {"first_wait": 0.01, "longest_wait": 0.05, "attempts": 4}
                upstream = Provider(provider.url, KEY, [dialect], **{**usual, **(patience or {})})  # type: ignore[list-item]
            assert upstream is not None
            gateway = stack.enter_context(Gateway(keep_alive=keep_alive))
            door = socket.create_server(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{door.getsockname()[1]}"
            given = {
                "token": TOKEN,
                "model": voices.MODEL,
                "dialect": dialect,
                "effort": "high",
                "output_tokens": 32_768,
                "model_calls": 50,
                "deadline": time.monotonic() + 30,
                **terms,
            }
            path = tmp_path / name
            line = gateway.open(door, Terms(**given), upstream, path, look=look)
            return Setting(line, url, dialect, path, provider)

        yield make


@pytest.fixture(params=voices.DIALECTS)
def dialect(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[True, False], ids=["stream", "whole"])
def streaming(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)
