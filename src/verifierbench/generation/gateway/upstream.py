"""A provider, asked until it has answered whole.

Nothing of a response is handed on before all of it is there: a stream that breaks off can then be asked for again, and
a harness that would give up on it (some do) never sees it. Waiting is bounded three ways: for the response to begin,
for its next piece, and by the attempt's own end. An error inside a stream is judged like any other error.

What a client is told of an outage repeats nothing of the provider's words: harnesses look in them for a reason to wait
or to compact. The words are in the record.
"""

from __future__ import annotations

import asyncio
import io
import random
import time
import urllib.request
from collections.abc import Awaitable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TypeVar
from urllib.parse import quote, urlencode, urlsplit

import aiohttp
from yarl import URL

from verifierbench.core.hashing import content_bytes
from verifierbench.generation.harnesses.base import Dialect as Name

from .dialects import Dialect
from .faults import Cut, Failure, failure_of
from .questions import Answer, Question, Upstream
from .records import TIME_USED, Attempt, Ending, Reply
from .replay import Replay

__all__ = ["Provider", "Replay", "Upstream"]

_Found = TypeVar("_Found")

_LARGEST = 64 << 20
"""Bytes of a response that are read."""


class Provider:
    """A real provider, or any server that speaks a dialect of one.

    `base_url` ends with the version (`https://api.openai.com/v1`). Times are seconds. The wait before another attempt
    is `first_wait` doubled each time up to `longest_wait`, give or take half, and never shorter than what the
    provider asks for.
    """

    def __init__(
        self,
        base_url: str,
        key: str | None,
        dialects: Iterable[Name],
        *,
        attempts: int = 10,
        header_seconds: float = 300.0,
        unstreamed_seconds: float = 900.0,
        idle_seconds: float = 300.0,
        first_wait: float = 1.0,
        longest_wait: float = 60.0,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.dialects = tuple(dialects)
        self._key = key
        self._attempts = attempts
        self._header_seconds, self._unstreamed_seconds = header_seconds, unstreamed_seconds
        self._idle_seconds = idle_seconds
        self._first_wait, self._longest_wait = first_wait, longest_wait

    @property
    def secrets(self) -> tuple[str, ...]:
        """The key."""
        return (self._key,) if self._key else ()

    async def ask(self, question: Question, session: aiohttp.ClientSession) -> Answer:
        """Ask until there is an answer, an error that stays, or no attempt or no time left."""
        attempts: list[Attempt] = []
        while True:
            started = time.monotonic()
            try:
                async with asyncio.timeout(max(0.0, question.deadline - started)):
                    heard = await self._once(question, session)
            except TimeoutError:
                took = round(time.monotonic() - started, 3)
                attempts.append(Attempt(status=None, seconds=took, problem="the run's time ended"))
                return Answer(ended="budget", attempts=tuple(attempts), refusal=TIME_USED)
            judged = _judged(question.dialect, heard)
            attempts.append(Attempt(status=heard.status, seconds=round(heard.seconds, 3), problem=judged.problem))
            if judged.ended:
                refusal = "The provider's account can pay for no more." if judged.ended == "outage" else None
                return self._answer(heard, judged.ended, attempts, judged.reply, refusal)
            wait = max(self._backoff(len(attempts)), heard.retry_after)
            if len(attempts) >= self._attempts or time.monotonic() + wait >= question.deadline:
                words = f"No answer came from the provider in {len(attempts)} attempts."
                return self._answer(heard, "outage", attempts, refusal=words)
            await asyncio.sleep(wait)
            if question.gone():
                return self._answer(heard, "abandoned", attempts)

    def _backoff(self, made: int) -> float:
        doubled = self._first_wait * 2.0 ** min(made - 1, 30)
        return min(doubled, self._longest_wait) * random.uniform(0.5, 1.5)  # noqa: S311  # spreads retries

    def _answer(
        self,
        heard: _Heard,
        ended: Ending,
        attempts: list[Attempt],
        reply: Reply | None = None,
        refusal: str | None = None,
    ) -> Answer:
        return Answer(
            ended=ended,
            status=heard.status,
            content_type=heard.content_type,
            text=heard.text,
            reply=reply,
            attempts=tuple(attempts),
            refusal=refusal,
        )

    async def _once(self, question: Question, session: aiohttp.ClientSession) -> _Heard:
        started = time.monotonic()
        heard = _Heard()
        try:
            await self._listen(question, session, heard)
        except TimeoutError as error:
            heard.problem = str(error) or "no connection within 30 s"
        except (aiohttp.ClientError, OSError, ValueError) as error:
            heard.problem = f"{type(error).__name__}: {error}"[:300]
        heard.problem = self._blotted(heard.problem)
        heard.text = self._blotted(heard.data.decode(errors="replace"))
        heard.seconds = time.monotonic() - started
        return heard

    async def _listen(self, question: Question, session: aiohttp.ClientSession, heard: _Heard) -> None:
        url = self._url(question)
        patience = self._header_seconds if question.streaming else self._unstreamed_seconds
        asking = session.post(
            url,
            data=io.BytesIO(content_bytes(question.body)),  # plain bytes of more than 1 MiB are warned of
            headers=self._headers(question),
            proxy=_proxy(url),
            allow_redirects=False,  # a key goes to the address it is for
        )
        response = await _within(patience, asking, f"no response within {patience:g} s")
        try:
            heard.begun(response)
            quiet = f"silence for {self._idle_seconds:g} s within the response"
            while piece := await _within(self._idle_seconds, response.content.readany(), quiet):
                heard.data += piece
                if len(heard.data) > _LARGEST:
                    raise ValueError("the response has more than 64 MiB")
        finally:
            response.close()

    def _url(self, question: Question) -> URL:
        query = f"?{urlencode(question.query)}" if question.query else ""
        return URL(f"{self.base_url}/{quote(question.path, safe='/:')}{query}", encoded=True)

    def _headers(self, question: Question) -> dict[str, str]:
        name, scheme = question.dialect.key_header
        key = {name: scheme + self._key} if self._key else {}
        return {**question.headers, "Content-Type": "application/json", **key}

    def _blotted(self, text: str) -> str:
        # A provider may repeat the key it refuses: it stays on this side even then.
        return text.replace(self._key, "[withheld]") if self._key and len(self._key) >= 8 else text


class _Heard:
    """What one attempt brought."""

    def __init__(self) -> None:
        self.status: int | None = None
        self.content_type, self.text, self.problem = "", "", ""
        self.data = bytearray()
        self.retry_after = self.seconds = 0.0

    def begun(self, response: aiohttp.ClientResponse) -> None:
        """The headers are there."""
        self.status = response.status
        self.content_type = response.headers.get("Content-Type", "")
        self.retry_after = _retry_after(response.headers)


@dataclass(frozen=True, kw_only=True)
class _Judged:
    ended: Ending | None = None
    """None: try again."""
    reply: Reply | None = None
    problem: str | None = None


def _judged(dialect: Dialect, heard: _Heard) -> _Judged:
    """What an attempt is worth."""
    if heard.status is None or heard.problem:
        return _Judged(problem=heard.problem or "no response")
    if heard.status == 200:
        try:
            reply = dialect.read(heard.text)
        except Cut:
            return _Judged(problem="the response was cut")
        except Failure as told:
            failure = told
        else:
            return _Judged(ended=reply.finish, reply=reply)
    else:
        failure = failure_of(heard.status, heard.text)
    problem = f"{failure.status}: {failure.words}"[:300]
    ended: Ending = "overflow" if failure.overflow else "outage" if failure.unpaid else "rejected"
    return _Judged(ended=None if failure.transient else ended, problem=problem)


async def _within(seconds: float, waiting: Awaitable[_Found], words: str) -> _Found:
    """Wait so long; then TimeoutError with these words. The attempt's own time-out passes through untouched."""
    try:
        async with asyncio.timeout(seconds) as limit:
            return await waiting
    except TimeoutError:
        if limit.expired():
            raise TimeoutError(words) from None
        raise


def _retry_after(headers: Mapping[str, str]) -> float:
    """Seconds that a provider asks to wait; 0 where it does not."""
    seconds = headers.get("Retry-After", "")
    for given, unit in ((headers.get("retry-after-ms", ""), 1000), (seconds, 1)):
        with suppress(ValueError):
            return max(0.0, float(given) / unit)
    with suppress(ValueError, OverflowError):
        return max(0.0, parsedate_to_datetime(seconds).timestamp() - time.time())
    return 0.0


def _proxy(url: URL) -> str | None:
    """The proxy that the environment names for an address; the client's own way would send a netrc password too."""
    host = urlsplit(str(url)).hostname or ""
    return None if urllib.request.proxy_bypass(host) else urllib.request.getproxies().get(url.scheme)
