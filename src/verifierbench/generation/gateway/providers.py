"""The providers that can be named, and `custom` for any server that speaks one of the dialects.

A model is named `PROVIDER/MODEL`; what follows the first slash is the provider's own name for it. The key is read from
the environment here, once, and stays in the `Provider`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import get_args
from urllib.parse import urlsplit

import msgspec

from verifierbench.core.errors import Unavailable, UnknownName, UserError
from verifierbench.generation.harnesses.base import Dialect as Name

from .upstream import Provider

_DIALECTS: tuple[Name, ...] = get_args(Name)


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One provider."""

    base_url: str
    """With the version; "" where the user has to say."""
    keys: tuple[str, ...]
    """Environment variables that may hold the key, the first one first."""
    dialects: tuple[Name, ...]


PROVIDERS: Mapping[str, Entry] = {
    "openai": Entry(base_url="https://api.openai.com/v1", keys=("OPENAI_API_KEY",), dialects=("responses", "chat")),
    "anthropic": Entry(base_url="https://api.anthropic.com/v1", keys=("ANTHROPIC_API_KEY",), dialects=("messages",)),
    "google": Entry(
        base_url="https://generativelanguage.googleapis.com/v1beta",
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        dialects=("gemini",),
    ),
    "openrouter": Entry(base_url="https://openrouter.ai/api/v1", keys=("OPENROUTER_API_KEY",), dialects=("chat",)),
    "custom": Entry(base_url="", keys=(), dialects=()),
}


def provider_for(
    name: str,
    *,
    base_url: str | None = None,
    dialects: Iterable[Name] = (),
    key_variable: str | None = None,
    environment: Mapping[str, str] = os.environ,
) -> tuple[Provider, str]:
    """The provider of `PROVIDER/MODEL`, and its own name of the model.

    `base_url`, `dialects` and `key_variable` take the place of what the table says; `custom` needs the first two, and
    has no key unless a variable is named. Raises UserError, UnknownName, or Unavailable where the key is missing.
    """
    provider, _, model = name.partition("/")
    if not model:
        raise UserError(f"a model is named PROVIDER/MODEL, not {name!r}; providers: {', '.join(PROVIDERS)}")
    entry = PROVIDERS.get(provider)
    if entry is None:
        raise UnknownName("provider", provider, tuple(PROVIDERS))
    spoken = tuple(dialects) or entry.dialects
    for dialect in spoken:
        if dialect not in _DIALECTS:
            raise UnknownName("dialect", dialect, _DIALECTS)
    key = _key(provider, (key_variable,) if key_variable else entry.keys, environment)
    address = _address(provider, base_url or entry.base_url)
    if not spoken:
        raise UserError(f"the provider {provider!r} needs a dialect: one of {', '.join(_DIALECTS)}")
    return Provider(address, key, spoken), model


def _key(provider: str, variables: tuple[str, ...], environment: Mapping[str, str]) -> str | None:
    key = next((environment[name].strip() for name in variables if environment.get(name, "").strip()), None)
    if variables and key is None:
        raise Unavailable(f"no key for the provider {provider!r}: put it into the variable {' or '.join(variables)}")
    return key


def _address(provider: str, base_url: str) -> str:
    if not _is_address(base_url):
        said = f"{base_url!r} is none" if base_url else "none was given"
        raise UserError(
            f"the provider {provider!r} needs a base URL with its version, such as http://localhost:8000/v1; {said}"
        )
    return base_url


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port  # read for its check: a number up to 65535
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query and port != 0
