"""The gateway's thread: one event loop and one HTTP client for all lines, one door per attempt.

A door is a listening socket that was made elsewhere, inside a cell's own network: whoever connects there speaks to
this loop, and has no other way out. A line ends with everything that is still being asked on it.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import aiohttp
from aiohttp import web

from verifierbench.core.errors import Inconsistent, InfrastructureError

from .handling import Handler
from .questions import Upstream
from .records import Calls, Terms
from .tape import Tape

_Found = TypeVar("_Found")
_LARGEST = 16 << 20
"""Bytes of a request."""
_SILENT = logging.getLogger(f"{__name__}.silent")
"""In the place of the server's own logger: what a cell sends is no news for the user's terminal."""
_SILENT.setLevel(logging.CRITICAL)
_SILENT.propagate = False
_SILENT.addHandler(logging.NullHandler())


class Gateway:
    """Serves the lines of many attempts at once; to be used as a context, or started and closed."""

    def __init__(self, *, keep_alive: float = 20.0) -> None:
        """`keep_alive`: seconds after which a client that waits for a stream hears a blank line, and again."""
        self._keep_alive = keep_alive
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._session: aiohttp.ClientSession | None = None
        self._lines: set[Line] = set()

    def start(self) -> Self:
        """Start the thread."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="model gateway", daemon=True)
        self._thread.start()
        self._session = self.run(_session())
        return self

    def open(
        self,
        door: socket.socket,
        terms: Terms,
        upstream: Upstream,
        tape: Path,
        *,
        look: Callable[[], None] | None = None,
    ) -> Line:
        """Serve one attempt on a listening socket, which is the line's from now on.

        The tape is written on where it exists, and its totals are counted. `look` is called, in a thread of its own,
        before each request is answered.
        """
        if self._session is None:
            raise Inconsistent("the gateway is not running")
        record = Tape(tape, (terms.token, *upstream.secrets))
        handler = Handler(terms, upstream, record, self._session, self._keep_alive, look)
        line = Line(self, handler, record)
        try:
            self.run(line.listen(door))
        except BaseException:
            record.close()
            raise
        self._lines.add(line)
        return line

    def close(self) -> None:
        """Close all lines and end the thread."""
        if self._loop is None or self._thread is None:
            return
        failures = []
        for line in tuple(self._lines):
            try:
                line.close()
            except InfrastructureError as error:
                failures.append(error)
        if self._session is not None:
            self.run(self._session.close())
        self.run(self._loop.shutdown_default_executor())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._loop = self._thread = self._session = None
        if failures:
            raise failures[0]

    def forget(self, line: Line) -> None:
        """A line is closed."""
        self._lines.discard(line)

    def run(self, work: Coroutine[Any, Any, _Found]) -> _Found:
        """Run work in the gateway's thread and wait for it."""
        if self._loop is None:
            work.close()
            raise Inconsistent("the gateway is not running")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class Line:
    """One attempt's way to its model."""

    def __init__(self, gateway: Gateway, handler: Handler, tape: Tape) -> None:
        self._gateway, self._handler, self._tape = gateway, handler, tape
        self._runner: web.AppRunner | None = None
        self._closing = threading.Lock()

    async def listen(self, door: socket.socket) -> None:
        """Begin to serve; the gateway's own call."""
        application = web.Application(client_max_size=_LARGEST)
        application.router.add_route("*", "/{path:.*}", self._handler.handle)
        runner = web.AppRunner(application, access_log=None, logger=_SILENT, handle_signals=False, shutdown_timeout=1.0)
        await runner.setup()
        await web.SockSite(runner, door).start()
        self._runner = runner

    def summary(self) -> Calls:
        """The totals so far."""
        return self._handler.tally.calls

    def close(self) -> Calls:
        """Serve no longer, end what is being asked, close the tape; the totals.

        Raises InfrastructureError where a request met a defect of ours.
        """
        with self._closing:
            if self._runner is not None:
                self._gateway.run(self._end(self._runner))
                self._tape.close()
                self._runner = None
                self._gateway.forget(self)
        if self._handler.failure is not None:
            raise InfrastructureError(f"the gateway failed: {self._handler.failure!r}") from self._handler.failure
        return self.summary()

    async def _end(self, runner: web.AppRunner) -> None:
        for site in tuple(runner.sites):
            await site.stop()
        await self._handler.stop()
        await runner.cleanup()


async def _session() -> aiohttp.ClientSession:
    jar = aiohttp.DummyCookieJar()  # what a provider notes of one attempt may not reach another
    waiting = aiohttp.ClientTimeout(total=None, sock_connect=30.0)
    return aiohttp.ClientSession(timeout=waiting, connector=aiohttp.TCPConnector(limit=0), cookie_jar=jar)
