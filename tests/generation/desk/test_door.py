"""The desk's socket against whoever is at the other end."""

from __future__ import annotations

import http.client
import json
import random
import socket
import threading
import time

import pytest

from verifierbench.generation.desk import door as module
from verifierbench.generation.desk.door import LARGEST_BODY, Door


@pytest.fixture
def served():
    asked = []

    def answer(tool, body):
        asked.append((tool, body))
        return 0, {"tool": tool, "said": "é\ud800"}

    listening = socket.create_server(("127.0.0.1", 0))
    door = Door(listening, answer)
    yield listening.getsockname()[1], asked, door
    door.close()
    assert listening.fileno() == -1


def post(port, path, body=b"", headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", path, body, headers or {})
    response = connection.getresponse()
    said = response.status, json.loads(response.read())
    connection.close()
    return said


def raw(port, data, shut=True):
    with socket.create_connection(("127.0.0.1", port), timeout=20) as plug:
        said = b""
        try:
            plug.sendall(data)
            if shut:
                plug.shutdown(socket.SHUT_WR)
            while part := plug.recv(1 << 16):
                said += part
        except OSError:  # it was hung up on, before or while it spoke
            pass
        return said


def test_a_post_is_answered(served):
    port, asked, _ = served
    assert post(port, "/submit", b"{}") == (200, {"exit": 0, "answer": {"tool": "submit", "said": "é\ud800"}})
    assert asked == [("submit", b"{}")]


def test_garbage_is_answered_and_forgotten(served):
    port, asked, _ = served
    junk = random.Random(3)
    for size in (0, 1, 10, 1_000, 100_000):
        raw(port, junk.randbytes(size))
    for data in (
        b"GET / HTTP/1.1\r\n\r\n",
        b"POST\r\n\r\n",
        b"X" * 70_000,
        b"GET /\r\n",
        b"POST /submit HTTP/9.9\r\n\r\n",
    ):
        assert b'"exit": 2' in raw(port, data), data
    assert asked == []
    assert post(port, "/submit")[0] == 200


@pytest.mark.parametrize(
    ("length", "status"),
    [(None, 411), ("-1", 411), ("x", 411), ("1e3", 411), ("٣", 411), ("9" * 30, 411), (str(LARGEST_BODY + 1), 413)],
)
def test_a_body_says_its_size(served, length, status):
    port, asked, _ = served
    head = "POST /submit HTTP/1.1\r\n" + ("" if length is None else f"Content-Length: {length}\r\n") + "\r\n"
    assert f" {status} ".encode() in raw(port, head.encode()).split(b"\r\n")[0]
    assert asked == []


def test_a_body_that_ends_early_is_no_request(served):
    port, asked, _ = served
    assert raw(port, b"POST /submit HTTP/1.1\r\nContent-Length: 10\r\n\r\nshort") == b""
    assert asked == []


def test_the_largest_body_is_taken(served):
    port, asked, _ = served
    assert post(port, "/selftest", b"x" * LARGEST_BODY)[0] == 200
    assert len(asked[0][1]) == LARGEST_BODY


def test_the_silent_are_dropped(served, monkeypatch):
    monkeypatch.setattr(module._Handler, "timeout", 0.2)
    start = time.monotonic()
    assert raw(served[0], b"POST /submit HTTP/1.1\r\n", shut=False) == b""
    assert time.monotonic() - start < 15


def test_only_so_many_are_held_and_the_rest_may_come_again(served, monkeypatch):
    monkeypatch.setattr(module, "_AT_ONCE", 3)
    port = served[0]
    held = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
    for one in held:
        one.sendall(b"POST")
    while len(served[2]._server._held) < 3:
        time.sleep(0.01)
    assert raw(port, b"POST /submit HTTP/1.1\r\nContent-Length: 0\r\n\r\n") == b""
    for one in held:
        one.close()
    while served[2]._server._held:
        time.sleep(0.01)
    assert post(port, "/submit")[0] == 200


def test_closing_wakes_whoever_waits():
    listening = socket.create_server(("127.0.0.1", 0))
    before = threading.active_count()
    door = Door(listening, lambda tool, body: (0, None))
    port = listening.getsockname()[1]
    held = [socket.create_connection(("127.0.0.1", port)) for _ in range(5)]
    while len(door._server._held) < 5:
        time.sleep(0.01)
    start = time.monotonic()
    door.close()
    assert time.monotonic() - start < 10
    assert threading.active_count() == before
    for one in held:
        assert one.recv(1) == b""
        one.close()
