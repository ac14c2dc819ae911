"""What each harness is told: the model, the effort, the limits and the address; the token, and no other secret."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest

from verifierbench.core import PLUGIN_API, Unavailable, UnknownName
from verifierbench.generation import harnesses
from verifierbench.generation.harnesses import Dialect, Launch, harness, harness_names
from verifierbench.generation.harnesses.efforts import anthropic_thinking, by_level, gemini_thinking

from .driving import TOKEN, make_brief

BUNDLED = ("pi", "claude-code", "codex", "gemini-cli", "opencode", "loop")
EVERY = [(name, dialect) for name in BUNDLED for dialect in harness(name).dialects]


def told(launch: Launch) -> str:
    return json.dumps([launch.argv, dict(launch.environment), dict(launch.files)])


def files(launch: Launch, name: str) -> Any:
    text = next(text for path, text in launch.files.items() if path.endswith(name))
    return tomllib.loads(text) if name.endswith(".toml") else json.loads(text)


def test_every_harness_is_found_by_its_name() -> None:
    assert harness_names()[:6] == BUNDLED
    assert [harness(name).name for name in BUNDLED] == list(BUNDLED)
    with pytest.raises(UnknownName, match="did you mean gemini-cli"):
        harness("gemini")


class Plugin:
    PLUGIN_API = PLUGIN_API
    name, version, dialects, program = "acme", "3", ("chat",), None

    def launch(self, brief: Any) -> Launch:
        return Launch(argv=("acme", brief.prompt))


class Point:
    def __init__(self, name: str, value: Any) -> None:
        self.name, self.value = name, value

    def load(self) -> Any:
        return self.value


def test_a_third_party_adds_a_harness_by_an_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    old = Plugin()
    old.PLUGIN_API = PLUGIN_API + 1
    points = [Point("acme", Plugin()), Point("old", old), Point("pi", old)]

    def entry_points(*, group: str, name: str | None = None) -> list[Point]:
        assert group == "verifierbench.harnesses"
        return [point for point in points if name in (None, point.name)]

    monkeypatch.setattr(harnesses, "entry_points", entry_points)
    harness.cache_clear()
    try:
        assert harness_names() == (*BUNDLED, "acme", "old")
        assert harness("acme").launch(make_brief("chat")).argv[0] == "acme"
        assert harness("pi").version == "1.6.0"  # a bundled name stays ours
        with pytest.raises(Unavailable, match="update one of them"):
            harness("old")
    finally:
        harness.cache_clear()


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_a_launch_says_what_the_brief_says(name: str, dialect: Dialect) -> None:
    launch = harness(name).launch(make_brief(dialect, "acme/model-9", effort="low"))
    assert "acme/model-9" in told(launch)
    assert "http://127.0.0.1:8080" in told(launch)
    assert '"low"' in json.dumps(told(launch)).replace("\\", "") or "LOW" in told(launch)
    assert "leave verifier.py in this folder" in told(launch)
    assert ("31000" in told(launch)) == (name != "codex")  # it has no such setting: the gateway adds the limit


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_another_effort_is_another_launch(name: str, dialect: Dialect) -> None:
    launches = {told(harness(name).launch(make_brief(dialect, effort=effort))) for effort in ("low", "medium", "high")}
    assert len(launches) == 3


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_the_token_is_in_one_variable_and_nowhere_else(name: str, dialect: Dialect) -> None:
    launch = harness(name).launch(make_brief(dialect))
    assert [value for value in launch.environment.values() if TOKEN in value] == [TOKEN]
    assert TOKEN not in json.dumps([launch.argv, dict(launch.files)])


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_nothing_of_our_own_environment_gets_in(name: str, dialect: Dialect, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression guard: a launch is made from its brief alone."""
    before = harness(name).launch(make_brief(dialect))
    for variable in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "MODEL_TOKEN"):
        monkeypatch.setenv(variable, "sk-of-the-user")
    assert harness(name).launch(make_brief(dialect)) == before


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_files_stay_in_the_home(name: str, dialect: Dialect) -> None:
    for path in harness(name).launch(make_brief(dialect)).files:
        assert not path.startswith("/")
        assert ".." not in path.split("/")


@pytest.mark.parametrize(
    ("dialect", "api", "url"),
    [
        ("chat", "openai-completions", "http://127.0.0.1:8080/v1"),
        ("responses", "openai-responses", "http://127.0.0.1:8080/v1"),
        ("messages", "anthropic-messages", "http://127.0.0.1:8080"),
        ("gemini", "google-generative-ai", "http://127.0.0.1:8080/v1beta"),
    ],
)
def test_pi_is_given_one_provider_in_the_dialect(dialect: Dialect, api: str, url: str) -> None:
    launch = harness("pi").launch(make_brief(dialect))
    provider = files(launch, "models.json")["providers"]["gateway"]
    assert (provider["api"], provider["baseUrl"], provider["apiKey"]) == (api, url, "$MODEL_TOKEN")
    assert (provider["models"][0]["maxTokens"], provider["models"][0]["contextWindow"]) == (31_000, 180_000)
    assert files(launch, "settings.json")["retry"]["maxRetries"] == 1
    assert "--no-context-files" in launch.argv


