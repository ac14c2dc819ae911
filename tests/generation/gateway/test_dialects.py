"""What is changed in a request before it is sent on, and how the dialects are read."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifierbench.generation.gateway import Terms
from verifierbench.generation.gateway.dialects import DIALECTS, below_version, dialect_at, sse, tool_results
from verifierbench.generation.gateway.faults import Cut, Failure, failure_of
from verifierbench.generation.gateway.questions import Question

from . import voices

_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 100_000)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_NAMES = [
    "model",
    "messages",
    "input",
    "contents",
    "tools",
    "tool_choice",
    "type",
    "stream",
    "stream_options",
    "max_tokens",
    "max_completion_tokens",
    "n",
    "role",
    "content",
    "max_output_tokens",
    "reasoning",
    "effort",
    "reasoning_effort",
    "output_config",
    "thinking",
    "budget_tokens",
    "text",
    "system",
    "instructions",
    "generationConfig",
    "generation_config",
    "thinkingConfig",
    "thinking_config",
    "thinkingBudget",
    "thinkingLevel",
    "maxOutputTokens",
    "parts",
    "functionCall",
    "functionDeclarations",
    "googleSearch",
    "environment",
    "function",
    "custom",
    "usage",
    "choices",
    "message",
    "delta",
    "tool_calls",
    "candidates",
    "error",
    "code",
    "output",
    "status",
    "response",
    "item",
    "index",
    "candidateCount",
    "image_url",
    "file_url",
    "source",
    "url",
    "fileData",
    "fileUri",
    "enabled",
    "service_tier",
    "cachedContent",
]
_WORDS = st.sampled_from(
    [
        "function",
        "web_search_20250305",
        "code_interpreter",
        "custom",
        "namespace",
        "disabled",
        "enabled",
        "adaptive",
        "assistant",
        "tool",
        "stop",
        "tool_result",
        "thinking",
        "tool_use",
        "message_start",
        "message_stop",
        "content_block_delta",
        "response.completed",
        "error",
    ]
)
_SHAPED = st.recursive(
    _JSON | _WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_NAMES), inner, max_size=6),
    max_leaves=15,
)
_BODIES = st.dictionaries(st.sampled_from(_NAMES), _SHAPED, max_size=8)


def terms(dialect: str, **more: Any) -> Terms:
    usual = {
        "token": "t" * 16,
        "model": "model-1",
        "effort": "high",
        "output_tokens": 1000,
        "model_calls": 1,
        "deadline": 0.0,
    }
    return Terms(dialect=dialect, **{**usual, **more})  # type: ignore[arg-type]


def prepared(dialect: str, body: dict[str, Any], **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The body sent on, and was → now by field."""
    sent, changes = DIALECTS[dialect].prepare(body, terms(dialect, **more))  # type: ignore[index]
    return sent, {change.field: (change.was, change.now) for change in changes}


@pytest.mark.parametrize("dialect", voices.DIALECTS)
@settings(max_examples=60, deadline=None)
@given(
    body=_BODIES,
    effort=st.sampled_from(["low", "medium", "high", None]),
    limit=st.sampled_from([1, 1000, 2000, 40_000]),
    hosted=st.booleans(),
)
def test_preparing_twice_is_preparing_once_and_touches_nothing(
    dialect: str, body: dict[str, Any], effort: str | None, limit: int, hosted: bool
) -> None:
    before = copy.deepcopy(body)
    sent, changes = prepared(dialect, body, effort=effort, output_tokens=limit, hosted_tools=hosted)
    assert body == before
    assert (sent == body) or changes
    assert prepared(dialect, sent, effort=effort, output_tokens=limit, hosted_tools=hosted) == (sent, {})


_LIMITS = {
    "chat": ("max_completion_tokens",),
    "responses": ("max_output_tokens",),
    "messages": ("max_tokens",),
    "gemini": ("generationConfig", "maxOutputTokens"),
}


def _nested(keys: tuple[str, ...], value: Any) -> dict[str, Any]:
    for key in reversed(keys):
        value = {key: value}
    return dict(value)


