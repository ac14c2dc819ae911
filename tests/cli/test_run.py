"""`run`: generate, then score; resumes both, and shows what was scored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from verifierbench.core import Unavailable
from verifierbench.generation import submission
from verifierbench.sandbox.cell import Cell, CellPlan
from verifierbench.scoring import RunFolder
from verifierbench.suite import Suite

from ..generation import attempts
from ..generation.attempts import WRITE, here, options
from ..generation.scripted import Script, ScriptedServer


@pytest.fixture(scope="module", autouse=True)
def namespaces() -> None:
    try:
        Cell(CellPlan()).close()
    except Unavailable as lacking:
        pytest.skip(str(lacking))


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return attempts.write_three(tmp_path_factory.mktemp("suite") / "three", cases=4)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer({"default": Script((f"{WRITE}\nsubmit",))}) as running:
        yield running


def test_what_is_written_is_scored_and_shown_cases_are_left_out(
    suite: Suite, server: ScriptedServer, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    arguments = ("run", suite.path, *options(server), "-o", run, "--set", "labelled=2", "--workers", 1, "--json")
    done = here(*arguments)
    (row,) = json.loads(done.stdout)["configurations"]
    # A verifier that accepts whatever is not empty is right on every PASS and wrong on every FAIL.
    assert (row["name"], row["tasks"], row["tpr"], row["tnr"], row["ba_norm"]) == ("loop scripted-1", 3, 100, 0, 0)
    rows, asked = RunFolder(run).rows(), len(server.received)
    for task in suite.tasks:
        shown = submission.load(run, task.alias)[0].shown
        hidden = {case.id for case in suite.cases(task) if case.content_hash not in shown}
        assert len(shown) == 2
        assert {row.case for row in rows if row.task == task.id} == hidden
    decided = (run / "decisions.jsonl").read_bytes()
    again = here(*arguments)
    assert again.stdout == done.stdout
    assert (run / "decisions.jsonl").read_bytes() == decided
    assert len(server.received) == asked


def test_the_board_is_printed_with_every_generation(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    done = here("run", suite.path, *options(server), "-o", tmp_path / "runs", "-k", 2, "--workers", 1)
    assert "loop scripted-1 #1" in done.stdout
    assert "loop scripted-1 #2" in done.stdout
