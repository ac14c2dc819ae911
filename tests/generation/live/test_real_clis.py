"""Each command line tool, as npm carries it, through three tasks and through everything that can go wrong.

The model follows a script; all else is as in a real run. A tool that is not installed is skipped, by name.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from verifierbench.core import Ended, Submission, Task, UserError, sha256
from verifierbench.core.files import decode
from verifierbench.generation import generate, submission
from verifierbench.generation.gateway.upstream import Upstream
from verifierbench.generation.harnesses import harness
from verifierbench.scoring import RunFolder, score
from verifierbench.suite import Suite

from .. import attempts
from ..attempts import CRASH, SAMPLE, VERIFIER, WRITE, gone, in_cells, kill, options, provider, started, until, works
from ..harnesses.driving import installed
from ..scripted import Script, ScriptedServer
from ..test_trajectory import check

NAMES = ("pi", "claude-code", "codex", "gemini-cli", "opencode")
HASH = sha256(VERIFIER.encode())
WORK = Script(("cat TASK.md | head -n 5", WRITE, f"{SAMPLE}\nselftest s.json", "submit"), "It is handed in.")
BRIEF = Script((WRITE, "submit"), "It is handed in.")
NAP = "import time; time.sleep(300)"
NAPS = Script((WRITE, f"python3 -c '{NAP}'"))


@pytest.fixture(scope="module", params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    installed(harness(request.param))
    return str(request.param)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer({"default": WORK, "the-brief": BRIEF, "the-crash": CRASH, "the-naps": NAPS}) as running:
        yield running


class Bench:
    """One tool at the task `telescope`."""

    def __init__(self, name: str, suite: Suite, server: ScriptedServer, run: Path) -> None:
        self.name, self.suite, self.server, self.run = name, suite, server, run
        self.dialect = harness(name).dialects[0]

    def upstream(self, script: str = "the-brief", fault: str | None = None, **how: Any) -> Callable[[Task], Upstream]:
        made = provider(self.server, self.dialect, url={"script": script, "fault": fault}, **how)
        return lambda _: made

    def attempt(self, upstream: Callable[[Task], Upstream], **protocol: Any) -> Submission:
        told = {"who": self.name, "dialect": self.dialect, "seconds": 100.0, **protocol}
        return attempts.attempt(self.suite, "telescope", self.run, upstream, **told)

    def fault(self, fault: str, **more: Any) -> Submission:
        return self.attempt(self.upstream(fault=fault, **more))

    @property
    def endings(self) -> list[str]:
        return [one.ended for one in attempts.tape(self.run, self.suite, "telescope")]

    @property
    def is_open(self) -> bool:
        return not submission.finished(self.run, self.suite.task("handmade/telescope").alias)

    def clean(self) -> bool:
        return attempts.left_in(self.run) == [] and not in_cells(self.run)


@pytest.fixture
def bench(name: str, suite: Suite, server: ScriptedServer, tmp_path: Path) -> Bench:
    return Bench(name, suite, server, tmp_path / "run")


def test_three_tasks_are_written_and_scored(name: str, suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    dialect = harness(name).dialects[0]
    upstream = provider(server, dialect)
    with attempts.writing(
        lambda _: upstream, tmp_path / "evidence", who=name, dialect=dialect, seconds=100.0
    ) as writer:
        generate(suite, writer, tmp_path, workers=2)
    for task in suite.tasks:
        made = submission.load(tmp_path, task.alias)[0]
        assert (made.ended, made.verifier_hash, made.attempts) == (Ended.SUBMITTED, HASH, 1)
        assert (made.spent.selftests, made.spent.executions) == (1, 0)
        assert made.spent.model_calls >= 4
        document = decode(submission.place(tmp_path, task.alias) / "record/trajectory.json", dict)
        check(document)
        tools = [entry["tool"] for step in document["steps"] for entry in step.get("extra", {}).get("desk", ())]
        assert tools == ["selftest", "submit"]
    score(suite, tmp_path, workers=1)
    rows = RunFolder(tmp_path).rows()
    assert len(rows) == len(suite.all_cases)
    assert {row.decision.verdict for row in rows} == {"PASS"}
    assert attempts.left_in(tmp_path) == []
    for it in server.asked():
        assert "authorization" not in it.headers or "token" not in it.headers["authorization"]


@pytest.mark.parametrize("fault", ["429x2", "500x1", "cutx1", "hangx1", "stallx1"])
def test_what_passes_by_is_never_seen_by_the_harness(bench: Bench, fault: str) -> None:
    made = bench.fault(fault, attempts=3, header_seconds=1.5, unstreamed_seconds=1.5, idle_seconds=1.5)
    assert (made.ended, made.verifier_hash, made.attempts) == (Ended.SUBMITTED, HASH, 1)
    tries = [len(one.attempts) for one in attempts.tape(bench.run, bench.suite, "telescope")]
    assert max(tries) == int(fault.partition("x")[2]) + 1
    assert "outage" not in bench.endings
    assert bench.clean()


@pytest.mark.parametrize("fault", ["500", "429", "hang", "cut"])
def test_a_provider_that_stays_down_leaves_the_task_open(bench: Bench, fault: str) -> None:
    with pytest.raises(UserError, match="1 of 1 tasks stayed open: the provider gave no answer"):
        bench.fault(fault, header_seconds=0.5, unstreamed_seconds=0.5, idle_seconds=0.5)
    assert bench.is_open
    assert bench.endings[-1] == "outage"
    assert bench.clean()


def test_a_provider_that_goes_down_midway_leaves_the_task_open_and_the_same_command_goes_on(bench: Bench) -> None:
    with pytest.raises(UserError, match="stayed open"):
        bench.fault("503@1")
    assert bench.is_open
    assert bench.endings[-1] == "outage"
    assert bench.attempt(bench.upstream()).ended is Ended.SUBMITTED


def test_an_answer_that_is_cut_by_the_limit_is_no_outage(bench: Bench) -> None:
    made = bench.fault("truncatedx1@1")
    assert "truncated" in bench.endings
    assert made.ended in (Ended.FINISHED, Ended.SUBMITTED)
    assert (made.verifier_hash, made.attempts) == (HASH, 1)


def test_a_conversation_that_stays_too_long_ends_the_attempt(bench: Bench) -> None:
    """OpenCode shortens it and goes on for as long as it may: only the budget, counted outside, ends it."""
    made = bench.attempt(bench.upstream(fault="overflow@1"), model_calls=12)
    loops = bench.name == "opencode"
    assert made.ended is (Ended.BUDGET if loops else Ended.OVERFLOW)
    assert bench.endings[:2] == ["tools", "overflow"]
    assert made.spent.model_calls == (12 if loops else 1)
    assert (made.verifier_hash, made.attempts) == (HASH, 1)
    assert bench.clean()


def test_a_harness_that_is_killed_from_inside_is_started_again_and_then_kept(bench: Bench) -> None:
    made = bench.attempt(bench.upstream("the-crash"))
    assert (made.ended, made.attempts, made.verifier_hash) == (Ended.CRASHED, 3, HASH)
    assert bench.clean()


def test_a_harness_that_is_killed_from_outside_is_started_again(bench: Bench) -> None:
    scripts = iter(("the-naps", "the-brief"))

    def upstream(_: Task) -> Upstream:
        return bench.upstream(next(scripts))(_)

    def shoot() -> None:
        until(lambda: napping(bench.run))
        for one in filter(works, in_cells(bench.run)):
            with suppress(ProcessLookupError):
                os.kill(one.pid, signal.SIGKILL)

    killer = threading.Thread(target=shoot)
    killer.start()
    made = bench.attempt(upstream)
    killer.join()
    assert (made.ended, made.attempts, made.verifier_hash) == (Ended.SUBMITTED, 2, HASH)
    assert bench.clean()


def napping(run: Path) -> bool:
    """Whether the agent's command is at work."""
    for one in in_cells(run):
        with suppress(OSError):
            if NAP.encode() in Path(f"/proc/{one.pid}/cmdline").read_bytes().split(b"\0"):
                return True
    return False


def test_after_a_kill_of_us_nothing_runs_on_and_the_same_command_goes_on(
    name: str, suite: Suite, server: ScriptedServer, tmp_path: Path
) -> None:
    one = attempts.write_three(tmp_path / "one", cases=1, names=("telescope",))
    run, dialect = tmp_path / "runs/run", harness(name).dialects[0]
    arguments = ("generate", one.path, "-o", run, *options(server, who=name, dialect=dialect))
    server.scripts["default"] = NAPS
    with started(*arguments) as process:
        until(lambda: napping(run), 120)
        assert gone(kill(process) | in_cells(run))
    time.sleep(0.2)
    assert not in_cells(run)
    assert not submission.finished(run, one.tasks[0].alias)
    server.scripts["default"] = BRIEF
    attempts.here(*arguments)
    made = submission.load(run, one.tasks[0].alias)[0]
    assert (made.ended, made.verifier_hash) == (Ended.SUBMITTED, HASH)
    assert attempts.left_in(run) == []
