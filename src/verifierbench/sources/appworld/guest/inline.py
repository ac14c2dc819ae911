"""Upstream's web application called in this thread: no server, no event loop, no thread pool.

Upstream calls its APIs through a test client that keeps a thread with an event loop. A fork has neither, and needs
neither: endpoints are plain functions, so the whole request runs through without ever waiting, once what would hand
it to another thread calls it here instead.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple


class Response(NamedTuple):
    """What an API answered."""

    status_code: int
    text: str

    def json(self) -> Any:
        """The body; raises `json.JSONDecodeError` as upstream's client does."""
        return json.loads(self.text)


class Client:
    """Meets what upstream's requester asks of its test client."""

    def __init__(self, application: Callable[..., Any]) -> None:
        self._application = application
        self._request: Any = importlib.import_module("httpx").Request

    def get(self, url: str, **parts: Any) -> Response:
        """GET."""
        return self._called("GET", url, parts)

    def post(self, url: str, **parts: Any) -> Response:
        """POST."""
        return self._called("POST", url, parts)

    def put(self, url: str, **parts: Any) -> Response:
        """PUT."""
        return self._called("PUT", url, parts)

    def patch(self, url: str, **parts: Any) -> Response:
        """PATCH."""
        return self._called("PATCH", url, parts)

    def delete(self, url: str, **parts: Any) -> Response:
        """DELETE."""
        return self._called("DELETE", url, parts)

    def _called(self, method: str, url: str, parts: dict[str, Any]) -> Response:
        request = self._request(method, f"http://testserver/{url.lstrip('/')}", **parts)
        sent: list[dict[str, Any]] = []
        unread = [{"type": "http.request", "body": request.read(), "more_body": False}]

        async def receive() -> dict[str, Any]:
            return unread.pop() if unread else {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        _run(self._application(_scope(request), receive, send))
        status = next(message["status"] for message in sent if message["type"] == "http.response.start")
        body = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
        return Response(status, body.decode())


def call_in_this_thread() -> None:
    """Have every endpoint and dependency called where it stands; to be done before anything of upstream is imported."""
    vars(importlib.import_module("anyio.to_thread"))["run_sync"] = _here


async def _here(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:  # noqa: ARG001  # of threads
    return function(*arguments)


def _run(coroutine: Coroutine[Any, Any, None]) -> None:
    """Drive a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    coroutine.close()
    raise RuntimeError("an API waits for something, and nothing else runs here")


def _scope(request: Any) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": request.url.path,
        "raw_path": request.url.raw_path.partition(b"?")[0],
        "root_path": "",
        "query_string": request.url.query,
        "headers": [(key.lower(), value) for key, value in request.headers.raw],
        "client": ("testclient", 50000),
        "server": ("testserver", 80),
        "state": {},
    }
