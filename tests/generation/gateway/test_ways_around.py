"""Ways around the terms that a request once had: what the provider fetches, rival fields, state off the record."""

from __future__ import annotations

from typing import Any

import pytest

from verifierbench.generation.gateway.dialects import DIALECTS
from verifierbench.generation.gateway.dialects.fetched import WITHHELD

from .test_dialects import prepared

URL = "https://example.org/gold.txt"
DATA = "data:image/png;base64,AAAA"
TEXT = {"type": "text", "text": WITHHELD}
INPUT = {"type": "input_text", "text": WITHHELD}


def chat(part: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": [{"type": "text", "text": "see"}, part]}]}


def responses(part: Any) -> dict[str, Any]:
    return {"input": [{"type": "function_call_output", "call_id": "c", "output": [part]}, {"content": [part]}]}


def messages(part: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": [{"type": "tool_result", "content": [part]}, part]}]}


def gemini(part: Any) -> dict[str, Any]:
    return {"contents": [{"parts": [part, {"functionResponse": {"name": "f", "response": {}, "parts": [part]}}]}]}


SHAPES = {"chat": chat, "responses": responses, "messages": messages, "gemini": gemini}
FETCHED: list[tuple[str, Any, Any, Any]] = [
    ("chat", lambda url: {"type": "image_url", "image_url": {"url": url}}, TEXT, "/messages/0/content/1"),
    ("chat", lambda url: {"type": "image_url", "image_url": url}, TEXT, "/messages/0/content/1"),
    ("chat", lambda url: {"type": "video_url", "video_url": {"url": url}}, TEXT, "/messages/0/content/1"),
    ("chat", lambda url: {"type": "file", "file": {"file_data": url}}, TEXT, "/messages/0/content/1"),
    ("responses", lambda url: {"type": "input_image", "image_url": url}, INPUT, "/input/0/output/0"),
    ("responses", lambda url: {"type": "input_file", "file_url": url}, INPUT, "/input/1/content/0"),
    (
        "messages",
        lambda url: {"type": "image", "source": {"type": "url", "url": url}},
        TEXT,
        "/messages/0/content/0/content/0",
    ),
    (
        "messages",
        lambda url: {"type": "document", "source": {"type": "url", "url": url}},
        TEXT,
        "/messages/0/content/1",
    ),
    ("gemini", lambda url: {"fileData": {"fileUri": url}}, {"text": WITHHELD}, "/contents/0/parts/0"),
    (
        "gemini",
        lambda url: {"file_data": {"file_uri": url}},
        {"text": WITHHELD},
        "/contents/0/parts/1/functionResponse/parts/0",
    ),
]


@pytest.mark.parametrize(("dialect", "part", "instead", "pointer"), FETCHED)
@pytest.mark.parametrize("url", [URL, "HTTP://10.0.0.1/", "gs://bucket/gold", " https://example.org"])
def test_a_part_the_provider_would_fetch_passed(dialect: str, part: Any, instead: Any, pointer: str, url: str) -> None:
    shape = SHAPES[dialect]
    sent, changes = prepared(dialect, shape(part(url)), effort=None)
    root = next(iter(shape(None)))
    assert sent[root] == shape(instead)[root]
    assert changes[pointer] == (part(url), instead)
    assert WITHHELD in "".join(message.text for message in DIALECTS[dialect].read_request(sent)) or dialect == "gemini"
    for kept, more in ((part(url), {"hosted_tools": True}), (part(DATA), {})):
        left, changes = prepared(dialect, shape(kept), effort=None, **more)
        assert left[root] == shape(kept)[root]
        assert not any(field.startswith(f"/{root}") for field in changes)


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        (
            "messages",
            {"messages": [{"content": [{"type": "tool_use", "input": {"source": {"type": "url", "url": URL}}}]}]},
        ),
        ("gemini", {"contents": [{"parts": [{"functionCall": {"args": {"fileData": {"fileUri": URL}}}}]}]}),
        ("chat", {"messages": [{"role": "user", "content": f"fetch {URL}"}]}),
    ],
)
def test_what_the_model_itself_wrote_is_left(dialect: str, body: dict[str, Any]) -> None:
    sent, _ = prepared(dialect, body)
    assert {**sent, **body} == sent


@pytest.mark.parametrize(("dialect", "root"), [("chat", "messages"), ("responses", "input"), ("gemini", "contents")])
def test_a_part_too_deep_to_be_looked_at_passed(dialect: str, root: str) -> None:
    part: Any = {"image_url": URL, "file_url": URL, "fileData": {"fileUri": URL}}
    for _ in range(900):
        part = [part]
    sent, changes = prepared(dialect, {root: part})
    assert URL not in repr(sent)
    assert any(field.startswith(f"/{root}/0") for field in changes)


@pytest.mark.parametrize(
    ("dialect", "tools"),
    [
        ("gemini", {"googleSearch": {}}),
        ("chat", {"type": "web_search"}),
        ("responses", {"type": "web_search"}),
        ("messages", {"type": "web_search_20250305"}),
        ("gemini", "googleSearch"),
    ],
)
def test_tools_that_are_no_list_passed(dialect: str, tools: Any) -> None:
    sent, changes = prepared(dialect, {"tools": tools, "tool_choice": {"type": "web_search"}})
    assert "tools" not in sent
    assert changes["/tools"] == (tools, None)
    assert prepared(dialect, {"tools": tools}, hosted_tools=True)[0]["tools"] == tools


