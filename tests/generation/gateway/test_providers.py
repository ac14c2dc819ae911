"""Naming a provider and its model."""

from __future__ import annotations

import subprocess
import sys

import pytest

from verifierbench.core.errors import Unavailable, UnknownName, UserError
from verifierbench.generation.gateway.providers import PROVIDERS, provider_for


@pytest.mark.parametrize(
    ("name", "variable", "base_url", "dialects", "model"),
    [
        ("openai/gpt-x", "OPENAI_API_KEY", "https://api.openai.com/v1", ("responses", "chat"), "gpt-x"),
        ("anthropic/claude-x", "ANTHROPIC_API_KEY", "https://api.anthropic.com/v1", ("messages",), "claude-x"),
        (
            "google/gemini-x",
            "GEMINI_API_KEY",
            "https://generativelanguage.googleapis.com/v1beta",
            ("gemini",),
            "gemini-x",
        ),
        (
            "google/gemini-x",
            "GOOGLE_API_KEY",
            "https://generativelanguage.googleapis.com/v1beta",
            ("gemini",),
            "gemini-x",
        ),
        ("openrouter/a/b:free", "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1", ("chat",), "a/b:free"),
    ],
)
def test_a_name_leads_to_provider_and_model(
    name: str, variable: str, base_url: str, dialects: tuple[str, ...], model: str
) -> None:
    provider, found = provider_for(name, environment={variable: " the-key-of-it\n"})
    assert (provider.base_url, provider.dialects, provider.secrets, found) == (
        base_url,
        dialects,
        ("the-key-of-it",),
        model,
    )
    assert "the-key-of-it" not in repr(provider)


def test_a_server_of_ones_own() -> None:
    provider, model = provider_for("custom/m", base_url="http://localhost:8000/v1/", dialects=["chat"], environment={})
    assert (provider.base_url, provider.secrets, model) == ("http://localhost:8000/v1", (), "m")
    keyed, _ = provider_for(
        "custom/m", base_url="http://h/v1", dialects=["messages"], key_variable="MINE", environment={"MINE": "k"}
    )
    assert keyed.secrets == ("k",)


def test_what_is_missing_is_said() -> None:
    with pytest.raises(Unavailable, match="OPENAI_API_KEY"):
        provider_for("openai/m", environment={"OPENAI_API_KEY": " "})
    with pytest.raises(UserError, match="PROVIDER/MODEL"):
        provider_for("gpt-x", environment={})
    with pytest.raises(UnknownName, match="did you mean openai"):
        provider_for("opena/m", environment={})
    with pytest.raises(UserError, match="base URL"):
        provider_for("custom/m", dialects=["chat"], environment={})
    with pytest.raises(UserError, match="base URL"):
        provider_for("custom/m", base_url="localhost:8000", dialects=["chat"], environment={})
    with pytest.raises(UserError, match="needs a dialect"):
        provider_for("custom/m", base_url="http://h/v1", environment={})
    with pytest.raises(UnknownName, match="dialect"):
        provider_for("custom/m", base_url="http://h/v1", dialects=["chatt"], environment={})  # type: ignore[list-item]


@pytest.mark.parametrize("url", ["http://[::1", "http://h:65536/v1", "http://h:port/v1", "http://h:0/v1"])
def test_an_address_that_cannot_be_read_was_a_value_error(url: str) -> None:
    with pytest.raises(UserError, match="needs a base URL"):
        provider_for("custom/m", base_url=url, dialects=["chat"], environment={})
    assert provider_for("custom/m", base_url="http://[::1]:65535/v1", dialects=["chat"], environment={})


def test_every_provider_but_custom_is_whole() -> None:
    for name, entry in PROVIDERS.items():
        assert (name == "custom") is not bool(entry.base_url and entry.keys and entry.dialects)


def test_reading_a_tape_needs_no_server() -> None:
    program = "import sys, verifierbench.generation.gateway.tape; sys.exit('aiohttp' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
