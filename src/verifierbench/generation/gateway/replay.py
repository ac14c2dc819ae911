"""The tape of an earlier attempt in a provider's place: the same answers, and no network at all."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import aiohttp

from verifierbench.generation.harnesses.base import Dialect as Name

from . import tape
from .dialects import DIALECTS, tool_results
from .questions import Answer, Question
from .records import Exchange


class Replay:
    """The recorded answers in the order of their questions; refuses where a question is another than the recorded."""

    def __init__(self, recorded: Path) -> None:
        exchanges = sorted(tape.read(recorded), key=lambda exchange: exchange.n)
        # Whoever abandoned a request asked again, or never learned what came of it.
        self._left = [one for one in exchanges if one.request is not None and one.ended != "abandoned"]
        self._asked = 0

    @property
    def dialects(self) -> tuple[Name, ...]:
        """What was spoken."""
        return tuple(dict.fromkeys(exchange.dialect for exchange in self._left))

    @property
    def secrets(self) -> tuple[str, ...]:
        """None: a tape holds none."""
        return ()

    async def ask(self, question: Question, session: aiohttp.ClientSession) -> Answer:  # noqa: ARG002  # no provider
        """The next recorded answer."""
        self._asked += 1
        if not self._left:
            return _mismatch(f"replay: the record ends before request {self._asked}")
        at_once = _asked_at_once(self._left)
        fits = (one for one in at_once if not _difference(question, one))
        recorded = next(fits, None)
        if recorded is None:
            differs = _difference(question, at_once[0])
            return _mismatch(f"replay: request {self._asked} is not the recorded one: {differs}")
        self._left.remove(recorded)
        return Answer(
            ended=recorded.ended,
            status=recorded.status,
            content_type=recorded.content_type,
            text=recorded.response,
            reply=recorded.reply,
            attempts=recorded.attempts,
            refusal=recorded.refusal,
        )


def _asked_at_once(left: list[Exchange]) -> list[Exchange]:
    """The next exchange and those that began before it was over: their order is chance."""
    over = datetime.fromisoformat(left[0].started) + timedelta(seconds=left[0].seconds)
    return [one for one in left if one is left[0] or datetime.fromisoformat(one.started) < over]


def _mismatch(words: str) -> Answer:
    return Answer(ended="refused", refusal=words)


def _difference(question: Question, recorded: Exchange) -> str:
    dialect = DIALECTS[recorded.dialect]
    pairs = (
        ("dialect", question.dialect.name, recorded.dialect),
        ("model", question.model, dialect.model_of(recorded.path, recorded.request)),
        ("path", question.path, recorded.path),
        ("streaming", question.streaming, recorded.streaming),
        ("tool results", tool_results(question.dialect, question.body), tool_results(dialect, recorded.request)),
    )
    return ", ".join(f"{name} {now!r} and not {then!r}" for name, now, then in pairs if now != then)