def _at(body: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        body = body[key]
    return body


@pytest.mark.parametrize("dialect", voices.DIALECTS)
@given(asked=st.none() | st.integers(-2, 100_000), limit=st.integers(1, 50_000))
def test_the_output_limit_is_lowered_or_added_and_never_raised(dialect: str, asked: int | None, limit: int) -> None:
    keys = _LIMITS[dialect]
    sent, changes = prepared(dialect, _nested(keys, asked), output_tokens=limit, effort=None)
    expected = asked if asked is not None and 1 <= asked <= limit else limit
    assert _at(sent, keys) == expected
    assert ("/" + "/".join(keys) in changes) is (asked != expected)


@pytest.mark.parametrize("dialect", voices.DIALECTS)
def test_an_absent_output_limit_is_added(dialect: str) -> None:
    sent, _ = prepared(dialect, {})
    assert _at(sent, _LIMITS[dialect]) == 1000


def test_chats_older_name_of_the_limit_is_kept() -> None:
    sent, changes = prepared("chat", {"max_tokens": 5000})
    assert (sent["max_tokens"], "max_completion_tokens" in sent, changes["/max_tokens"]) == (1000, False, (5000, 1000))


@given(
    budget=st.integers(1, 100_000),
    limit=st.integers(1, 60_000),
    asked=st.integers(1, 60_000),
    effort=st.sampled_from(["low", "medium", "high", None]),
)
def test_thinking_stays_below_the_output_limit(budget: int, limit: int, asked: int, effort: str | None) -> None:
    body = {"max_tokens": asked, "thinking": {"type": "enabled", "budget_tokens": budget}}
    sent, _ = prepared("messages", body, output_tokens=limit, effort=effort)
    if sent["thinking"] == {"type": "disabled"}:
        assert sent["max_tokens"] <= 1024
    else:
        assert sent["thinking"]["budget_tokens"] < sent["max_tokens"] == min(limit, asked)
        assert sent["thinking"]["budget_tokens"] >= (1024 if effort else 0)


@pytest.mark.parametrize(
    ("dialect", "body", "field", "was", "now"),
    [
        ("chat", {}, "/reasoning_effort", None, "low"),
        ("chat", {"reasoning_effort": "high"}, "/reasoning_effort", "high", "low"),
        ("chat", {"reasoning": {"effort": "high"}}, "/reasoning/effort", "high", "low"),
        ("responses", {}, "/reasoning", None, {"effort": "low"}),
        ("responses", {"reasoning": {"effort": "xhigh", "summary": "auto"}}, "/reasoning/effort", "xhigh", "low"),
        ("responses", {"reasoning": "high"}, "/reasoning", "high", {"effort": "low"}),
        ("messages", {}, "/output_config", None, {"effort": "low"}),
        (
            "messages",
            {"thinking": {"type": "adaptive"}, "output_config": {"effort": "max"}},
            "/output_config/effort",
            "max",
            "low",
        ),
        ("messages", {"thinking": {"type": "enabled", "budget_tokens": 16384}}, "/thinking/budget_tokens", 16384, 4096),
        ("gemini", {}, "/generationConfig", None, {"thinkingConfig": {"thinkingLevel": "LOW"}}),
        (
            "gemini",
            {"generationConfig": {"thinkingConfig": {"thinkingLevel": "HIGH"}}},
            "/generationConfig/thinkingConfig/thinkingLevel",
            "HIGH",
            "LOW",
        ),
    ],
)
def test_the_effort_is_the_terms(dialect: str, body: dict[str, Any], field: str, was: Any, now: Any) -> None:
    _, changes = prepared(dialect, body, effort="low", output_tokens=32_768)
    assert changes[field] == (was, now)


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        ("chat", {"reasoning_effort": "high"}),
        ("responses", {"reasoning": {"effort": "high"}}),
        ("messages", {"output_config": {"effort": "high"}, "thinking": {"type": "adaptive"}}),
        ("gemini", {"generationConfig": {"thinkingConfig": {"thinkingLevel": "high"}}}),
        ("gemini", {"generationConfig": {"thinkingConfig": {"thinkingBudget": 4096}}}),
    ],
)
def test_the_same_effort_is_left(dialect: str, body: dict[str, Any]) -> None:
    _, changes = prepared(dialect, body)
    assert [field for field in changes if "effort" in field or "hinking" in field] == []


