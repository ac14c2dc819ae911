"""The scripted model by itself: each dialect, whole and streamed, its scripts, its faults."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from . import TOKENS, Fault, Script, ScriptedServer

SCRIPT = Script(("echo one", "echo two"), "That was it.")
SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}, "description": {"type": "string"}}}
SHELL = ("bash", SCHEMA)
DIALECTS = ("chat", "responses", "messages", "gemini")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer({"default": SCRIPT, "tides": Script(("ebb",)), "pouch": Script(("flood",))}) as it:
        yield it


def path_of(dialect: str, stream: bool) -> str:
    return {
        "chat": "/v1/chat/completions",
        "responses": "/v1/responses",
        "messages": "/v1/messages?beta=true",
        "gemini": f"/v1beta/models/m:{'streamGenerateContent?alt=sse' if stream else 'generateContent'}",
    }[dialect]


def request(dialect: str, stream: bool, results: list[str], prompt: str = "go", tools: bool = True) -> dict[str, Any]:
    """A request with so many calls answered before it."""
    name, schema = SHELL
    if dialect == "chat":
        said = [{"role": "user", "content": prompt}]
        said += [{"role": "tool", "tool_call_id": it, "content": "out"} for it in results]
        offered = [{"type": "function", "function": {"name": name, "parameters": schema}}]
        body = {"messages": said, "tools": offered}
    elif dialect == "responses":
        said = [{"role": "user", "content": [{"type": "input_text", "text": prompt}]}]
        said += [{"type": "function_call_output", "call_id": it, "output": "out"} for it in results]
        body = {"input": said, "tools": [{"type": "function", "name": name, "parameters": schema}]}
    elif dialect == "messages":
        blocks = [{"type": "tool_result", "tool_use_id": it, "content": "out"} for it in results]
        said = [{"role": "user", "content": prompt}, *({"role": "user", "content": [block]} for block in blocks)]
        body = {"messages": said, "tools": [{"name": name, "input_schema": schema}]}
    else:
        parts = [{"functionResponse": {"name": name, "response": {}, "id": it}} for it in results]
        said = [{"role": "user", "parts": [{"text": prompt}]}, *({"role": "user", "parts": [part]} for part in parts)]
        body = {"contents": said, "tools": [{"functionDeclarations": [{"name": name, "parametersJsonSchema": schema}]}]}
    if not tools:
        del body["tools"]
    return {**body, "model": "m"} | ({"stream": stream} if dialect != "gemini" else {})


def post(url: str, body: Any) -> str:
    asked = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(asked, timeout=10) as answer:
        return answer.read().decode()


def events(text: str) -> list[Any]:
    data = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    return [json.loads(it) for it in data if it != "[DONE]"]


def heard(dialect: str, text: str, stream: bool) -> tuple[str, str, dict[str, int], str]:
    """Words, command, tokens and why it ended, put together as a client of the dialect would."""
    if dialect == "gemini":
        said = events(text) if stream else [json.loads(text)]
        parts = [part for it in said for part in it["candidates"][0]["content"]["parts"]]
        used = said[-1]["usageMetadata"]
        tokens = {
            "input": used["promptTokenCount"],
            "cached": used["cachedContentTokenCount"],
            "output": used["candidatesTokenCount"] + used["thoughtsTokenCount"],
            "reasoning": used["thoughtsTokenCount"],
        }
        calls = [part["functionCall"]["args"]["command"] for part in parts if "functionCall" in part]
        words = "".join(part.get("text", "") for part in parts)
        return words, "".join(calls), tokens, said[-1]["candidates"][0]["finishReason"]
    if dialect == "responses":
        done = events(text)[-1]["response"] if stream else json.loads(text)
        [item], used = done["output"], done["usage"]
        tokens = {
            "input": used["input_tokens"],
            "cached": used["input_tokens_details"]["cached_tokens"],
            "output": used["output_tokens"],
            "reasoning": used["output_tokens_details"]["reasoning_tokens"],
        }
        if stream:
            deltas = "".join(it["delta"] for it in events(text) if it["type"].endswith(".delta"))
            assert deltas == (item.get("arguments") or item["content"][0]["text"])
        call = json.loads(item["arguments"])["command"] if "arguments" in item else ""
        return ("" if call else item["content"][0]["text"]), call, tokens, done["status"]
    return _heard_chat(text, stream) if dialect == "chat" else _heard_messages(text, stream)


def _heard_chat(text: str, stream: bool) -> tuple[str, str, dict[str, int], str]:
    if stream:
        deltas = [it["choices"][0]["delta"] for it in events(text) if it["choices"]]
        words = "".join(it.get("content") or "" for it in deltas)
        written = "".join(call["function"]["arguments"] for it in deltas for call in it.get("tool_calls", []))
        end = [it["choices"][0]["finish_reason"] for it in events(text) if it["choices"]][-1]
        used = events(text)[-1]["usage"]
    else:
        choice, used = json.loads(text)["choices"][0], json.loads(text)["usage"]
        words, end = choice["message"]["content"] or "", choice["finish_reason"]
        written = "".join(call["function"]["arguments"] for call in choice["message"].get("tool_calls", []))
    tokens = {
        "input": used["prompt_tokens"],
        "cached": used["prompt_tokens_details"]["cached_tokens"],
        "output": used["completion_tokens"],
        "reasoning": used["completion_tokens_details"]["reasoning_tokens"],
    }
    return words, json.loads(written)["command"] if written else "", tokens, end


def _heard_messages(text: str, stream: bool) -> tuple[str, str, dict[str, int], str]:
    if stream:
        told = events(text)
        deltas = [it["delta"] for it in told if it["type"] == "content_block_delta"]
        words = "".join(it.get("text", "") for it in deltas)
        written = "".join(it.get("partial_json", "") for it in deltas)
        command = json.loads(written)["command"] if written else ""
        used = {**told[0]["message"]["usage"], **told[-2]["usage"]}
        end = told[-2]["delta"]["stop_reason"]
    else:
        whole = json.loads(text)
        words = "".join(block.get("text", "") for block in whole["content"])
        command = "".join(block["input"]["command"] for block in whole["content"] if block["type"] == "tool_use")
        used, end = whole["usage"], whole["stop_reason"]
    cached = used["cache_read_input_tokens"]
    # Anthropic's figures tell nothing of reasoning.
    tokens = {"input": used["input_tokens"] + cached, "cached": cached, "output": used["output_tokens"], "reasoning": 7}
    return words, command, tokens, end


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_follows_the_script_by_the_results_it_is_shown(server: ScriptedServer, dialect: str, stream: bool) -> None:
    said = []
    for results in ([], ["a"], ["a", "b"]):
        text = post(server.url() + path_of(dialect, stream), request(dialect, stream, results))
        words, command, tokens, _ = heard(dialect, text, stream)
        said.append(words or command)
        assert tokens == TOKENS
    assert said == ["echo one", "echo two", "That was it."]
    assert [(it.dialect, it.turn, it.streaming) for it in server.received] == [(dialect, n, stream) for n in range(3)]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_goes_on_after_a_summary_whatever_of_the_history_is_kept(server: ScriptedServer, dialect: str) -> None:
    ask = "Please write a detailed summary of the conversation so far."
    body = request(dialect, False, ["a"], tools=False)
    summary = heard(dialect, post(server.url() + path_of(dialect, False), body), False)[0]
    assert "[calls answered: a]" in summary
    for kept in (["a"], []):
        body = request(dialect, False, kept, prompt=summary)
        assert heard(dialect, post(server.url() + path_of(dialect, False), body), False)[1] == "echo two"
    body = request(dialect, False, [], prompt=ask)  # asked for in the middle, with its tools
    assert "summary" in heard(dialect, post(server.url() + path_of(dialect, False), body), False)[0]


def test_three_scripts_at_once_by_the_url_or_by_a_word(server: ScriptedServer) -> None:
    def command(base: str, prompt: str) -> str:
        return heard("chat", post(base + path_of("chat", False), request("chat", False, [], prompt)), False)[1]

    assert command(server.url(script="tides"), "pouch") == "ebb"
    assert command(server.url(), "the task of the pouch") == "flood"
    assert command(server.url(), "anything") == "echo one"
    assert [it.script for it in server.received] == ["tides", None, None]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(("fault", "status"), [("429", 429), ("500", 500), ("401", 401), ("overflow", 400)])
def test_errors_are_the_dialect_s_own(server: ScriptedServer, dialect: str, fault: str, status: int) -> None:
    with pytest.raises(urllib.error.HTTPError) as raised:
        post(server.url(fault=fault) + path_of(dialect, False), request(dialect, False, []))
    said = json.load(raised.value)
    raised.value.close()
    assert raised.value.code == status
    assert said["error"]["message"]
    assert (said.get("type") == "error") == (dialect == "messages")
    assert raised.value.headers.get("retry-after") == ("1" if status == 429 else None)


def test_a_fault_fires_so_often_and_at_its_turn(server: ScriptedServer) -> None:
    url = server.url(fault="429x2@1") + path_of("chat", False)
    for results in ([], ["a"], ["a"], ["a"], ["a", "b"]):
        try:
            post(url, request("chat", False, results))
        except urllib.error.HTTPError as error:
            error.close()
    assert [it.answered for it in server.received] == ["call", "429", "429", "call", "text"]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("stream", [False, True])
def test_a_cut_answer_is_cut(server: ScriptedServer, dialect: str, stream: bool) -> None:
    with pytest.raises(http.client.IncompleteRead):
        post(server.url(fault="cut") + path_of(dialect, stream), request(dialect, stream, []))


@pytest.mark.parametrize("fault", ["hang", "stall"])
def test_what_hangs_ends_with_the_server(fault: str) -> None:
    with ScriptedServer() as server:
        closing = threading.Timer(0.3, server.close)
        closing.start()
        with pytest.raises((http.client.HTTPException, OSError)):
            post(server.url(fault=fault) + path_of("messages", True), request("messages", True, []))
        closing.join()


@pytest.mark.parametrize(
    ("dialect", "end"),
    [("chat", "length"), ("responses", "incomplete"), ("messages", "max_tokens"), ("gemini", "MAX_TOKENS")],
)
@pytest.mark.parametrize("stream", [False, True])
def test_a_truncated_answer_says_so(server: ScriptedServer, dialect: str, end: str, stream: bool) -> None:
    text = post(server.url(fault="truncated") + path_of(dialect, stream), request(dialect, stream, []))
    words, command, _, ended = heard(dialect, text, stream)
    assert (words, command, ended) == ("This answer is cut off in the mid", "", end)


def test_a_truncated_call_is_no_json(server: ScriptedServer) -> None:
    text = post(server.url(fault="truncated-call") + path_of("chat", False), request("chat", False, []))
    choice = json.loads(text)["choices"][0]
    assert choice["finish_reason"] == "length"
    with pytest.raises(ValueError, match=r".+"):
        json.loads(choice["message"]["tool_calls"][0]["function"]["arguments"])


def test_an_unknown_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="is no fault; a kind is"):
        Fault.parse("flood")


def test_runs_by_itself(tmp_path: Path) -> None:
    (tmp_path / "scripts.json").write_text(json.dumps({"default": ["true", "End."]}))
    root = Path(__file__).parents[3]
    command = [sys.executable, "-m", "tests.generation.scripted", "--scripts", str(tmp_path / "scripts.json")]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert heard("chat", post(url + path_of("chat", False), request("chat", False, ["a"])), False)[0] == "End."
        process.terminate()
