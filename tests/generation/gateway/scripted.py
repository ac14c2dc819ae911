"""A provider over a real socket that does what a script says: answers, errors, silence, streams that break off."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web


@dataclass(frozen=True)
class Step:
    """One answer. The last one of a script is repeated."""

    body: str | bytes = ""
    status: int = 200
    content_type: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict)
    before: float = 0.0
    """Seconds of silence before the headers."""
    amid: float = 0.0
    """Seconds of silence after half the body."""
    cut: bool = False
    """Close the connection after half the body."""


@dataclass(frozen=True)
class Heard:
    path: str
    headers: Mapping[str, str]
    body: Any


class ScriptedProvider:
    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps, self.heard = list(steps), list[Heard]()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self) -> Self:
        self._thread.start()
        door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{door.getsockname()[1]}/v1"
        asyncio.run_coroutine_threadsafe(self._serve(door), self._loop).result()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _serve(self, door: socket.socket) -> None:
        application = web.Application(client_max_size=1 << 26)
        application.router.add_route("*", "/{path:.*}", self._answer)
        self._runner = web.AppRunner(application, access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.SockSite(self._runner, door).start()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        data = await request.read()
        self.heard.append(Heard(request.path_qs, dict(request.headers), json.loads(data)))
        step = self.steps[min(len(self.heard), len(self.steps)) - 1]
        await asyncio.sleep(step.before)
        response = web.StreamResponse(status=step.status, headers={"Content-Type": step.content_type, **step.headers})
        await response.prepare(request)
        body = step.body.encode() if isinstance(step.body, str) else step.body
        half = len(body) // 2
        await response.write(body[:half])
        await asyncio.sleep(step.amid)
        if step.cut:
            assert request.transport is not None
            request.transport.close()
            return response
        await response.write(body[half:])
        await response.write_eof()
        return response
