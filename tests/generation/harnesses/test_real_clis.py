"""Each command line tool as npm carries it, in a cell, against a scripted model: it writes a verifier and ends.

Skipped, one by one, where they are not installed; `verifierbench harness install NAME` installs one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from verifierbench.core import Effort, Unavailable
from verifierbench.generation.harnesses import Dialect, harness
from verifierbench.sandbox.cell import Cell, CellPlan

from ..scripted import Received, Script, ScriptedServer
from .driving import TOKEN, Driven, drive, make_brief

BUNDLED = ("pi", "claude-code", "codex", "gemini-cli", "opencode", "loop")
EVERY = [(name, dialect) for name in BUNDLED for dialect in harness(name).dialects]
FIRST = [(name, harness(name).dialects[0]) for name in BUNDLED]
VERIFIER = 'def verify(solution, env):\n    return "FAIL"\n'
WRITE = f"cat > verifier.py <<'END'\n{VERIFIER}END"
SCRIPT = Script(("id -u; pwd; cat TASK.md", WRITE, "python3 -c 'import verifier; print(verifier.verify(0, 0), 6 * 7)'"))


@pytest.fixture(autouse=True)
def _needs_namespaces() -> None:
    try:
        Cell(CellPlan()).close()
    except Unavailable as missing:
        pytest.skip(str(missing))


def model_of(it: Received) -> str:
    return it.path.partition("/models/")[2].partition(":")[0] if it.dialect == "gemini" else it.body["model"]


def effort_of(it: Received) -> Any:
    if it.dialect == "chat":
        return it.body["reasoning_effort"]
    if it.dialect == "responses":
        return it.body["reasoning"]["effort"]
    if it.dialect == "messages":
        return it.body["output_config"]["effort"]
    return it.body["generationConfig"]["thinkingConfig"].get("thinkingLevel", "").lower()


def limit_of(it: Received) -> int | None:
    fields = it.body["generationConfig"] if it.dialect == "gemini" else it.body
    names = ("max_completion_tokens", "max_output_tokens", "max_tokens", "maxOutputTokens")
    return next((fields[name] for name in names if name in fields), None)


def key_of(it: Received) -> str:
    bearer = it.headers.get("authorization", "").removeprefix("Bearer ")
    return it.headers.get("x-api-key") or it.headers.get("x-goog-api-key") or bearer


def wrote(driven: Driven) -> bool:
    return (driven.workspace / "verifier.py").read_text() == VERIFIER


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_writes_a_verifier_and_ends(name: str, dialect: Dialect, tmp_path: Path) -> None:
    with ScriptedServer({"default": SCRIPT}) as server:
        driven = drive(harness(name), make_brief(dialect), server.port, tmp_path)
    print(f"{name} {dialect}: wall {driven.exit.seconds:.1f} s, CPU {driven.cpu} s")
    assert (driven.exit.ended, driven.exit.status) == ("exit", 0), driven.told
    assert wrote(driven), driven.told
    asked = server.asked()
    assert [(it.turn, it.answered) for it in asked] == [(0, "call"), (1, "call"), (2, "call"), (3, "text")]
    assert {(it.dialect, model_of(it), key_of(it)) for it in asked} == {(dialect, "scripted-1", TOKEN)}
    # Codex cannot send an output limit, and Pi knows no levels for a model of Gemini's that it does not know.
    assert {limit_of(it) for it in asked} == {None if name == "codex" else 31_000}
    assert {effort_of(it) for it in asked} == {"" if (name, dialect) == ("pi", "gemini") else "medium"}
    heard = str(asked[-1].body)
    assert "1000\\n/workspace\\n# Write a verifier" in heard.replace("\\\\n", "\\n")  # not root, in the workspace
    assert "FAIL 42" in heard


@pytest.mark.parametrize("effort", ["low", "high"])
@pytest.mark.parametrize(("name", "dialect"), FIRST)
def test_sends_the_effort(name: str, dialect: Dialect, effort: Effort, tmp_path: Path) -> None:
    if name == "opencode" and effort == "low":
        pytest.skip("the slowest to start: one effort will do")
    with ScriptedServer({"default": Script(())}) as server:
        driven = drive(harness(name), make_brief(dialect, effort=effort), server.port, tmp_path)
    assert {effort_of(it) for it in server.asked()} == {effort}, driven.told


def test_gemini_cli_asks_older_models_for_a_budget(tmp_path: Path) -> None:
    brief = make_brief("gemini", "gemini-2.5-pro", effort="high")
    with ScriptedServer({"default": Script(("true",))}) as server:
        driven = drive(harness("gemini-cli"), brief, server.port, tmp_path)
    sent = [it.body["generationConfig"] for it in server.asked()]
    assert [(it["maxOutputTokens"], it["thinkingConfig"]) for it in sent] == [
        (31_000, {"thinkingBudget": 24_576})
    ] * 2, driven.told


@pytest.mark.parametrize("name", ["pi", "claude-code", "codex", "gemini-cli", "loop"])
def test_asks_a_provider_that_is_out_a_few_times_at_most(name: str, tmp_path: Path) -> None:
    """The gateway retries; what it gives up on is soon over. (OpenCode's own five retries, 90 s, cannot be set.)"""
    brief = make_brief(harness(name).dialects[0], url="http://127.0.0.1:8080/fault/500")
    with ScriptedServer() as server:
        driven = drive(harness(name), brief, server.port, tmp_path)
    assert driven.exit.ended == "exit", driven.told
    assert len(server.asked()) <= (4 if name == "codex" else 2)


def test_claude_code_goes_on_after_it_has_shortened_its_history(tmp_path: Path) -> None:
    brief = make_brief("messages", url="http://127.0.0.1:8080/fault/overflowx1@1")
    with ScriptedServer({"default": SCRIPT}) as server:
        driven = drive(harness("claude-code"), brief, server.port, tmp_path)
    assert [it.answered for it in server.asked()] == ["call", "overflow", "text", "call", "call", "text"], driven.told
    assert wrote(driven)


@pytest.mark.parametrize("name", ["claude-code", "codex", "opencode"])
def test_shortens_its_history_where_the_context_it_was_told_of_is_nearly_full(name: str, tmp_path: Path) -> None:
    """The window comes from us, whatever the model's name says."""
    brief = make_brief(harness(name).dialects[0], url="http://127.0.0.1:8080/fault/fullx1@1")
    with ScriptedServer({"default": SCRIPT}) as server:
        driven = drive(harness(name), brief, server.port, tmp_path)
    answered = [it.answered for it in server.asked()]
    assert (answered[:4], answered[-1]) == (["call", "full", "text", "call"], "text"), driven.told


@pytest.mark.parametrize(("name", "dialect"), FIRST)
def test_stops_when_it_is_told_to(name: str, dialect: Dialect, tmp_path: Path) -> None:
    """Nothing it started outlives the cell: the command that sleeps is gone when the cell is."""
    marker = f"7{abs(hash(str(tmp_path))) % 10**8:08d}"
    script = Script((f"touch written\nsleep {marker} & sleep {marker}",))
    with ScriptedServer({"default": script}) as server:
        driven = drive(harness(name), make_brief(dialect), server.port, tmp_path, 60.0, "written")
    assert driven.exit.ended == "stopped", driven.told
    running = [path.read_bytes() for path in _command_lines()]
    assert not [line for line in running if marker.encode() in line]


def _command_lines() -> list[Path]:
    return [path / "cmdline" for path in Path("/proc").iterdir() if path.name.isdigit() and (path / "cmdline").exists()]
