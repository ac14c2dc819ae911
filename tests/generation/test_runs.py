"""A run over a suite: what is resumed, what stays open, when it stops, and whose folder it is."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from verifierbench.core import (
    Ended,
    InfrastructureError,
    Limits,
    MalformedInput,
    Protocol,
    Run,
    Submission,
    Task,
    UserError,
)
from verifierbench.core.files import decode, encode, write_atomically
from verifierbench.generation import agent, generate, submission
from verifierbench.generation.runs import Outage
from verifierbench.suite import Suite

from . import attempts
from .attempts import GOOD, VERIFIER, provider, writing
from .scripted import Script, ScriptedServer


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return attempts.write_three(tmp_path_factory.mktemp("suite") / "three", cases=4)


class Many:
    """A suite of as many tasks as wanted."""

    def __init__(self, task: Task, count: int) -> None:
        self.path, self.hash = Path("nowhere"), "ab" * 32
        self.tasks = [msgspec.structs.replace(task, id=f"many/{n}") for n in range(count)]


class Scripted:
    """Writes what it is told to, task by task: a verifier, or an error that is raised."""

    name, harness, model = "scripted m", "scripted", "m"

    def __init__(self, ends: Mapping[str, Exception] | None = None, **about: Any) -> None:
        self.ends, self.begun = dict(ends or {}), list[str]()
        self._about = {"harness_version": "1", "provider": "custom", "protocol": Protocol(), **about}

    def about(self) -> dict[str, Any]:
        return self._about

    def attempt(self, task: Task, schema: Mapping[str, Any], run: Path, limits: Limits) -> Submission:
        self.begun.append(task.id)
        if task.id in self.ends:
            raise self.ends[task.id]
        return submission.keep(run, task.alias, VERIFIER.encode(), "", ended=Ended.SUBMITTED)


def down(*numbers: int) -> dict[str, Exception]:
    return {f"many/{n}": Outage(f"the provider gave no answer (500: {n})") for n in numbers}


@pytest.fixture
def many(suite: Suite) -> Many:
    return Many(suite.tasks[0], 6)


def finished(many: Many, run: Path) -> list[str]:
    return [task.id for task in many.tasks if submission.finished(run, task.alias)]


def test_an_outage_leaves_its_task_open_and_the_others_go_on(many: Many, tmp_path: Path) -> None:
    writer, heard = Scripted(down(1, 3)), list[Submission]()
    with pytest.raises(UserError, match=r"2 of 6 tasks stayed open: .*500: 3.*; the same command goes on"):
        generate(many, writer, tmp_path, done=heard.append)
    assert finished(many, tmp_path) == ["many/0", "many/2", "many/4", "many/5"]
    assert len(heard) == 4
    again = Scripted()
    generate(many, again, tmp_path, done=heard.append)
    assert again.begun == ["many/1", "many/3"]
    assert finished(many, tmp_path) == [task.id for task in many.tasks]
    assert len(heard) == 4 + 6  # what is resumed is told too


def test_three_outages_in_a_row_stop_the_run_and_every_open_task_is_counted(many: Many, tmp_path: Path) -> None:
    writer = Scripted(down(1, 2, 3))
    with pytest.raises(UserError, match="5 of 6 tasks stayed open"):
        generate(many, writer, tmp_path)
    assert writer.begun == ["many/0", "many/1", "many/2", "many/3"]
    assert finished(many, tmp_path) == ["many/0"]


def test_several_at_once_stop_too_and_lose_nothing(many: Many, tmp_path: Path) -> None:
    writer = Scripted(down(0, 1, 2, 3, 4, 5))
    with pytest.raises(UserError, match="stayed open"):
        generate(many, writer, tmp_path, workers=2)
    assert 3 <= len(writer.begun) <= 4  # one may have begun beside the third
    generate(many, Scripted(), tmp_path, workers=3)
    assert finished(many, tmp_path) == [task.id for task in many.tasks]


def test_a_failure_of_our_own_side_leaves_its_task_open_like_an_outage(many: Many, tmp_path: Path) -> None:
    """Regression: a cell that was lost ended the whole run with a traceback."""
    for workers in (1, 2):
        writer = Scripted({"many/1": InfrastructureError("the cell is no more: it was closed or killed")})
        run = tmp_path / str(workers)
        with pytest.raises(UserError, match="1 of 6 tasks stayed open: the cell is no more"):
            generate(many, writer, run, workers=workers)
        assert len(finished(many, run)) == 5


def test_what_the_user_has_to_mend_stops_at_once(many: Many, tmp_path: Path) -> None:
    writer = Scripted({"many/2": UserError("the provider refuses the key or the model (no)")})
    with pytest.raises(UserError, match="refuses the key"):
        generate(many, writer, tmp_path)
    assert writer.begun == ["many/0", "many/1", "many/2"]
    assert finished(many, tmp_path) == ["many/0", "many/1"]


def test_several_at_once_begin_no_more_once_the_user_has_to_mend(many: Many, tmp_path: Path) -> None:
    writer = Scripted({"many/0": UserError("the provider refuses the key or the model (no)")})
    with pytest.raises(UserError, match="refuses the key"):
        generate(many, writer, tmp_path, workers=2)
    assert len(writer.begun) <= 3


def test_as_many_as_asked_for_are_at_work_at_once(many: Many, tmp_path: Path) -> None:
    together = threading.Barrier(3)

    class Waiting(Scripted):
        def attempt(self, task: Task, schema: Mapping[str, Any], run: Path, limits: Limits) -> Submission:
            together.wait(20)  # breaks where fewer than three are here
            return super().attempt(task, schema, run, limits)

    generate(many, Waiting(), tmp_path, workers=3)
    assert finished(many, tmp_path) == [task.id for task in many.tasks]


OTHERS: dict[str, dict[str, Any]] = {
    "model": {"model": "another"},
    "harness": {"harness": "another"},
    "suite_hash": {"suite_hash": "cd" * 32},
    "seed": {"seed": "1"},
    "limits": {"limits": Limits(seconds=1.0)},
    "provider": {"provider": "openai"},
    "protocol": {"protocol": Protocol(effort="low")},
    "harness_version": {"harness_version": "2"},
    "generation": {"generation": 2},
}


@pytest.mark.parametrize("field", OTHERS)
def test_a_folder_is_not_continued_by_another_run(many: Many, tmp_path: Path, field: str) -> None:
    run = generate(many, Scripted(), tmp_path)
    write_atomically(tmp_path / "run.json", encode(msgspec.structs.replace(run, **OTHERS[field])))
    writer = Scripted()
    with pytest.raises(MalformedInput, match=rf"\$\.{field}: the folder holds another run"):
        generate(many, writer, tmp_path)
    assert writer.begun == []


def test_a_name_may_be_another_and_the_first_one_stays(many: Many, tmp_path: Path) -> None:
    generate(many, Scripted(), tmp_path, name="first")
    assert generate(many, Scripted(), tmp_path, name="second").name == "first"


def test_a_folder_of_a_built_in_agent_is_not_a_harnesss(many: Many, tmp_path: Path) -> None:
    generate(many, agent("accept-all"), tmp_path)
    assert decode(tmp_path / "run.json", Run).protocol is None
    with pytest.raises(MalformedInput, match="the folder holds another run"):
        generate(many, Scripted(), tmp_path)


# With a model


def test_a_run_is_resumed_at_the_task_that_is_open(suite: Suite, tmp_path: Path) -> None:
    """The provider is down for the second task; the first one is not asked for again."""
    down_for = {"handmade/renew_refused"}
    with ScriptedServer({"default": Script((*GOOD.commands[:1], "submit"))}) as server:
        whole, broken = provider(server), provider(server, url={"fault": "500"})
        with writing(lambda task: broken if task.id in down_for else whole, tmp_path / "evidence") as writer:
            with pytest.raises(UserError, match=r"1 of 3 tasks stayed open: the provider gave no answer \(500: "):
                generate(suite, writer, tmp_path)
            record = attempts.record_of(tmp_path, suite, "renew_refused")
            assert not (record.parent / "submission.json").exists()
            assert [one.ended for one in attempts.tape(tmp_path, suite, "renew_refused")][-1:] == ["outage"]
            kept = {
                name: (tmp_path / name).read_bytes() for name in _files(tmp_path, "telescope", "shelf", suite=suite)
            }
            asked = len(server.received)
            down_for.clear()
            generate(suite, writer, tmp_path)
    assert len(server.received) - asked == 2
    assert all(submission.load(tmp_path, task.alias)[0].ended is Ended.SUBMITTED for task in suite.tasks)
    assert kept == {name: (tmp_path / name).read_bytes() for name in kept}
    assert [one.ended for one in attempts.tape(tmp_path, suite, "renew_refused")] == ["tools", "tools"]
    assert attempts.left_in(tmp_path) == []


def _files(run: Path, *names: str, suite: Suite) -> list[str]:
    folders = [submission.place(run, suite.task(f"handmade/{name}").alias) for name in names]
    return [str(path.relative_to(run)) for folder in folders for path in folder.rglob("*") if path.is_file()]


def test_a_run_within_its_suite_is_refused(suite: Suite) -> None:
    for place in (suite.path, suite.path / "public", suite.path / "hidden/run"):
        with pytest.raises(UserError, match="lies within the suite"):
            generate(suite, agent("accept-all"), place)


def test_two_at_once_in_one_folder_are_refused(suite: Suite, tmp_path: Path) -> None:
    class Second(Scripted):
        def attempt(self, *_: Any) -> Submission:
            with pytest.raises(UserError, match="is being written by another process"):
                generate(suite, agent("accept-all"), tmp_path / "run")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(suite, Second({}), tmp_path / "run")
    assert not (tmp_path / "run/submissions").exists()
