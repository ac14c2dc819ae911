"""`harness`: what drives a model here, and what each would need."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..generation.attempts import here

BUNDLED = ["pi", "claude-code", "codex", "gemini-cli", "opencode", "loop"]


@pytest.fixture(autouse=True)
def nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERIFIERBENCH_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("verb", [(), ("doctor",)])
def test_what_is_missing_and_how_to_get_it(verb: tuple[str, ...]) -> None:
    lines = here("harness", *verb).stdout.splitlines()
    assert [line.split()[0] for line in lines][: len(BUNDLED)] == BUNDLED
    missing = {line.split()[0]: line for line in lines}
    assert missing["codex"].endswith("is not installed; run `verifierbench harness install codex`")
    assert "(responses)" in missing["codex"]
    assert missing["loop"] == "loop 1 (responses, messages, gemini, chat): ready, 0 MB"


@pytest.mark.parametrize("verb", [(), ("doctor",)])
def test_the_same_for_programs(verb: tuple[str, ...]) -> None:
    rows = {row["name"]: row for row in json.loads(here("harness", *verb, "--json").stdout)["harnesses"]}
    assert list(rows)[: len(BUNDLED)] == BUNDLED
    assert [name for name in BUNDLED if rows[name]["ready"]] == ["loop"]
    assert rows["gemini-cli"]["dialects"] == ["gemini"]
    assert "harness install pi" in rows["pi"]["needs"]


def test_nothing_is_to_be_installed_for_the_built_in_loop(tmp_path: Path) -> None:
    assert here("harness", "install", "loop").stdout == "loop: ready\n"
    assert not (tmp_path / "home").exists()


def test_a_harness_that_nobody_knows_is_one_sentence(tmp_path: Path) -> None:
    assert "no harness is called 'codec'; did you mean codex" in here("harness", "install", "codec", code=2).stderr
    assert not (tmp_path / "home").exists()


def test_a_run_with_what_is_not_installed_says_how_to_get_it(tmp_path: Path) -> None:
    from ..generation.attempts import write_three

    suite = write_three(tmp_path / "suite", cases=1, names=("telescope",))
    who = ("--harness", "codex", "--model", "openai/m")
    said = here("generate", suite.path, *who, "-o", tmp_path / "run", code=2).stderr
    assert "run `verifierbench harness install codex`" in said
