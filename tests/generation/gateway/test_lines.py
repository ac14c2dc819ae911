"""Requests through a real line to a scripted provider: what passes, what is refused, what is tried again."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests

from verifierbench.generation.gateway import Calls, Price, ToolCall, Usage, tape
from verifierbench.generation.gateway.upstream import Replay

from . import voices
from .conftest import KEY, TOKEN, Setting
from .scripted import Step

Make = Callable[..., Setting]


def said(dialect: str, streaming: bool, kind: str = "answered", **more: Any) -> Step:
    content_type = "text/event-stream" if streaming else "application/json"
    return Step(voices.answer(dialect, streaming, kind), content_type=content_type, **more)


def error(dialect: str, status: int, **more: Any) -> Step:
    return Step(voices.busy(dialect, status), status=status, content_type="application/json", **more)


@pytest.mark.parametrize("kind", ["answered", "tools", "truncated"])
def test_the_providers_own_bytes_reach_the_client(setting: Make, dialect: str, streaming: bool, kind: str) -> None:
    step = said(dialect, streaming, kind)
    line = setting(dialect, [step], price=Price(input=3.0, cached=0.3, output=15.0))
    answer = line.ask(streaming)
    assert (answer.status_code, answer.text) == (200, step.body)
    assert answer.headers["Content-Type"] == step.content_type
    (exchange,) = line.exchanges
    assert exchange.reply is not None
    assert (exchange.ended, exchange.response, exchange.reply.finish) == (kind, step.body, kind)
    assert (exchange.reply.text, exchange.reply.reasoning) == (voices._said(kind), "hm")
    (call,) = exchange.reply.calls or (None,)
    if kind == "tools":
        assert call is not None
        assert (call.name, json.loads(call.arguments)) == ("shell", {"command": "ls"})
        assert call.id == ("shell" if dialect == "gemini" else "c1")
    else:
        assert call is None
    reasoning, made = (0 if dialect == "messages" else 7), (100 if dialect == "messages" else 0)
    assert exchange.reply.usage == Usage(input=1200, cached=200, written=made, output=57, reasoning=reasoning)
    # 1000 × 3 + 200 × 0.3 + 57 × 15 = 3915 millionths of a dollar
    assert exchange.cost_usd == pytest.approx(0.003915)
    assert line.line.summary() == Calls(
        answered=1,
        requests=1,
        input=1200,
        cached=200,
        output=57,
        reasoning=reasoning,
        cost_usd=exchange.cost_usd,
        ended=kind,
    )
    assert exchange.request == line.provider.heard[0].body


def test_the_key_goes_to_the_provider_and_the_token_does_not(setting: Make, dialect: str) -> None:
    line = setting(dialect, [said(dialect, True)])
    line.ask(True)
    (heard,) = line.provider.heard
    name, value = {
        "chat": ("Authorization", f"Bearer {KEY}"),
        "responses": ("Authorization", f"Bearer {KEY}"),
        "messages": ("x-api-key", KEY),
        "gemini": ("x-goog-api-key", KEY),
    }[dialect]
    assert heard.headers[name] == value
    assert TOKEN not in str(heard)
    assert (
        heard.path
        == {
            "chat": "/v1/chat/completions",
            "responses": "/v1/responses",
            "messages": "/v1/messages",
            "gemini": "/v1/models/model-1:streamGenerateContent?alt=sse",
        }[dialect]
    )


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ({"Authorization": f"Bearer {TOKEN}"}, ""),
        ({"x-api-key": TOKEN}, ""),
        ({"x-goog-api-key": TOKEN}, ""),
        ({}, f"?key={TOKEN}"),
    ],
)
def test_a_token_is_taken_where_harnesses_put_it(setting: Make, headers: dict[str, str], query: str) -> None:
    line = setting("chat", [said("chat", False)])
    url = line.url + voices.path("chat", False) + query
    assert requests.post(url, json=voices.request("chat", False), headers=headers, timeout=10).status_code == 200
    assert TOKEN not in line.provider.heard[0].path


@pytest.mark.parametrize("shown", ["", "Bearer ", "Bearer run-token-0123456789abcdeX", "Basic x", "Bearer \xff\xfe"])
def test_another_token_is_refused(setting: Make, dialect: str, shown: str) -> None:
    line = setting(dialect, [said(dialect, False)])
    answer = line.post(voices.request(dialect, False), False, headers={"Authorization": shown.encode("latin-1")})
    assert answer.status_code == 401
    assert line.provider.heard == []
    assert line.line.summary().ended == "refused"
    assert "Bearer" not in line.tape_path.read_text()


def test_another_model_is_refused_in_the_dialects_own_form(setting: Make, dialect: str, streaming: bool) -> None:
    line = setting(dialect, [said(dialect, streaming)])
    body = voices.request(dialect, streaming, model="model-2")
    answer = line.post(body, streaming, path=voices.path(dialect, streaming, model="model-2"))
    told = answer.json()
    assert answer.status_code == 400
    assert answer.headers["x-should-retry"] == "false"
    assert "'model-1'" in told["error"]["message"]
    assert "'model-2'" in told["error"]["message"]
    own = {
        "chat": ("type", "invalid_request_error"),
        "responses": ("code", "request_refused"),
        "messages": ("type", "invalid_request_error"),
        "gemini": ("status", "INVALID_ARGUMENT"),
    }[dialect]
    assert told["error"][own[0]] == own[1]
    assert (told.get("type") == "error") is (dialect == "messages")
    assert line.provider.heard == []
    assert line.line.summary() == Calls(requests=1, ended="refused")


def test_another_dialect_is_refused_and_an_unknown_path_leaves_no_record(setting: Make) -> None:
    line = setting("chat", [said("chat", False)])
    assert line.post({}, False, path="/api/event_logging/batch").status_code == 404
    assert line.line.summary() == Calls()
    assert line.post(voices.request("messages", False), False, path="/v1/messages").status_code == 400
    assert line.line.summary().ended == "refused"


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"model": NaN}', b"[" * 100_000, b'{"a": 1e999}', b"\xff"])
def test_a_body_that_is_no_object_is_refused(setting: Make, dialect: str, body: bytes) -> None:
    line = setting(dialect, [said(dialect, False)])
    headers = {"Authorization": f"Bearer {TOKEN}"}
    answer = requests.post(line.url + voices.path(dialect, False), data=body, headers=headers, timeout=10)
    assert answer.status_code == 400
    assert line.line.close().ended == "refused"


def test_bytes_that_are_not_what_they_say_are_no_defect_of_ours(setting: Make) -> None:
    line = setting("chat", [said("chat", False)])
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Encoding": "gzip"}
    answer = requests.post(line.url + voices.path("chat", False), data=b"no gzip", headers=headers, timeout=10)
    assert answer.status_code == 400
    host, port = line.url.removeprefix("http://").split(":")
    for rest in (b"zz\r\n", b"5\r\nab"):
        with socket.create_connection((host, int(port))) as raw:
            raw.sendall(
                b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                + TOKEN.encode()
                + b"\r\nTransfer-Encoding: chunked\r\n\r\n"
                + rest
            )
            raw.shutdown(socket.SHUT_WR)
            raw.settimeout(5)
            while raw.recv(4096):
                pass
    line.line.close()  # raises where a request met a defect


def test_busy_twice_then_an_answer(setting: Make, dialect: str, streaming: bool) -> None:
    steps = [error(dialect, 429), error(dialect, 529), said(dialect, streaming)]
    line = setting(dialect, steps)
    answer = line.ask(streaming)
    assert answer.text == steps[-1].body
    (exchange,) = line.exchanges
    assert [attempt.status for attempt in exchange.attempts] == [429, 529, 200]
    assert [bool(attempt.problem) for attempt in exchange.attempts] == [True, True, False]
    assert line.line.summary().answered == 1


def test_what_the_provider_asks_to_wait_is_waited(setting: Make) -> None:
    line = setting("chat", [error("chat", 429, headers={"Retry-After": "1"}), said("chat", False)])
    started = time.monotonic()
    assert line.ask(False).status_code == 200
    assert time.monotonic() - started >= 1.0


def test_a_wait_past_the_deadline_is_an_outage_at_once(setting: Make) -> None:
    line = setting("chat", [error("chat", 429, headers={"Retry-After": "3600"})])
    started = time.monotonic()
    assert line.ask(False).status_code == 400
    assert time.monotonic() - started < 5
    assert line.line.summary().ended == "outage"


def test_a_provider_that_is_down_is_an_outage(setting: Make, dialect: str, streaming: bool) -> None:
    line = setting(dialect, [error(dialect, 500)])
    answer = line.ask(streaming)
    # The provider's own words would make a harness wait or compact.
    assert (answer.status_code, "slow down" in answer.text) == (400, False)
    assert "4 attempts" in answer.json()["error"]["message"]
    (exchange,) = line.exchanges
    assert (exchange.ended, len(exchange.attempts), exchange.status) == ("outage", 4, 500)
    assert exchange.response == voices.busy(dialect, 500)
    assert exchange.attempts[0].problem == "500: slow down"
    assert line.line.summary() == Calls(requests=1, ended="outage")


def test_a_provider_that_is_not_there_is_an_outage(setting: Make) -> None:
    from verifierbench.generation.gateway.upstream import Provider

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    provider = Provider(f"http://127.0.0.1:{port}/v1", None, ["chat"], attempts=2, first_wait=0.01)
    line = setting("chat", upstream=provider)
    assert line.ask(True).status_code == 400
    (exchange,) = line.exchanges
    assert [attempt.status for attempt in exchange.attempts] == [None, None]
    assert "Connect" in (exchange.attempts[0].problem or "")
    assert line.line.summary().ended == "outage"


@pytest.mark.parametrize("silence", ["before", "amid"])
def test_a_provider_that_falls_silent_is_asked_again(
    setting: Make, dialect: str, streaming: bool, silence: str
) -> None:
    steps = [said(dialect, streaming, **{silence: 30.0}), said(dialect, streaming)]
    patience = {"header_seconds": 0.3, "unstreamed_seconds": 0.3, "idle_seconds": 0.3}
    line = setting(dialect, steps, patience=patience)
    assert line.ask(streaming).text == steps[1].body
    first, second = line.exchanges[0].attempts
    words = {"before": "no response within 0.3 s", "amid": "silence for 0.3 s within the response"}[silence]
    assert (first.problem, second.problem) == (words, None)
    assert first.status == (None if silence == "before" else 200)


def test_a_response_that_breaks_off_is_asked_for_again(setting: Make, dialect: str, streaming: bool) -> None:
    steps = [said(dialect, streaming, "tools", cut=True), said(dialect, streaming)]
    line = setting(dialect, steps)
    assert line.ask(streaming).text == steps[1].body
    assert "Payload" in (line.exchanges[0].attempts[0].problem or "")


def test_a_response_that_ends_too_soon_is_asked_for_again(setting: Make, dialect: str, streaming: bool) -> None:
    whole = said(dialect, streaming, "tools")
    assert isinstance(whole.body, str)
    short = whole.body[: len(whole.body) // 3]
    line = setting(dialect, [Step(short, content_type=whole.content_type), whole])
    assert line.ask(streaming).text == whole.body
    assert line.exchanges[0].attempts[0].problem == "the response was cut"


@pytest.mark.parametrize("keep_alive", [0.1, 20.0])
def test_nothing_of_a_stream_that_always_breaks_off_is_handed_on(
    setting: Make, dialect: str, keep_alive: float
) -> None:
    line = setting(dialect, [said(dialect, True, "tools", amid=0.1, cut=True)], keep_alive=keep_alive)
    answer = line.ask(True)
    assert "shell" not in answer.text
    assert "No answer came from the provider in 4 attempts." in answer.text
    (exchange,) = line.exchanges
    assert (exchange.ended, exchange.status) == ("outage", 200)
    whole = voices.answer(dialect, True, "tools")
    assert exchange.response == whole.encode()[: len(whole.encode()) // 2].decode()


IN_STREAM = {
    "chat": voices.sse({"error": {"message": "overloaded", "code": 502}}),
    "responses": voices.sse(
        {"type": "response.failed", "response": {"status": "failed", "error": {"code": "server_error", "message": "x"}}}
    ),
    "messages": voices.sse({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
    "gemini": voices.sse({"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}),
}


def test_an_error_inside_a_stream_is_an_error(setting: Make, dialect: str) -> None:
    line = setting(dialect, [Step(IN_STREAM[dialect]), said(dialect, True)])
    assert line.ask(True).text == voices.answer(dialect, True)
    assert (line.exchanges[0].attempts[0].problem or "").startswith("50" if dialect != "messages" else "529")


def test_a_full_context_is_told_in_the_providers_words(setting: Make, dialect: str, streaming: bool) -> None:
    words = json.dumps(voices.OVERFLOW[dialect])
    line = setting(dialect, [Step(words, status=400, content_type="application/json")])
    answer = line.ask(streaming)
    assert (answer.status_code, answer.text) == (400, words)
    assert line.line.summary() == Calls(requests=1, ended="overflow")
    assert len(line.provider.heard) == 1


def test_a_full_context_told_inside_a_stream() -> None:
    from verifierbench.generation.gateway.dialects import DIALECTS
    from verifierbench.generation.gateway.faults import Failure

    told = {"status": "failed", "error": {"code": "context_length_exceeded", "message": "x"}}
    with pytest.raises(Failure) as failure:
        DIALECTS["responses"].read(voices.sse({"type": "response.failed", "response": told}))
    assert (failure.value.overflow, failure.value.transient) == (True, False)


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404])
def test_another_error_is_told_and_not_repeated(setting: Make, status: int) -> None:
    words = json.dumps({"error": {"message": f"no good: {KEY}", "type": "x"}})
    line = setting("chat", [Step(words, status=status, content_type="application/json")])
    answer = line.ask(True)
    assert answer.status_code == (400 if status in (401, 403) else status)
    assert answer.json()["error"]["message"] == "no good: [withheld]"
    assert line.line.summary().ended == "rejected"
    assert len(line.provider.heard) == 1


def test_an_account_that_cannot_pay_is_an_outage_at_once(setting: Make) -> None:
    words = json.dumps({"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}})
    line = setting("chat", [Step(words, status=429, content_type="application/json")])
    assert line.ask(True).status_code == 400
    assert (line.line.summary().ended, len(line.provider.heard)) == ("outage", 1)


def test_a_redirection_does_not_take_the_key_elsewhere(setting: Make) -> None:
    line = setting("chat", [Step("", status=307, headers={"Location": "/v1/elsewhere"}), said("chat", False)])
    assert line.ask(False).status_code == 400
    assert len(line.provider.heard) == 1


def test_the_budget_of_calls(setting: Make, dialect: str) -> None:
    line = setting(dialect, [said(dialect, True)], model_calls=2)
    assert [line.ask(True).status_code for _ in range(4)] == [200, 200, 400, 400]
    assert len(line.provider.heard) == 2
    calls = line.line.summary()
    assert (calls.answered, calls.requests, calls.ended) == (2, 4, "budget")
    assert "budget of 2 model calls" in (line.exchanges[-1].refusal or "")


def test_requests_at_once_do_not_pass_the_budget_together(setting: Make) -> None:
    line = setting("chat", [said("chat", False, before=2.0)], model_calls=2)
    statuses: list[int] = []
    threads = [threading.Thread(target=lambda: statuses.append(line.ask(False).status_code)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, 200, 400, 400, 400]
    assert len(line.provider.heard) == 2


def test_the_budget_of_cost(setting: Make) -> None:
    body = json.loads(voices.answer("chat", False))
    body["usage"]["cost"] = 0.6
    line = setting(
        "chat", [Step(json.dumps(body), content_type="application/json")], cost_usd=1.0, price=Price(input=1, output=1)
    )
    assert [line.ask(False).status_code for _ in range(3)] == [200, 200, 400]
    assert line.line.summary().cost_usd == pytest.approx(1.2)
    assert "budget of 1 USD" in (line.exchanges[-1].refusal or "")


def test_a_cost_nobody_knows_is_none(setting: Make) -> None:
    line = setting("chat", [said("chat", False)])
    assert line.line.summary().cost_usd == 0.0
    line.ask(False)
    assert line.line.summary().cost_usd is None


def test_requests_at_once_do_not_pass_the_cost_together(setting: Make) -> None:
    step = said("chat", False, before=0.5)
    # (1200 + 57) tokens at 1000 USD per million are 1.257 USD each.
    line = setting("chat", [step], cost_usd=2.0, price=Price(input=1000, output=1000))
    statuses: list[int] = []
    threads = [threading.Thread(target=lambda: statuses.append(line.ask(False).status_code)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, 200, 400, 400, 400]
    assert len(line.provider.heard) == 2
    refused = [exchange for exchange in line.exchanges if exchange.ended == "budget"]
    assert [(one.request, one.refusal) for one in refused] == [(None, "This run's budget of 2 USD is used up.")] * 3


def test_a_limit_of_cost_without_a_known_cost_was_no_limit(setting: Make) -> None:
    line = setting("chat", [said("chat", False)], cost_usd=1.0)
    assert [line.ask(False).status_code for _ in range(3)] == [200, 400, 400]
    assert line.line.summary().ended == "budget"
    refusal = line.exchanges[-1].refusal or ""
    assert "not known" in refusal
    assert "a price is needed" in refusal
    assert len(line.provider.heard) == 1


def test_a_request_of_more_than_16_mib_was_read(setting: Make) -> None:
    line = setting("chat", [said("chat", False)])
    assert line.ask(False, metadata={"x": "y" * (17 << 20)}).status_code == 413
    assert line.ask(False, metadata={"x": "y" * (15 << 20)}).status_code == 200
    assert len(line.provider.heard) == 1


def test_garbage_from_a_cell_was_printed_for_the_user(
    setting: Make, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    line = setting("chat", [said("chat", False)])
    host, port = line.url.removeprefix("http://").split(":")
    for garbage in (b"\x16\x03\x01 no HTTP\r\n\r\n", b"GET / HTTP/1.1\r\nbad header\r\n\r\n"):
        with socket.create_connection((host, int(port))) as raw:
            raw.sendall(garbage)
            raw.settimeout(5)
            assert b" 400 " in raw.recv(4096)
    line.line.close()
    assert [record.name for record in caplog.records] == []
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "soon"}, 0.0),
        ({"retry-after-ms": "soon", "Retry-After": "2"}, 2.0),
        ({"retry-after-ms": "1500", "Retry-After": "2"}, 1.5),
        ({"Retry-After": "whenever"}, 0.0),
        ({"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({}, 0.0),
    ],
)
def test_a_bad_wait_without_another_was_a_key_error(headers: dict[str, str], seconds: float) -> None:
    from verifierbench.generation.gateway.upstream import _retry_after

    assert _retry_after(headers) == seconds


def test_the_budget_of_time_ends_what_is_being_asked(setting: Make, streaming: bool) -> None:
    line = setting("chat", [said("chat", streaming, before=30.0)], deadline=time.monotonic() + 1.0)
    started = time.monotonic()
    assert line.ask(streaming).status_code == 400
    assert time.monotonic() - started < 10
    assert line.ask(streaming).status_code == 400
    first, second = line.exchanges
    assert (first.ended, first.attempts[0].problem) == ("budget", "the run's time ended")
    assert (second.ended, second.attempts, second.refusal) == ("budget", (), "This run's time is used up.")


def test_blank_lines_keep_a_client_waiting(setting: Make, dialect: str) -> None:
    line = setting(dialect, [said(dialect, True, before=0.7)], keep_alive=0.2)
    answer = line.ask(True)
    blank = len(answer.text) - len(answer.text.lstrip("\n"))
    assert answer.text.lstrip("\n") == voices.answer(dialect, True)
    assert 2 <= blank <= 4
    assert answer.headers["Content-Type"].startswith("text/event-stream")


@pytest.mark.parametrize("fault", ["outage", "overflow"])
def test_an_error_after_blank_lines_is_told_inside_the_stream(setting: Make, dialect: str, fault: str) -> None:
    words = json.dumps(voices.OVERFLOW[dialect])
    full = Step(words, status=400, content_type="application/json", before=0.5)
    line = setting(dialect, [error(dialect, 500, before=0.2) if fault == "outage" else full], keep_alive=0.1)
    answer = line.ask(True)
    assert answer.status_code == 200
    lines = answer.text.lstrip("\n").split("\n")
    data = json.loads(next(one for one in lines if one.startswith("data: ")).removeprefix("data: "))
    told = data["response"]["error"] if dialect == "responses" else data["error"]
    expected = voices.OVERFLOW[dialect]["error"]["message"] if fault == "overflow" else "No answer came"
    assert told["message"].startswith(expected)
    if dialect == "responses":
        assert (lines[0], data["type"]) == ("event: response.failed", "response.failed")
        assert told["code"] == ("context_length_exceeded" if fault == "overflow" else "provider_down")
    if dialect == "messages":
        assert (lines[0], data["type"]) == ("event: error", "error")
    assert line.line.summary().ended == fault


def test_compressed_responses_are_read(setting: Make, dialect: str, streaming: bool) -> None:
    plain = voices.answer(dialect, streaming)
    line = setting(dialect, [Step(gzip.compress(plain.encode()), headers={"Content-Encoding": "gzip"})])
    assert line.ask(streaming).text == plain


def test_compressed_requests_are_read(setting: Make) -> None:
    line = setting("chat", [said("chat", False)])
    body = gzip.compress(json.dumps(voices.request("chat", False)).encode())
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Encoding": "gzip"}
    assert requests.post(line.url + "/v1/chat/completions", data=body, headers=headers, timeout=10).status_code == 200


def test_a_client_that_leaves_is_recorded(setting: Make, streaming: bool) -> None:
    line = setting("chat", [said("chat", streaming, before=0.6)], keep_alive=0.1)
    with pytest.raises(requests.exceptions.RequestException):
        requests.post(
            line.url + "/v1/chat/completions",
            json=voices.request("chat", streaming),
            headers={"Authorization": f"Bearer {TOKEN}"},
            timeout=(1, 0.05),
        )
    _until(lambda: line.line.summary().requests == 1)
    assert line.line.summary().answered == 1
    line.line.close()


def test_what_nobody_waits_for_is_not_asked_again(setting: Make) -> None:
    line = setting("chat", [error("chat", 500, before=0.2)], patience={"attempts": 50, "first_wait": 0.2})
    with pytest.raises(requests.exceptions.RequestException):
        requests.post(
            line.url + "/v1/chat/completions",
            json=voices.request("chat", False),
            headers={"Authorization": f"Bearer {TOKEN}"},
            timeout=(1, 0.05),
        )
    _until(lambda: line.line.summary().requests == 1)
    assert (line.line.summary().ended, len(line.exchanges[0].attempts)) == ("abandoned", 1)


def test_closing_a_line_ends_what_is_being_asked(setting: Make, streaming: bool) -> None:
    line = setting("chat", [said("chat", streaming, before=30.0)], keep_alive=0.1)
    failed: list[Exception] = []

    def wait() -> None:
        try:
            line.ask(streaming)
        except requests.exceptions.RequestException as error:
            failed.append(error)

    client = threading.Thread(target=wait)
    client.start()
    _until(lambda: bool(line.provider.heard))
    time.sleep(0.3)
    started = time.monotonic()
    assert line.line.close().ended == "abandoned"
    assert time.monotonic() - started < 5
    client.join(timeout=5)
    assert not client.is_alive()
    assert [exchange.ended for exchange in line.exchanges] == ["abandoned"]
    with pytest.raises(requests.exceptions.ConnectionError):
        line.ask(streaming)


def test_counting_and_listing_are_no_model_calls(setting: Make, dialect: str) -> None:
    line = setting(dialect, [said(dialect, True)])
    headers = {"Authorization": f"Bearer {TOKEN}"}
    listing = requests.get(
        line.url + ("/v1beta/models" if dialect == "gemini" else "/v1/models"), headers=headers, timeout=5
    )
    assert "model-1" in listing.text
    assert requests.head(line.url, timeout=5).status_code == 200
    counting = {"messages": "/v1/messages/count_tokens?beta=true", "gemini": "/v1beta/models/model-1:countTokens"}
    if dialect in counting:
        told = line.post({"contents": [], "model": "model-1"}, False, path=counting[dialect]).json()
        assert told == {"input_tokens" if dialect == "messages" else "totalTokens": 9}  # 35 bytes
    assert line.provider.heard == []
    assert line.line.summary() == Calls()


def test_headers_of_the_dialect_are_sent_on_and_others_are_not(setting: Make) -> None:
    line = setting("messages", [said("messages", True)])
    sent = {"anthropic-beta": "b1", "x-api-key": "other", "Cookie": "c=1", "User-Agent": "harness"}
    line.post(voices.request("messages", True), True, headers=sent, path="/v1/messages?beta=true&other=1")
    (heard,) = line.provider.heard
    assert heard.path == "/v1/messages?beta=true"
    assert (heard.headers["anthropic-beta"], heard.headers["anthropic-version"]) == ("b1", "2023-06-01")
    assert "Cookie" not in heard.headers
    assert heard.headers["User-Agent"] != "harness"


def test_no_key_and_no_token_is_in_the_record(setting: Make, dialect: str, streaming: bool) -> None:
    """A model that prints its environment repeats the token; a provider may repeat the key."""
    telling = json.dumps({"error": {"message": f"wrong key {KEY}", "type": "x"}})
    steps = [said(dialect, streaming), Step(telling, status=400, content_type="application/json")]
    line = setting(dialect, steps)
    more = {"metadata": {"seen": f"API_KEY={TOKEN} {KEY}"}, f"k{TOKEN}": TOKEN}
    for _ in range(2):
        line.ask(streaming, **more)
    line.post(voices.request(dialect, streaming), streaming, headers={"Authorization": "Bearer another-token-here"})
    data = line.tape_path.read_bytes()
    assert len(line.exchanges) == 3
    for secret in (TOKEN, KEY, "another-token-here", "Bearer", "Authorization", "api-key"):
        assert secret.encode() not in data


def test_the_workspace_is_looked_at_before_each_request(setting: Make) -> None:
    looks: list[str] = []
    line = setting("chat", [said("chat", False)], look=lambda: looks.append(threading.current_thread().name))
    line.ask(False)
    line.ask(False)
    assert len(looks) == 2
    assert "model gateway" not in looks


def test_a_defect_of_ours_is_not_hidden(setting: Make) -> None:
    from verifierbench.core.errors import InfrastructureError

    def broken() -> None:
        raise ZeroDivisionError

    line = setting("chat", [said("chat", False)], look=broken)
    assert line.ask(False).status_code == 400
    with pytest.raises(InfrastructureError, match="ZeroDivisionError"):
        line.line.close()


def _conversation(line: Setting, streaming: bool) -> list[str]:
    return [line.ask(streaming, results=results).text for results in range(3)]


def _timeless(path: Path) -> list[Any]:
    import msgspec

    return [msgspec.structs.replace(one, started="", seconds=0.0) for one in tape.read(path)]


def test_a_replay_equals_the_record(setting: Make, dialect: str, streaming: bool) -> None:
    steps = [
        error(dialect, 429),
        said(dialect, streaming, "tools"),
        said(dialect, streaming, "tools"),
        Step(json.dumps(voices.OVERFLOW[dialect]), status=400, content_type="application/json"),
    ]
    first = setting(dialect, steps)
    told = _conversation(first, streaming)
    first.line.close()
    second = setting(dialect, upstream=Replay(first.tape_path), name="again.jsonl")
    assert _conversation(second, streaming) == told
    assert second.line.close() == first.line.summary()
    assert _timeless(second.tape_path) == _timeless(first.tape_path)


def test_a_replay_refuses_another_conversation(setting: Make, dialect: str) -> None:
    first = setting(dialect, [said(dialect, True, "tools")])
    _conversation(first, True)
    first.line.close()
    second = setting(dialect, upstream=Replay(first.tape_path), name="again.jsonl")
    assert second.ask(True).status_code == 200
    answer = second.ask(True, results=2)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == ("replay: request 2 is not the recorded one: tool results 2 and not 1")
    assert [second.ask(True, results=results).status_code for results in (1, 2)] == [200, 200]
    assert "the record ends before request 5" in second.ask(True, results=3).text
    assert second.line.summary().ended == "refused"


def test_requests_made_at_once_may_come_in_another_order_in_a_replay(setting: Make) -> None:
    first = setting("chat", [said("chat", False, "tools", before=0.5), said("chat", False, before=0.5)])
    threads = [threading.Thread(target=first.ask, args=(False, results)) for results in (0, 1)]
    for thread in threads:
        thread.start()
        time.sleep(0.1)
    for thread in threads:
        thread.join()
    first.line.close()
    second = setting("chat", upstream=Replay(first.tape_path), name="again.jsonl")
    assert [second.ask(False, results=results).status_code for results in (1, 0)] == [200, 200]


def test_many_lines_at_once(tmp_path: Path, setting: Make) -> None:
    lines = [setting(dialect, [said(dialect, True)], name=f"{dialect}.jsonl") for dialect in voices.DIALECTS]
    threads = [threading.Thread(target=line.ask, args=(True,)) for line in lines for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [line.line.summary().answered for line in lines] == [5, 5, 5, 5]


def test_the_conversation_is_read_the_same_in_every_dialect(dialect: str) -> None:
    from verifierbench.generation.gateway.dialects import DIALECTS

    read = DIALECTS[dialect].read_request(voices.request(dialect, True, results=1))
    assert [message.role for message in read] == ["system", "user", "assistant", "tool"]
    assert (read[0].text, read[1].text) == ("rules", "task")
    named = "shell" if dialect == "gemini" else "c1"
    (call,) = read[2].calls
    assert call == ToolCall(id=named, name="shell", arguments=call.arguments)
    assert json.loads(call.arguments) == {"command": "ls"}
    assert read[3].call_id == named
    assert "listing" in read[3].text


def _until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)
