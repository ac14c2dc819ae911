from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from verifierbench.core import Limits, MalformedInput, Run, Submission, Task, UnknownName
from verifierbench.core.files import decode
from verifierbench.generation import agent, agent_names, generate, load
from verifierbench.generation.agents import Agent


class Tasks(NamedTuple):
    path: Path
    hash: str
    tasks: tuple[Task, ...]


class Counting:
    """An agent that notes which workspaces it was given, and stops at one of them when told to."""

    name = model = "counting"
    harness = "test"

    def __init__(self, stop_at: int | None = None) -> None:
        self.seen: list[list[str]] = []
        self._stop_at = stop_at

    def write(self, workspace: Path) -> tuple[dict[str, Any], ...]:
        if len(self.seen) == self._stop_at:
            raise KeyboardInterrupt
        self.seen.append(sorted(path.name for path in workspace.iterdir()))
        (workspace / "verifier.py").write_text("def verify(s, e):\n    return 'PASS'\n")
        return ({"event": "wrote"},)


@pytest.fixture
def suite(tmp_path: Path, conversions: Task, shop: Task, pouch: Task) -> Tasks:
    return Tasks(tmp_path / "suite", "5" * 64, (conversions, shop, pouch))


def schema(task: Task) -> dict[str, Any]:
    return {"title": task.family.value}


def run_agent(suite: Tasks, writer: Agent, run: Path, **options: Any) -> tuple[Run, list[Submission]]:
    done: list[Submission] = []
    return generate(suite, writer, run, schema_of=schema, done=done.append, **options), done


def test_the_built_in_agents_have_names() -> None:
    assert agent_names() == ("accept-all", "reject-all", "heuristic")
    for name in agent_names():
        assert (agent(name).name, agent(name).harness, agent(name).model) == (name, "builtin", name)
    with pytest.raises(UnknownName, match="accept-all"):
        agent("gpt")


@pytest.mark.parametrize(("name", "verdict"), [("accept-all", "PASS"), ("reject-all", "FAIL")])
def test_a_constant_agent_writes_its_verdict(name: str, verdict: str, suite: Tasks, tmp_path: Path) -> None:
    run_agent(suite, agent(name), tmp_path / "run")
    for task in suite.tasks:
        space: dict[str, Any] = {}
        exec(load(tmp_path / "run", task.alias)[1] or b"", space)
        assert space["verify"]({}, None) == verdict


def test_a_run_says_what_it_was_made_of(suite: Tasks, tmp_path: Path) -> None:
    made, done = run_agent(suite, agent("heuristic"), tmp_path / "runs/one", limits=Limits(seconds=9), seed="7")
    assert decode(tmp_path / "runs/one/run.json", Run) == made
    assert (made.name, made.harness, made.model, made.seed) == ("heuristic", "builtin", "heuristic", "7")
    assert (made.suite, made.suite_hash, made.limits.seconds) == ("../../suite", "5" * 64, 9)
    assert [s.task for s in done] == [task.alias for task in suite.tasks]
    assert {s.outcome for s in done} == {"submitted"}


def test_an_interrupted_run_goes_on_where_it_stopped(suite: Tasks, tmp_path: Path) -> None:
    first = Counting(stop_at=1)
    with pytest.raises(KeyboardInterrupt):
        run_agent(suite, first, tmp_path / "run")
    kept = (tmp_path / "run/submissions" / suite.tasks[0].alias / "submission.json").read_bytes()
    second = Counting()
    _, done = run_agent(suite, second, tmp_path / "run")
    assert (len(first.seen), len(second.seen), len(done)) == (1, 2, 3)
    assert (tmp_path / "run/submissions" / suite.tasks[0].alias / "submission.json").read_bytes() == kept
    third = Counting()
    run_agent(suite, third, tmp_path / "run")
    assert third.seen == []


def test_each_task_gets_a_workspace_of_its_own(suite: Tasks, tmp_path: Path) -> None:
    writer = Counting()
    run_agent(suite, writer, tmp_path / "run")
    assert writer.seen == [["TASK.md", "materials", "solution.schema.json", "task.json"]] * 3


@pytest.mark.parametrize("change", ["agent", "suite", "limits", "seed"])
def test_another_run_does_not_continue_this_one(change: str, suite: Tasks, tmp_path: Path) -> None:
    run_agent(suite, agent("accept-all"), tmp_path / "run")
    before = (tmp_path / "run/run.json").read_bytes()
    writer = agent("reject-all" if change == "agent" else "accept-all")
    other = suite._replace(hash="6" * 64) if change == "suite" else suite
    options = {"limits": {"limits": Limits(seconds=1)}, "seed": {"seed": "1"}}.get(change, {})
    with pytest.raises(MalformedInput, match="another run"):
        run_agent(other, writer, tmp_path / "run", **options)
    assert (tmp_path / "run/run.json").read_bytes() == before


def test_without_a_schema_of_ones_own_the_family_gives_its(suite: Tasks, tmp_path: Path) -> None:
    class Reading(Counting):
        def write(self, workspace: Path) -> tuple[dict[str, Any], ...]:
            properties.append(sorted(decode(workspace / "solution.schema.json", dict)["properties"]))
            return super().write(workspace)

    properties: list[list[str]] = []
    generate(suite, Reading(), tmp_path / "run")
    assert properties == [["turns"], ["answer", "events"], ["patch"]]
