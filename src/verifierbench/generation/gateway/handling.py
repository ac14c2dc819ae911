"""One request through a line: is it allowed, what is sent on, what is recorded.

Everything a client sends is suspect. What is not for the model is answered here (lists of models, counts of tokens),
and is no part of the record. An exchange is on the tape before the client has its answer. A client that waits for a
stream hears blank lines meanwhile, so that its own time-outs never end what the provider is still working on.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import math
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

import aiohttp
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from verifierbench.core.hashing import content_bytes

from .dialects import DIALECTS, Dialect, below_version, dialect_at
from .dialects.edits import Body
from .questions import Answer, Question, Upstream
from .records import Change, Ending, Exchange, Terms
from .tally import Tally
from .tape import Tape
from .telling import STREAM, models, own, told, told_in_stream

_DECLINED = 1_000
"""So many refused requests are recorded: a program in the cell may send them without end."""


@dataclass(frozen=True)
class _Arrival:
    """A request's number and when it came."""

    n: int
    at: datetime = field(default_factory=lambda: datetime.now(UTC))
    clock: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return round(time.monotonic() - self.clock, 3)


class Handler:
    """Answers the requests of one line."""

    def __init__(
        self,
        terms: Terms,
        upstream: Upstream,
        tape: Tape,
        session: aiohttp.ClientSession,
        keep_alive: float,
        look: Callable[[], None] | None,
    ) -> None:
        self.tally = Tally(terms, tape.before)
        self.failure: Exception | None = None
        """The first defect of ours that a request met."""
        self._terms, self._upstream, self._tape, self._session = terms, upstream, tape, session
        self._keep_alive, self._look = keep_alive, look
        self._dialect = DIALECTS[terms.dialect]
        self._turn: AbstractAsyncContextManager[object] = nullcontext() if terms.cost_usd is None else asyncio.Lock()
        """What a request waits for: under a limit of cost, the end of those before it."""
        self._asking: set[asyncio.Task[Answer]] = set()
        self._declined = 0
        self._stopped = False

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request, whatever it is."""
        try:
            return await self._answered(request)
        except (web.HTTPException, ConnectionError):
            raise
        except Exception as error:
            self.failure = self.failure or error
            return own(self._dialect, "the gateway failed", "outage")

    async def stop(self) -> None:
        """End what is still being asked, which is recorded as abandoned, and ask no more."""
        self._stopped = True
        asking = tuple(self._asking)
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    async def _answered(self, request: web.Request) -> web.StreamResponse:
        if request.method == "HEAD":
            return web.Response()
        if self._look is not None:
            await asyncio.get_running_loop().run_in_executor(None, self._look)
        if self._stopped:
            raise ConnectionResetError
        path = below_version(request.path)
        dialect = dialect_at(path) if request.method == "POST" else None
        if not _has_token(request, self._terms.token):
            return self._decline(dialect, path, "the token is not this run's", status=401)
        if dialect is None:
            return await self._aside(request, path)
        if dialect is not self._dialect:
            return self._decline(dialect, path, f"this run speaks {self._dialect.name}, not {dialect.name}")
        return await self._for_model(request, path)

    async def _aside(self, request: web.Request, path: str) -> web.StreamResponse:
        """What is not for the model."""
        if request.method == "GET" and (path == "models" or path.startswith("models/")):
            return web.json_response(models(self._dialect, self._terms.model, path))
        if request.method == "POST" and self._dialect.counting.fullmatch(path):
            # Four bytes to a token is near enough for what harnesses do with it, and the same in every replay.
            return web.json_response({self._dialect.counted: math.ceil(len(await _read(request)) / 4)})
        return own(self._dialect, f"there is no {request.method} {request.path} here", "refused", 404)

    async def _for_model(self, request: web.Request, path: str) -> web.StreamResponse:
        dialect, terms = self._dialect, self._terms
        body = _read_json(await _read(request))
        if body is None:
            return self._decline(dialect, path, "the request's body is no JSON object")
        model = dialect.model_of(path, body)
        if model != terms.model:
            words = f"this run is for the model {terms.model!r}; the request names {model!r}"
            return self._decline(dialect, path, words)
        used_up = self.tally.used_up(time.monotonic())
        if used_up:
            return self._decline(dialect, path, used_up, "budget")
        if self._stopped:  # while the body was read
            raise ConnectionResetError
        prepared, changes = dialect.prepare(body, terms)
        question = Question(
            dialect=dialect,
            path=path,
            query={name: request.query[name] for name in dialect.query if name in request.query},
            headers=_sent_on(dialect, request),
            body=prepared,
            deadline=terms.deadline,
            gone=lambda: request.transport is None or request.transport.is_closing(),
        )
        # Counted before anything else can run; the task ends with the line, not with the client's connection.
        arrival = _Arrival(self.tally.number())
        self.tally.let_through()
        task = asyncio.create_task(self._ask(question, changes, arrival))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return await self._waited_for(request, question, task)

    async def _waited_for(
        self, request: web.Request, question: Question, task: asyncio.Task[Answer]
    ) -> web.StreamResponse:
        await asyncio.wait({task}, timeout=self._keep_alive if question.streaming else None)
        if task.done():
            return told(question.dialect, task.result())
        response = web.StreamResponse(headers=STREAM)
        with suppress(ConnectionError):
            await response.prepare(request)
            while not task.done():
                await response.write(b"\n")
                await asyncio.wait({task}, timeout=self._keep_alive)
        answer = await asyncio.shield(task)
        with suppress(ConnectionError):
            await response.write(told_in_stream(question, answer).encode())
            await response.write_eof()
        return response

    async def _ask(self, question: Question, changes: tuple[Change, ...], arrival: _Arrival) -> Answer:
        """Ask the upstream and record what came of it, also when that is nothing."""
        answer = Answer(ended="abandoned")
        try:
            async with self._turn:
                answer = await self._in_turn(question)
        finally:
            exchange = self._exchange(question, changes, arrival, answer)
            self._tape.append(exchange)
            self.tally.settle(exchange)
        return answer

    async def _in_turn(self, question: Question) -> Answer:
        spent = self.tally.spent()
        return Answer(ended="budget", refusal=spent) if spent else await self._upstream.ask(question, self._session)

    def _exchange(self, question: Question, changes: tuple[Change, ...], arrival: _Arrival, answer: Answer) -> Exchange:
        reply, price = answer.reply, self._terms.price
        cost = reply.cost_usd if reply else None
        if reply and reply.usage and price and cost is None:
            cost = price.cost(reply.usage)
        unsent = answer.ended == "budget" and not answer.attempts
        return Exchange(
            n=arrival.n,
            started=arrival.at.isoformat(),
            seconds=arrival.seconds,
            dialect=question.dialect.name,
            path=question.path,
            streaming=question.streaming,
            request=question.body if answer.ended != "refused" and not unsent else None,
            changes=changes,
            attempts=answer.attempts,
            status=answer.status,
            content_type=answer.content_type,
            response=answer.text,
            reply=reply,
            cost_usd=cost,
            ended=answer.ended,
            refusal=answer.refusal,
        )

    def _decline(
        self, dialect: Dialect | None, path: str, words: str, ended: Ending = "refused", status: int = 400
    ) -> web.Response:
        """Refuse; what was no request for the model leaves no record."""
        self._declined += 1
        if dialect is not None and self._declined <= _DECLINED:
            arrival = _Arrival(self.tally.number())
            exchange = Exchange(
                n=arrival.n,
                started=arrival.at.isoformat(),
                seconds=arrival.seconds,
                dialect=dialect.name,
                path=path,
                streaming=False,
                request=None,
                ended=ended,
                refusal=words,
            )
            self._tape.append(exchange)
            self.tally.decline(exchange)
        return own(dialect or self._dialect, words, ended, status)


def _has_token(request: web.Request, token: str) -> bool:
    """Whether the token stands in one of the places where harnesses put a key."""
    scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
    shown = (
        bearer.strip() if scheme.lower() == "bearer" else "",
        request.headers.get("x-api-key", ""),
        request.headers.get("x-goog-api-key", ""),
        request.query.get("key", ""),
    )
    return any(hmac.compare_digest(one.encode(errors="replace"), token.encode()) for one in shown)


def _sent_on(dialect: Dialect, request: web.Request) -> dict[str, str]:
    values = {name: request.headers.get(name, usual) for name, usual in dialect.headers.items()}
    return {name: value for name, value in values.items() if value}


async def _read(request: web.Request) -> bytes:
    """The body; nothing where it is not what its own headers say."""
    try:
        return await request.read()
    except (aiohttp.ClientPayloadError, web.RequestPayloadError, HttpProcessingError):
        return b""


def _read_json(data: bytes) -> Body | None:
    """The object a body is; None where it is none, or holds what JSON cannot (NaN, infinities)."""
    try:
        body = json.loads(data)
        content_bytes(body)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None