FUNCTION = {"chat": {"type": "function", "function": {"name": "f"}}, "responses": {"type": "function", "name": "f"}}
HOSTED: list[tuple[str, Any]] = [
    *(
        ("responses", {"type": kind})
        for kind in (
            "web_search",
            "web_search_preview_2025_03_11",
            "file_search",
            "code_interpreter",
            "image_generation",
            "computer_use_preview",
            "mcp",
            "something_new",
        )
    ),
    ("responses", {"type": "shell", "environment": {"type": "container_auto"}}),
    ("messages", {"type": "web_search_20250305", "name": "web_search"}),
    ("messages", {"type": "web_fetch_20250910", "name": "web_fetch"}),
    ("messages", {"type": "code_execution_20250825", "name": "code_execution"}),
    ("messages", {"type": "mcp_toolset", "mcp_server_name": "m"}),
    ("chat", {"type": "web_search"}),
    ("chat", {"type": "openrouter:web_search"}),
    ("gemini", {"googleSearch": {}}),
    ("gemini", {"google_search": {}}),
    ("gemini", {"googleSearchRetrieval": {}}),
    ("gemini", {"urlContext": {}}),
    ("gemini", {"codeExecution": {}}),
]
OURS: list[tuple[str, Any]] = [
    ("chat", {"type": "function", "function": {"name": "f"}}),
    ("responses", {"type": "function", "name": "f"}),
    ("responses", {"type": "custom", "name": "apply_patch"}),
    ("responses", {"type": "local_shell"}),
    ("messages", {"name": "Bash", "input_schema": {}}),
    ("messages", {"type": "custom", "name": "Bash", "input_schema": {}}),
    ("messages", {"type": "bash_20250124", "name": "bash"}),
    ("gemini", {"functionDeclarations": [{"name": "f"}]}),
]


@pytest.mark.parametrize(("dialect", "tool"), HOSTED)
def test_hosted_tools_are_taken_out_unless_allowed(dialect: str, tool: Any) -> None:
    own = next(one for name, one in OURS if name == dialect)
    sent, changes = prepared(dialect, {"tools": [own, tool], "tool_choice": {"type": "x", "name": "web_search"}})
    assert sent["tools"] == [own]
    assert changes["/tools/1"] == (tool, None)
    assert dialect == "gemini" or "tool_choice" not in sent
    alone, _ = prepared(dialect, {"tools": [tool]})
    assert "tools" not in alone
    allowed, changes = prepared(dialect, {"tools": [own, tool]}, hosted_tools=True)
    assert allowed["tools"] == [own, tool]
    assert not any(field.startswith("/tools") for field in changes)


@pytest.mark.parametrize(("dialect", "tool"), OURS)
def test_the_clients_tools_stay(dialect: str, tool: Any) -> None:
    sent, _ = prepared(dialect, {"tools": [tool], "tool_choice": "auto"})
    assert (sent["tools"], sent["tool_choice"]) == ([tool], "auto")


def test_a_gemini_tool_that_holds_both_keeps_the_clients_half() -> None:
    sent, changes = prepared("gemini", {"tools": [{"functionDeclarations": [], "googleSearch": {}}]})
    assert sent["tools"] == [{"functionDeclarations": []}]
    assert "/tools/0" in changes


def test_a_hosted_tool_inside_a_namespace_is_taken_out() -> None:
    inner = [{"type": "function", "name": "f"}, {"type": "mcp"}]
    sent, _ = prepared("responses", {"tools": [{"type": "namespace", "name": "n", "tools": inner}]})
    assert sent["tools"] == [{"type": "namespace", "name": "n", "tools": inner[:1]}]


@pytest.mark.parametrize(
    ("dialect", "field"),
    [
        ("chat", "web_search_options"),
        ("chat", "plugins"),
        ("chat", "models"),
        ("messages", "mcp_servers"),
        ("responses", "background"),
    ],
)
def test_fields_that_lead_elsewhere_are_dropped(dialect: str, field: str) -> None:
    sent, changes = prepared(dialect, {field: ["x"]})
    assert field not in sent
    assert changes["/" + field] == (["x"], None)


def test_a_stream_of_chat_tells_its_usage() -> None:
    sent, _ = prepared("chat", {"stream": True, "stream_options": {"include_usage": False}})
    assert sent["stream_options"] == {"include_usage": True}


def test_geminis_other_spelling_is_no_way_around() -> None:
    body = {"generation_config": {"max_output_tokens": 9999, "thinking_config": {"thinking_budget": 5}, "top_k": 1}}
    sent, _ = prepared("gemini", body)
    assert sent["generationConfig"] == {"maxOutputTokens": 1000, "thinkingConfig": {"thinkingBudget": 5}, "top_k": 1}
    assert "generation_config" not in sent


@pytest.mark.parametrize("dialect", voices.DIALECTS)
@settings(max_examples=40, deadline=None)
@given(body=_BODIES, events=st.lists(_BODIES, max_size=4))
def test_no_request_and_no_answer_breaks_a_reader(dialect: str, body: dict[str, Any], events: list[Any]) -> None:
    entry = DIALECTS[dialect]  # type: ignore[index]
    entry.read_request(body)
    tool_results(entry, body)
    entry.model_of("x", body)
    for answer in (json.dumps(body), json.dumps(events), voices.sse(*events), str(body)):
        try:
            entry.read(answer)
        except (Cut, Failure):
            continue


