"""The HTTP side: scripts and faults by URL, what was received, and streams that may be cut or fall silent."""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType
from typing import Any, Self

from .answers import answer
from .dialects import DIALECTS, dialect_of, elsewhere
from .faults import Fault
from .records import DEFAULT, Answer, Received, Script

_URL = re.compile(r"((?:/as/([\w.~-]+))?(?:/fault/([\w.@-]+))?)(/.*)")
_NEARLY_FULL = 990_000


class ScriptedServer:
    """Serves from the moment it is made; a context manager."""

    def __init__(self, scripts: Mapping[str, Script] | None = None, *, port: int = 0) -> None:
        self.scripts: dict[str, Script] = {"default": DEFAULT, **(scripts or {})}
        self.received: list[Received] = []
        self.fired: Counter[str] = Counter()
        """How often a fault did, by the beginning of the URL."""
        self.closing = threading.Event()
        self.lock = threading.Lock()
        self._http = _Http(("127.0.0.1", port), _Handler)
        self._http.scripted = self
        self.port: int = self._http.server_port
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends what hangs."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()

    def url(self, script: str | None = None, fault: str | None = None) -> str:
        """A base URL; the provider's own path (`/v1/messages`) follows."""
        path = (f"/as/{script}" if script else "") + (f"/fault/{fault}" if fault else "")
        return f"http://127.0.0.1:{self.port}{path}"

    def asked(self, dialect: str | None = None) -> list[Received]:
        """The requests to a model, those of one dialect if it is given."""
        return [it for it in self.received if it.dialect and dialect in (None, it.dialect)]

    def script_for(self, name: str | None, body: Any) -> Script:
        """The one named in the URL; else the first whose name occurs in the request; else the default."""
        if name is not None:
            return self.scripts[name]
        text = json.dumps(body)
        return next((it for word, it in self.scripts.items() if word != "default" and word in text), self._default)

    @property
    def _default(self) -> Script:
        return self.scripts["default"]


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    scripted: ScriptedServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is what harnesses do when they are killed."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def log_message(self, *_: Any) -> None:
        """Says nothing."""

    def do_GET(self) -> None:
        self._serve()

    def do_HEAD(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        body = self._read()
        base, script, written, rest = _URL.fullmatch(self.path).groups()  # type: ignore[union-attr]
        path = rest.partition("?")[0]
        name = dialect_of(self.command, path)
        if name is None:
            status, said = elsewhere(self.command, path, body)
            self._record(rest, script, written, None, body, 0, False, "elsewhere")
            self._json(status, said)
            return
        dialect = DIALECTS[name]
        results, tools = dialect.results(body), dialect.tools(body)
        fault = self._fault(base, written, len(results), tools)
        reply = answer(self.server.scripted.script_for(script, body), body, tools, dialect.last_words(body), results)
        how = fault.kind if fault else "call" if reply.tool else "text"
        self._record(rest, script, written, name, body, len(results), dialect.streaming(path, body), how)
        self._answer(dialect, path, body, reply, fault)

    def _fault(self, base: str, written: str | None, turn: int, tools: Any) -> Fault | None:
        if written is None:
            return None
        scripted, fault = self.server.scripted, Fault.parse(written)
        with scripted.lock:
            if not fault.fires(turn, tools=bool(tools), fired=scripted.fired[base]):
                return None
            scripted.fired[base] += 1
        return fault

    def _answer(self, dialect: ModuleType, path: str, body: Any, reply: Answer, fault: Fault | None) -> None:
        kind = fault.kind if fault else ""
        if fault and fault.status:
            self._json(fault.status, dialect.error(fault.status), {"retry-after": "1"} if fault.status == 429 else {})
        elif kind == "overflow":
            self._json(*dialect.overflow())
        elif kind == "hang":
            self._wait()
        elif kind in ("stall", "cut"):
            self._begin(dialect, path, body, reply)
            if kind == "stall":
                self._wait()
            self.close_connection = True
        elif dialect.streaming(path, body):
            self._stream(dialect.events(path, body, _bent(reply, kind)))
        else:
            self._json(200, dialect.whole(path, body, _bent(reply, kind)))

    def _begin(self, dialect: ModuleType, path: str, body: Any, reply: Answer) -> None:
        """The first part of an answer, and nothing that ends it."""
        if dialect.streaming(path, body):
            self._headers(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked"})
            events = dialect.events(path, body, reply)
            for event in events[: max(1, len(events) // 2)]:
                self._chunk(event)
        else:
            data = json.dumps(dialect.whole(path, body, reply)).encode()
            self._headers(200, {"content-type": "application/json", "content-length": str(len(data))})
            self.wfile.write(data[: len(data) // 2])
        self.wfile.flush()

    def _stream(self, events: list[str]) -> None:
        self._headers(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked"})
        for event in events:
            self._chunk(event)
        self.wfile.write(b"0\r\n\r\n")

    def _json(self, status: int, said: Any, headers: Mapping[str, str] | None = None) -> None:
        data = json.dumps(said).encode()
        self._headers(status, {"content-type": "application/json", "content-length": str(len(data)), **(headers or {})})
        if self.command != "HEAD":
            self.wfile.write(data)

    def _headers(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _wait(self) -> None:
        """Until the server closes or the client has gone; sends nothing."""
        self.connection.settimeout(0.1)
        while not self.server.scripted.closing.is_set():
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
        self.close_connection = True

    def _read(self) -> Any:
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            raw = b"".join(iter(self._read_chunk, b""))
        else:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        return json.loads(raw) if raw else {}

    def _read_chunk(self) -> bytes:
        data = self.rfile.read(int(self.rfile.readline().partition(b";")[0], 16))
        self.rfile.readline()
        return data

    def _record(
        self,
        path: str,
        script: str | None,
        fault: str | None,
        dialect: str | None,
        body: Any,
        turn: int,
        streaming: bool,
        answered: str,
    ) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        it = Received(self.command, path, script, fault or "", dialect, headers, body, turn, streaming, answered)
        with self.server.scripted.lock:
            self.server.scripted.received.append(it)


def _bent(reply: Answer, kind: str) -> Answer:
    """An answer as a fault makes it."""
    if kind == "truncated":
        return Answer("This answer is cut off in the mid", cut=True)
    if kind == "empty":
        return Answer()
    if kind == "full":
        return replace(reply, tokens={**reply.tokens, "input": _NEARLY_FULL})
    if kind == "truncated-call":
        return replace(reply, arguments=reply.arguments[: len(reply.arguments) // 2], cut=True)
    if kind == "broken-call":
        return replace(reply, arguments=reply.arguments[: len(reply.arguments) // 2])
    if kind == "unknown-tool" and reply.tool:
        return replace(reply, tool="no_such_tool", arguments="{}", kind="function")
    return reply
