"""The desk's HTTP server: a socket that listens already, a POST per request, JSON both ways.

Whoever is at the other end is a stranger. Only so many connections are held at once, a body has a size that is told
beforehand, a reader who falls silent is dropped, and what is no request is answered with an error and forgotten.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

__all__ = ["LARGEST_BODY", "Answer", "Door"]

LARGEST_BODY = 4 << 20
"""Bytes of one request."""
_AT_ONCE = 64
_SILENCE_SECONDS = 30.0
_BAD_INPUT = 2

Answer: TypeAlias = tuple[int, Any]
"""The tool's exit status, and what it prints, as JSON."""


class Door:
    """Serves one socket until `close`; `answer(tool, body)` is called from many threads, and may not raise."""

    def __init__(self, listening: socket.socket, answer: Callable[[str, bytes], Answer]) -> None:
        self._server = _Server(listening, answer)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), name="verifierbench-desk", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """Stop listening, drop every connection and wait for the threads."""
        self._server.shutdown()
        self._thread.join()
        self._server.drop()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True

    def __init__(self, listening: socket.socket, answer: Callable[[str, bytes], Answer]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler, bind_and_activate=False)
        self.socket.close()
        # A connection may be gone between the kernel's word and `accept`, which must not wait then.
        listening.setblocking(False)
        self.socket, self.answer = listening, answer
        self._lock, self._held = threading.Lock(), set[socket.socket]()

    def verify_request(self, request: Any, client_address: Any) -> bool:  # noqa: ARG002  # the base class's signature
        """Hold a connection, unless too many are held."""
        with self._lock:
            if len(self._held) >= _AT_ONCE:
                return False
            self._held.add(request)
            return True

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._held.discard(request)
        super().shutdown_request(request)

    def drop(self) -> None:
        """End every connection: whoever reads from one wakes up."""
        with self._lock:
            for held in self._held:
                try:
                    held.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a connection broke, which is the other end's business."""


class _Handler(BaseHTTPRequestHandler):
    timeout = _SILENCE_SECONDS
    server: _Server

    def do_POST(self) -> None:
        """Serve one tool."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 20):
            self._say(411, _complaint("a request says its length"))
        elif int(length) > LARGEST_BODY:
            self._say(413, _complaint(f"a request has at most {LARGEST_BODY:,} bytes; this one has {int(length):,}"))
        else:
            body = self.rfile.read(int(length))
            if len(body) == int(length):
                self._say(200, self.server.answer(self.path.removeprefix("/"), body))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Answer what is no request in the form that every other answer has."""
        self._say(code, _complaint(message or "this is not what the tools send"))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class's name
        """Say nothing: the desk keeps the record."""

    def _say(self, status: int, answer: Answer) -> None:
        said = json.dumps({"exit": answer[0], "answer": answer[1]}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(said)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(said)

    def version_string(self) -> str:
        """Name no software."""
        return "desk"


def _complaint(says: str) -> Answer:
    return _BAD_INPUT, {"error": says}
