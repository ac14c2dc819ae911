"""`trace show`: an attempt in the terminal, from its trajectory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from verifierbench.core import Unavailable
from verifierbench.generation import agent, generate
from verifierbench.sandbox.cell import Cell, CellPlan
from verifierbench.suite import Suite

from ..generation import attempts
from ..generation.attempts import SAMPLE, VERIFIER, WRITE, here, provider
from ..generation.scripted import Script, ScriptedServer

LONG = "seq 3000"
SCRIPT = Script((f"printf '\\033[31m'; {LONG}", f"{WRITE}\n{SAMPLE}\nselftest s.json", "submit"))


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    place = tmp_path_factory.mktemp("suite") / "two"
    return attempts.write_three(place, cases=1, names=("telescope", "renew_refused"))


@pytest.fixture(scope="module")
def run(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        Cell(CellPlan()).close()
    except Unavailable as lacking:
        pytest.skip(str(lacking))
    place = tmp_path_factory.mktemp("run") / "run"
    with ScriptedServer({"default": SCRIPT}) as server:
        attempts.attempt(suite, "telescope", place, lambda _: provider(server))
    return place


def test_every_step_is_told_with_what_the_desk_saw(suite: Suite, run: Path) -> None:
    alias = suite.task("handmade/telescope").alias
    first, *lines = here("trace", "show", run, alias[:6]).stdout.splitlines()
    assert first == "loop 1, scripted-1: submitted"
    said = "\n".join(lines)
    order = [
        "[1] system",
        "[2] user",
        "    says: Read TASK.md",
        "[3] agent",
        "    calls: bash {'command': ",
        "    sees: \ufffd[31m1",
        "[4] agent",
        ": PASS, 0 executions, 20 left",
        f"    verifier.py is e92f7a0741d8 ({len(VERIFIER)} bytes, selftest)",
        "[5] agent",
        "    desk: submit of e92f7a0741d8: answered, 0 executions, 20 left",
        "5 steps, 3,600 tokens in, 171 out",
    ]
    places = [said.find(words) for words in order]
    assert -1 not in places, order[places.index(-1)]
    assert places == sorted(places)
    assert "\033" not in said
    assert "characters)" in said


def test_texts_are_shown_whole_when_asked_for(suite: Suite, run: Path) -> None:
    alias = suite.task("handmade/telescope").alias
    assert "\n      1500\n" not in here("trace", "show", run, alias).stdout
    assert "\n      1500\n" in here("trace", "show", run, alias, "--full").stdout


def test_json_is_the_document_itself(suite: Suite, run: Path) -> None:
    alias = suite.task("handmade/telescope").alias
    document = json.loads((attempts.record_of(run, suite, "telescope") / "trajectory.json").read_text())
    assert json.loads(here("trace", "show", run, alias, "--json").stdout) == document


def test_what_is_not_there_is_one_sentence(suite: Suite, run: Path, tmp_path: Path) -> None:
    assert "no submission is called 'nobody'; there is t" in here("trace", "show", run, "nobody", code=2).stderr
    assert "no submission is called 't'" in here("trace", "show", tmp_path, "t", code=2).stderr
    generate(suite, agent("accept-all"), tmp_path / "built-in")
    alias = suite.tasks[0].alias
    said = here("trace", "show", tmp_path / "built-in", alias, code=2).stderr
    assert "this submission has no trajectory: it was made without a harness" in said
