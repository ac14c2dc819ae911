"""What is asked upstream and what comes back, whoever answers there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import aiohttp

from .dialects import Dialect
from .dialects.edits import Body
from .records import Attempt, Ending, Reply


@dataclass(frozen=True, kw_only=True)
class Question:
    """One request as it goes on."""

    dialect: Dialect
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Body
    deadline: float
    gone: Callable[[], bool] = field(default=lambda: False)
    """Whether nobody waits for the answer any more: then it is not asked again."""

    @property
    def streaming(self) -> bool:
        """Whether a stream is asked for."""
        return self.dialect.streaming(self.path, self.body)

    @property
    def model(self) -> str:
        """The model's name."""
        return self.dialect.model_of(self.path, self.body)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came of a question; `refusal` is what the client is told in place of `text`."""

    ended: Ending
    status: int | None = None
    content_type: str = ""
    text: str = ""
    reply: Reply | None = None
    attempts: tuple[Attempt, ...] = ()
    refusal: str | None = None


class Upstream(Protocol):
    """Answers questions; used by one event loop at a time."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """What may stand in no record."""

    async def ask(self, question: Question, session: aiohttp.ClientSession) -> Answer:
        """The answer; raises nothing that a provider or the network could cause."""
