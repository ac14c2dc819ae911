"""`generate` as a user types it: options, mistakes in one sentence, interruptions, replay."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from verifierbench.cli._asked import Asked, model_of
from verifierbench.core import Ended, Protocol, Run, Submission, Unavailable, UserError, sha256
from verifierbench.core.files import decode
from verifierbench.generation import submission
from verifierbench.sandbox.cell import Cell, CellPlan
from verifierbench.suite import Suite

from ..generation import attempts
from ..generation.attempts import VERIFIER, WRITE, gone, here, options, started, until
from ..generation.scripted import Script, ScriptedServer

BRIEF = Script((f"{WRITE}\nsubmit",))
"""One answer of the model is all it takes."""


@pytest.fixture(scope="module", autouse=True)
def namespaces() -> None:
    try:
        Cell(CellPlan()).close()
    except Unavailable as lacking:
        pytest.skip(str(lacking))


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    place = tmp_path_factory.mktemp("suite") / "two"
    return attempts.write_three(place, cases=2, names=("telescope", "renew_refused"))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    scripts = {"default": BRIEF, "waits": Script((WRITE, "sleep 600"))}
    with ScriptedServer(scripts) as running:
        yield running


def submissions(suite: Suite, run: Path) -> list[Submission]:
    return [submission.load(run, task.alias)[0] for task in suite.tasks if submission.finished(run, task.alias)]


def test_several_generations_with_a_protocol_and_a_price(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    run, price = tmp_path / "runs", ("--price", "10,1,100")
    settings = ("--set", "effort=low", "--set", "cost_usd=2", "--set", "seconds=60")
    done = here("generate", suite.path, *options(server), "-o", run, "-k", 2, *settings, *price)
    # (1000 × 10 + 200 × 1 + 57 × 100) USD per million is 0.0159 for each of two tasks
    assert f"{run / '2'}: 2 of 2 verifiers written, 2 model calls, $0.03\n" in done.stdout
    assert sorted(path.name for path in run.iterdir()) == ["1", "2"]
    described = [decode(run / str(n) / "run.json", Run) for n in (1, 2)]
    assert [(one.name, one.generation) for one in described] == [("loop scripted-1 #1", 1), ("loop scripted-1 #2", 2)]
    protocol = Protocol(effort="low", cost_usd=2.0, seconds=60.0)
    assert {one.protocol for one in described} == {protocol}
    assert (described[0].harness, described[0].harness_version, described[0].provider.split()[0]) == (
        "loop",
        "1",
        "custom",
    )
    assert {it.body["reasoning_effort"] for it in server.asked()} == {"low"}
    for n in (1, 2):
        for made in submissions(suite, run / str(n)):
            assert (made.ended, made.verifier_hash) == (Ended.SUBMITTED, sha256(VERIFIER.encode()))
            assert made.spent.cost_usd == pytest.approx(0.0159)
    taken = here(
        *("generate", suite.path, *options(server), "-o", tmp_path / "other"),
        *("--protocol", run / "1/run.json", "--set", "cost_usd=none"),
    )
    assert "2 of 2 verifiers written, 2 model calls\n" in taken.stdout
    assert decode(tmp_path / "other/run.json", Run).protocol == Protocol(effort="low", seconds=60.0)


def test_a_replay_asks_nobody_and_writes_the_same(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    here("generate", suite.path, *options(server), "-o", tmp_path / "first")
    asked = len(server.received)
    address = options(server)[:4]  # without the base URL: there is nobody to ask
    replay = ("--replay", tmp_path / "first")
    here("generate", suite.path, *address, *replay, "-o", tmp_path / "second")
    assert len(server.received) == asked
    first, second = (submissions(suite, tmp_path / name) for name in ("first", "second"))
    for one, other in zip(first, second, strict=True):
        assert (one.verifier_hash, one.ended, one.spent) == (other.verifier_hash, other.ended, other.spent)


def test_a_provider_that_is_down_leaves_every_task_open(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    broken = options(server, fault="500")
    done = here("generate", suite.path, *broken, "-o", tmp_path / "run", "--set", "seconds=2", code=2)
    assert "verifierbench: 2 of 2 tasks stayed open: the provider gave no answer (500: " in done.stderr
    assert "the same command goes on" in done.stderr
    assert "Traceback" not in done.stderr
    assert submissions(suite, tmp_path / "run") == []


def test_a_key_that_is_refused_is_one_sentence(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    done = here("generate", suite.path, *options(server, fault="401"), "-o", tmp_path / "run", code=2)
    assert "verifierbench: the provider refuses the key or the model (401: " in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("number", "at_once"), [(signal.SIGINT, 1), (signal.SIGTERM, 2)])
def test_an_interruption_leaves_nothing_and_the_same_command_goes_on(
    suite: Suite, server: ScriptedServer, tmp_path: Path, number: int, at_once: int
) -> None:
    arguments: tuple[Any, ...] = ("generate", suite.path, "-o", tmp_path / "run", "--tasks-at-once", at_once)
    server.scripts["default"] = server.scripts["waits"]
    with started(*arguments, *options(server)) as process:
        # Asked a second time, and so at work on the command that waits.
        until(lambda: sum(it.turn == 1 for it in server.asked()) == at_once and attempts.in_cells(tmp_path / "run"))
        those = attempts.descendants(process.pid)
        assert len(those) > 3
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "verifierbench: interrupted; the same command goes on where it stopped" in said
    assert "Traceback" not in said
    assert gone(those)
    assert not attempts.in_cells(tmp_path / "run")
    assert attempts.left_in(tmp_path / "run") == []
    assert submissions(suite, tmp_path / "run") == []
    server.scripts["default"] = BRIEF
    here(*arguments, *options(server))
    assert [made.ended for made in submissions(suite, tmp_path / "run")] == [Ended.SUBMITTED] * 2


MISTAKES: dict[str, tuple[tuple[str, ...], str]] = {
    "harness": (("--harness", "pie", "--model", "custom/m"), "no harness is called 'pie'; did you mean pi?"),
    "model": (("--harness", "loop", "--model", "gpt"), "a model is named PROVIDER/MODEL, not 'gpt'"),
    "provider": (("--harness", "loop", "--model", "nobody/m"), "no provider is called 'nobody'"),
    "key": (("--harness", "loop", "--model", "openai/m"), "put it into the variable OPENAI_API_KEY"),
    "base URL": (("--harness", "loop", "--model", "custom/m"), "needs a base URL with its version"),
    "dialect": (
        ("--harness", "loop", "--model", "custom/m", "--base-url", "http://127.0.0.1:9/v1", "--speaks", "latin"),
        "no dialect is called 'latin'",
    ),
    "field": (
        ("--harness", "loop", "--model", "custom/m", "--set", "efort=low"),
        "no field of the protocol is called 'efort'; did you mean effort?",
    ),
    "value": (("--harness", "loop", "--model", "custom/m", "--set", "effort=most"), "--set: Invalid enum value 'most'"),
    "protocol": (
        ("--harness", "loop", "--model", "custom/m", "--protocol", "nowhere.json"),
        "nowhere.json: No such file or directory",
    ),
    "price": (
        (
            *("--harness", "loop", "--model", "custom/m", "--base-url", "http://127.0.0.1:9/v1", "--speaks", "chat"),
            *("--price", "cheap"),
        ),
        "--price is INPUT,OUTPUT or INPUT,CACHED,OUTPUT",
    ),
    "replay": (
        ("--harness", "loop", "--model", "custom/m", "--replay", "nowhere"),
        "nowhere: no attempt is recorded here",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_and_begins_nothing(
    suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mistake: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    arguments, sentence = MISTAKES[mistake]
    done = here("generate", suite.path, *arguments, "-o", tmp_path / "run", code=2)
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run/run.json").exists()


def test_harness_and_provider_have_to_speak_one_dialect() -> None:
    told = dict.fromkeys(Asked._fields) | {"model": "custom/m", "base_url": "http://127.0.0.1:9/v1"}
    asked = Asked(**{**told, "harness": "codex", "speaks": ("chat", "gemini")})
    with pytest.raises(UserError, match=r"^codex speaks responses; custom chat, gemini$"):
        model_of(asked, ("responses",))


def test_a_replay_of_a_run_without_one_of_the_tasks_names_it(
    suite: Suite, server: ScriptedServer, tmp_path: Path
) -> None:
    here("generate", suite.path, *options(server), "-o", tmp_path / "first")
    alias = suite.tasks[0].alias
    shutil.rmtree(tmp_path / "first/submissions" / alias)
    replay = ("--replay", tmp_path / "first")
    done = here("generate", suite.path, *options(server)[:4], *replay, "-o", tmp_path / "second", code=2)
    assert f"{alias}: no attempt at this task is recorded here" in done.stderr


def test_a_single_generation_and_several_do_not_share_a_folder(suite: Suite, tmp_path: Path) -> None:
    for first, second in (((), ("-k", 1)), (("-k", 1), ())):
        run = tmp_path / f"runs{len(first)}"
        here("generate", suite.path, "--model", "accept-all", "-o", run, *first)
        assert (
            "name another folder"
            in here("generate", suite.path, "--model", "accept-all", "-o", run, *second, code=2).stderr
        )


def test_an_option_that_needs_a_model_is_refused_without_one(suite: Suite, tmp_path: Path) -> None:
    chosen = ("--set", "seconds=nonsense", "--price", "abc")
    done = here("generate", suite.path, "--model", "heuristic", "-o", tmp_path / "run", *chosen, code=2)
    assert "--set, --price: there is no model with --harness builtin" in done.stderr
    assert not (tmp_path / "run").exists()
