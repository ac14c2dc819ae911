"""Whether an environment says the same thing twice.

A verdict can rest only on what every verifier would be told. A request whose repeated runs differ is quarantined: its
evidence is dropped and never kept again, and the task whose reference asks it fails the repeatability check.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from verifierbench.core import JSON, Environment, content_bytes

from .cache import Evidence, EvidenceCache
from .cached import canonical, observe


class Quarantined(msgspec.Struct, frozen=True, kw_only=True):
    """A request and what it was answered, run by run."""

    key: str
    request: Any
    answers: tuple[Evidence, ...]


def quarantine(
    cache: EvidenceCache, environment: Environment, requests: Iterable[JSON], repeats: int = 2
) -> tuple[Quarantined, ...]:
    """Execute each request `repeats` times, past the cache, and quarantine those whose answers differ."""
    found = []
    for request in map(canonical, requests):
        answers = tuple(observe(environment, request) for _ in range(repeats))
        if len({_bytes(answer) for answer in answers}) > 1:
            key = cache.key(environment.version, request)
            cache.quarantine(key, environment.version, [msgspec.to_builtins(answer) for answer in answers])
            found.append(Quarantined(key=key, request=request, answers=answers))
    return tuple(found)


def _bytes(evidence: Evidence) -> bytes:
    return content_bytes([evidence.refused, evidence.answer])