def test_claude_code_has_no_other_model_to_fall_back_on() -> None:
    environment = harness("claude-code").launch(make_brief("messages")).environment
    names = [value for name, value in environment.items() if name.endswith("_MODEL")]
    assert names == ["scripted-1"] * 6
    assert environment["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] == "31000"
    assert environment["CLAUDE_CODE_MAX_CONTEXT_TOKENS"] == "180000"


def test_codex_reads_a_configuration_of_ours_whatever_the_model_is_called() -> None:
    config = files(harness("codex").launch(make_brief("responses", 'odd"\\name')), "config.toml")
    assert (config["model"], config["model_reasoning_effort"]) == ('odd"\\name', "medium")
    assert (config["web_search"], config["model_context_window"]) == ("disabled", 180_000)
    provider = config["model_providers"]["gateway"]
    assert (provider["base_url"], provider["env_key"]) == ("http://127.0.0.1:8080/v1", "MODEL_TOKEN")
    assert (provider["wire_api"], provider["request_max_retries"]) == ("responses", 1)


def test_a_prompt_that_looks_like_an_option_stays_a_prompt_to_codex() -> None:
    assert harness("codex").launch(make_brief("responses", prompt="--help")).argv[-2:] == ("--", "--help")


def test_gemini_cli_means_the_one_model_by_every_name_of_its_own() -> None:
    launch = harness("gemini-cli").launch(make_brief("gemini", "gemini-3.1-pro-preview"))
    aliases = files(launch, "settings.json")["modelConfigs"]["customAliases"]
    ours = aliases.pop("verifierbench")["modelConfig"]
    assert ours["model"] == "models/gemini-3.1-pro-preview"
    assert ours["generateContentConfig"] == {
        "maxOutputTokens": 31_000,
        "thinkingConfig": {"thinkingLevel": "MEDIUM"},
    }
    assert {"chat-compression-default", "loop-detection", "gemini-3.1-pro-preview"} <= aliases.keys()
    assert all(alias == {"extends": "verifierbench", "modelConfig": {}} for alias in aliases.values())


@pytest.mark.parametrize(
    ("dialect", "package"),
    [("chat", "@ai-sdk/openai-compatible"), ("responses", "@ai-sdk/openai"), ("messages", "@ai-sdk/anthropic")],
)
def test_opencode_is_given_one_provider_in_the_dialect(dialect: Dialect, package: str) -> None:
    config = files(harness("opencode").launch(make_brief(dialect)), "opencode.json")
    provider = config["provider"]["gateway"]
    assert (provider["npm"], provider["options"]["apiKey"]) == (package, "{env:MODEL_TOKEN}")
    assert provider["models"]["scripted-1"]["limit"] == {"context": 180_000, "output": 31_000}
    assert config["small_model"] == "gateway/scripted-1"
    assert config["permission"]["websearch"] == "deny"


def test_the_loop_carries_all_of_its_program() -> None:
    launch = harness("loop").launch(make_brief("chat"))
    names = {path.rpartition("/")[2] for path in launch.files}
    assert names == {"__init__.py", "__main__.py", "talks.py", "settings.json"}
    assert "verifierbench" not in "".join(text for path, text in launch.files.items() if path.endswith(".py"))


@pytest.mark.parametrize(
    ("model", "level"),
    [
        ("gemini-2.5-pro", False),
        ("gemini-3.1-pro-preview", True),
        ("claude-3-7-sonnet-latest", False),
        ("claude-sonnet-4-20250514", False),
        ("claude-sonnet-4-5-20250929", False),
        ("claude-opus-4-5", False),
        ("claude-opus-4-6", True),
        ("claude-opus-4-8", True),
        ("claude-opus-5", True),
        ("unheard-of", True),
    ],
)
def test_older_models_get_a_budget_newer_ones_a_level(model: str, level: bool) -> None:
    assert by_level(model) == level


def test_a_budget_stays_below_the_output_limit() -> None:
    brief = make_brief("messages", "claude-opus-4-5", effort="high", output_tokens=8_000)
    assert anthropic_thinking(brief) == {"thinking": {"type": "enabled", "budget_tokens": 4_000}}
    assert gemini_thinking(make_brief("gemini", "gemini-2.5-pro", effort="low")) == {"thinkingBudget": 1_024}