def test_a_namespace_whose_tools_are_no_list_passed() -> None:
    sent, _ = prepared("responses", {"tools": [{"type": "namespace", "tools": {"type": "web_search"}}]})
    assert "tools" not in sent


THINKING = "/generationConfig/thinkingConfig/"


@pytest.mark.parametrize(
    ("dialect", "body", "field", "left"),
    [
        ("chat", {"reasoning_effort": "high", "reasoning": {"enabled": False}}, "/reasoning", {}),
        ("chat", {"reasoning_effort": "high", "reasoning": {"max_tokens": 9}}, "/reasoning", {}),
        ("chat", {"reasoning": {"enabled": False}}, "/reasoning/enabled", {"reasoning": {"effort": "high"}}),
        ("chat", {"reasoning": {"max_tokens": 0}}, "/reasoning/max_tokens", {"reasoning": {"effort": "high"}}),
        (
            "chat",
            {"reasoning": {"max_tokens": 9, "effort": "low"}},
            "/reasoning/effort",
            {"reasoning": {"max_tokens": 9}},
        ),
        ("chat", {"thinking": {"type": "disabled"}}, "/thinking", {"reasoning_effort": "high"}),
        ("chat", {"chat_template_kwargs": {"enable_thinking": False}}, "/chat_template_kwargs", {}),
        ("responses", {"reasoning": {"enabled": False}}, "/reasoning/enabled", {"reasoning": {"effort": "high"}}),
        ("messages", {"thinking": {"type": "disabled"}}, "/thinking", {"output_config": {"effort": "high"}}),
        ("messages", {"thinking": {"type": "disabled", "budget_tokens": 2000}}, "/thinking", {}),
        ("messages", {"thinking": {"type": "enabled", "budget_tokens": 0}}, "/thinking", {}),
        (
            "messages",
            {"thinking": {"type": "enabled", "budget_tokens": 2000}, "output_config": {"effort": "low"}},
            "/output_config/effort",
            {"output_config": {"effort": "high"}, "thinking": {"type": "enabled", "budget_tokens": 16384}},
        ),
    ],
)
def test_a_rival_field_dodged_the_effort(dialect: str, body: dict[str, Any], field: str, left: dict[str, Any]) -> None:
    sent, changes = prepared(dialect, body, output_tokens=32_768)
    assert field in changes
    assert {**sent, **left} == sent
    names = {name for name in sent if name in ("reasoning", "reasoning_effort", "thinking", "output_config")}
    assert names == set(left) if left else field.strip("/") not in sent
    assert prepared(dialect, body, effort=None, output_tokens=32_768)[0].keys() >= body.keys()


@pytest.mark.parametrize(
    ("model", "asked", "sent"),
    [
        ("gemini-3-pro", {"thinkingBudget": 0}, {"thinkingLevel": "HIGH"}),
        ("gemini-3-pro", {"thinkingBudget": -1}, {"thinkingLevel": "HIGH"}),
        ("gemini-3-pro", {"thinking_budget": 0, "thinkingLevel": "HIGH"}, {"thinkingLevel": "HIGH"}),
        ("gemini-3-pro", {"thinkingBudget": 5, "thinkingLevel": "LOW"}, {"thinkingLevel": "HIGH"}),
        ("gemini-3-pro", {"thinkingBudget": 4096}, {"thinkingBudget": 4096}),
        ("gemini-2.5-pro", {"thinkingBudget": 4096}, {"thinkingBudget": 4096}),
        ("gemini-2.5-pro", {"thinkingBudget": 0}, {"thinkingBudget": 24_576}),
        ("gemini-2.5-pro", {"thinkingLevel": "LOW"}, {"thinkingBudget": 24_576}),
    ],
)
def test_a_budget_of_none_dodged_geminis_effort(model: str, asked: dict[str, Any], sent: dict[str, Any]) -> None:
    body, _ = prepared("gemini", {"generationConfig": {"thinkingConfig": asked}}, model=model)
    assert body["generationConfig"]["thinkingConfig"] == sent


@pytest.mark.parametrize(
    ("dialect", "field"),
    [
        ("responses", "previous_response_id"),
        ("responses", "prompt"),
        ("responses", "conversation"),
        ("responses", "service_tier"),
        ("gemini", "cachedContent"),
        ("gemini", "cached_content"),
        ("gemini", "serviceTier"),
        ("chat", "service_tier"),
        ("messages", "service_tier"),
        ("messages", "speed"),
    ],
)
def test_state_off_the_record_and_unpriced_service_passed(dialect: str, field: str) -> None:
    sent, changes = prepared(dialect, {field: "x"}, hosted_tools=True)
    assert field not in sent
    assert changes["/" + field] == ("x", None)
    assert "/" + field not in prepared(dialect, {field: None})[1]