@given(st.lists(st.tuples(st.from_regex(r"[a-z_.]{0,12}", fullmatch=True), _JSON)))
def test_events_round_trip(written: list[tuple[str, Any]]) -> None:
    stream = "\n: comment\n\n" + "".join(
        sse.event(data if not isinstance(data, str) else [data], name) for name, data in written
    )
    for ends in ("\n", "\r\n"):
        read = [(name, json.loads(data)) for name, data in sse.events(stream.replace("\n", ends))]
        assert read == [(name, [data] if isinstance(data, str) else data) for name, data in written]


@pytest.mark.parametrize("dialect", voices.DIALECTS)
@pytest.mark.parametrize("kind", ["answered", "tools", "truncated"])
def test_a_stream_and_a_whole_answer_read_the_same(dialect: str, kind: str) -> None:
    entry = DIALECTS[dialect]  # type: ignore[index]
    whole, streamed = (entry.read(voices.answer(dialect, streaming, kind)) for streaming in (False, True))
    assert json.loads(whole.calls[0].arguments if whole.calls else "0") == json.loads(
        streamed.calls[0].arguments if streamed.calls else "0"
    )
    assert (whole.text, whole.reasoning, whole.usage, whole.finish) == (
        streamed.text,
        streamed.reasoning,
        streamed.usage,
        streamed.finish,
    )


@pytest.mark.parametrize("dialect", voices.DIALECTS)
def test_every_shorter_stream_is_cut(dialect: str) -> None:
    entry = DIALECTS[dialect]  # type: ignore[index]
    events = voices.answer(dialect, True, "tools").split("\n\n")
    ends = {"chat": 3, "responses": 1, "messages": 1, "gemini": 1}[dialect]
    # Whatever is left out before the event that tells the finish; chat's usage and end mark come after it.
    for kept in range(len(events) - ends):
        with pytest.raises(Cut):
            entry.read("\n\n".join(events[:kept]) + "\n\n")


def test_a_call_cut_by_the_output_limit_is_truncated() -> None:
    stream = voices.sse(
        {"type": "message_start", "message": {"usage": {}}},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "tool_use", "id": "c", "name": "w", "input": {}},
        },
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"a": "b'}},
        {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 3}},
        {"type": "message_stop"},
    )
    reply = DIALECTS["messages"].read(stream)
    assert (reply.finish, reply.calls[0].arguments) == ("truncated", '{"a": "b')


@pytest.mark.parametrize(
    ("path", "dialect"),
    [
        ("/v1/chat/completions", "chat"),
        ("/chat/completions", "chat"),
        ("/v1/responses", "responses"),
        ("/v1/messages", "messages"),
        ("/v1beta/models/m:generateContent", "gemini"),
        ("/v1alpha/models/m:streamGenerateContent", "gemini"),
        ("/v1/messages/count_tokens", None),
        ("/v1/responses/compact", None),
        ("/v1/models", None),
        ("/", None),
    ],
)
def test_the_path_tells_the_dialect(path: str, dialect: str | None) -> None:
    found = dialect_at(below_version(path))
    assert (found.name if found else None) == dialect


def test_a_models_name_does_not_make_a_stream() -> None:
    path = "models/upstream-1:generateContent"
    question = Question(dialect=DIALECTS["gemini"], path=path, query={}, headers={}, body={}, deadline=0.0)
    assert (question.model, question.streaming) == ("upstream-1", False)


@pytest.mark.parametrize(
    ("status", "text", "transient", "overflow"),
    [
        (
            429,
            '{"error": {"message": "Rate limit: too many tokens per minute", "code": "rate_limit_exceeded"}}',
            True,
            False,
        ),
        (429, '{"error": {"message": "pay", "code": "insufficient_quota"}}', False, False),
        (529, '{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}', True, False),
        (500, "<html>oops</html>", True, False),
        (503, "", True, False),
        (400, '[{"error": {"message": "input token count (9) exceeds the maximum", "code": 400}}]', False, True),
        (400, '{"error": "This model\'s maximum context length is 9"}', False, True),
        (413, "", False, True),
        (400, '{"error": {"message": "Unknown parameter"}}', False, False),
        (401, '{"error": {"message": "Incorrect API key"}}', False, False),
    ],
)
def test_what_an_error_means(status: int, text: str, transient: bool, overflow: bool) -> None:
    failure = failure_of(status, text)
    assert (failure.transient, failure.overflow) == (transient, overflow)
