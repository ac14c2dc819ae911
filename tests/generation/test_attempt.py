"""Single attempts with the built-in loop in its cell, the gateway and the desk: crash, clock, budget, switches."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from verifierbench.core import Ended, Task, Unavailable, UserError, sha256
from verifierbench.generation import generate, harness, submission
from verifierbench.generation.desk import pick, read_desk
from verifierbench.generation.gateway import Price
from verifierbench.generation.gateway.upstream import Provider, Upstream
from verifierbench.generation.harnesses import Brief, Launch
from verifierbench.generation.runs import Stopped
from verifierbench.sandbox.cell import Cell, CellPlan
from verifierbench.scoring import RunFolder, score
from verifierbench.suite import Suite

from . import attempts
from .attempts import CRASH, GOOD, SAMPLE, VERIFIER, WRITE, attempt, provider, record_of, tape, until
from .scripted import Script, ScriptedServer

HASH = sha256(VERIFIER.encode())
LOOKS = Script(("cat TASK.md", f"{WRITE}\nsubmit"))
"""Reads the page, whose text is then in the record, and hands in."""


@pytest.fixture(scope="module", autouse=True)
def namespaces() -> None:
    try:
        Cell(CellPlan()).close()
    except Unavailable as lacking:
        pytest.skip(str(lacking))


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    return attempts.write_three(tmp_path_factory.mktemp("suite") / "three", cases=6)


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    scripts = {"default": GOOD, "crash": CRASH, "looks": LOOKS}
    with ScriptedServer(scripts) as running:
        yield running


def by(server: ScriptedServer, name: str, *commands: str) -> Any:
    """A provider that follows this script."""
    server.scripts[name] = Script(commands)
    return lambda _: provider(server, url={"script": name})


def sources(run: Path, suite: Suite, name: str) -> bytes | None:
    return submission.load(run, suite.task(f"handmade/{name}").alias)[1]


# How it ends


def test_what_an_attempt_leaves(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    price = Price(input=10.0, cached=1.0, output=100.0)
    made = attempt(suite, "telescope", tmp_path, lambda _: provider(server), price=price)
    assert (made.outcome, made.ended, made.verifier_hash, made.attempts) == ("submitted", Ended.SUBMITTED, HASH, 1)
    assert (made.spent.model_calls, made.spent.selftests, made.spent.executions, made.spent.blocked) == (3, 1, 0, 0)
    assert (made.spent.input_tokens, made.spent.cached_tokens) == (3 * 1200, 3 * 200)
    assert (made.spent.output_tokens, made.spent.reasoning_tokens) == (3 * 57, 3 * 7)
    # (1000 × 10 + 200 × 1 + 57 × 100) USD per million, three times
    assert made.spent.cost_usd == pytest.approx(3 * 15_900 / 1e6)
    assert sources(tmp_path, suite, "telescope") == VERIFIER.encode()
    assert attempts.left_in(tmp_path) == []
    kept = {path.name for path in record_of(tmp_path, suite, "telescope").iterdir()}
    streams = {"stdout.txt", "stderr.txt"}
    assert kept == {"exchanges.jsonl", "desk.jsonl", "versions.jsonl", "versions", "trajectory.json", *streams}
    assert not attempts.in_cells(tmp_path)


def test_a_harness_that_crashes_is_started_twice_again_and_what_stands_is_kept(
    suite: Suite, server: ScriptedServer, tmp_path: Path
) -> None:
    made = attempt(suite, "telescope", tmp_path, lambda _: provider(server, url={"script": "crash"}))
    assert (made.ended, made.attempts, made.outcome, made.verifier_hash) == (Ended.CRASHED, 3, "submitted", HASH)
    record = record_of(tmp_path, suite, "telescope")
    for folder in (record, record.with_name("crash-1"), record.with_name("crash-2")):
        assert len((folder / "exchanges.jsonl").read_text().splitlines()) == 2
    assert not record.with_name("crash-3").exists()


def test_a_harness_that_crashes_once_begins_from_nothing_and_its_first_record_is_kept(
    suite: Suite, server: ScriptedServer, tmp_path: Path
) -> None:
    scripts = iter(["crash", "after"])
    server.scripts["after"] = Script(("ls; ls -A ~", f"{WRITE}\nsubmit"))

    def upstream(_: Task) -> Upstream:
        return provider(server, url={"script": next(scripts)})

    made = attempt(suite, "telescope", tmp_path, upstream)
    assert (made.ended, made.attempts) == (Ended.SUBMITTED, 2)
    assert [path.name for path in record_of(tmp_path, suite, "telescope").parent.glob("crash-*")] == ["crash-1"]
    listed = tape(tmp_path, suite, "telescope")[1].request["messages"][-1]["content"]
    assert "TASK.md" in listed
    assert "verifier.py" not in listed


def test_time_that_runs_out_keeps_what_stands_and_leaves_no_process(
    suite: Suite, server: ScriptedServer, tmp_path: Path
) -> None:
    slow = by(server, "slow", WRITE, "setsid sleep 600 & sleep 600")
    made = attempt(suite, "telescope", tmp_path, slow, seconds=3.0)
    assert (made.ended, made.attempts, made.verifier_hash) == (Ended.TIME, 1, HASH)
    assert 3.0 <= made.seconds < 15.0
    assert not attempts.in_cells(tmp_path)


def test_time_that_runs_out_while_the_model_is_asked_is_time_too(
    suite: Suite, server: ScriptedServer, tmp_path: Path
) -> None:
    made = attempt(suite, "telescope", tmp_path, lambda _: provider(server, url={"fault": "hang@1"}), seconds=2.5)
    assert (made.ended, made.verifier_hash) == (Ended.TIME, HASH)


def test_without_a_verifier_it_is_missing_and_says_why(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    made = attempt(suite, "telescope", tmp_path, by(server, "idle", "ls"))
    assert (made.ended, made.outcome, made.verifier_hash) == (Ended.FINISHED, "missing", None)
    assert made.trace[-1] == {"event": "missing", "reason": "the workspace has no verifier.py"}


def test_what_is_written_after_submit_does_not_count(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    later = by(server, "later", f"{WRITE}\nsubmit; echo 'verify = None' > verifier.py; submit; rm verifier.py; false")
    made = attempt(suite, "telescope", tmp_path, later)
    assert (made.ended, made.verifier_hash) == (Ended.SUBMITTED, HASH)
    assert sources(tmp_path, suite, "telescope") == VERIFIER.encode()
    entries = read_desk(record_of(tmp_path, suite, "telescope"))
    assert [(entry.tool, entry.outcome) for entry in entries] == [("submit", "answered"), ("submit", "malformed")]


def test_a_harness_that_crashes_after_submit_has_handed_in(
    suite: Suite, server: ScriptedServer, tmp_path: Path
) -> None:
    made = attempt(suite, "telescope", tmp_path, by(server, "falls", f"{WRITE}\nsubmit; kill -9 -1"))
    assert (made.ended, made.attempts, made.verifier_hash) == (Ended.SUBMITTED, 1, HASH)


def test_the_budget_of_model_calls(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    before = len(server.received)
    made = attempt(suite, "telescope", tmp_path, lambda _: provider(server), model_calls=2)
    assert (made.ended, made.spent.model_calls, made.verifier_hash) == (Ended.BUDGET, 2, HASH)
    assert len(server.received) - before == 2
    last = tape(tmp_path, suite, "telescope")[-1]
    assert (last.ended, last.refusal) == ("budget", "This run's budget of 2 model calls is used up.")


def test_the_budget_of_costs(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    price = Price(input=0.0, output=1_000_000 / 57)  # one USD an answer
    made = attempt(suite, "telescope", tmp_path, lambda _: provider(server), price=price, cost_usd=1.5)
    assert (made.ended, made.spent.model_calls, made.spent.cost_usd) == (Ended.BUDGET, 2, pytest.approx(2.0))


def test_a_conversation_that_is_too_long(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    made = attempt(suite, "telescope", tmp_path, lambda _: provider(server, url={"fault": "overflow@1"}))
    assert (made.ended, made.attempts, made.verifier_hash) == (Ended.OVERFLOW, 1, HASH)


class Renames:
    """A harness that asks for another model than it was told to, as some do."""

    name, version, dialects, program = "renames", "1", ("chat",), None

    def launch(self, brief: Brief) -> Launch:
        return harness("loop").launch(msgspec.structs.replace(brief, model="scripted-1-mini"))


def test_another_model_than_the_runs_is_never_asked(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    before = len(server.received)
    made = attempt(suite, "telescope", tmp_path, lambda _: provider(server), who=Renames())
    assert (made.ended, made.outcome, made.attempts) == (Ended.CRASHED, "missing", 3)
    assert len(server.received) == before
    (refused,) = tape(tmp_path, suite, "telescope")
    assert refused.ended == "refused"
    assert "'scripted-1'" in str(refused.refusal)
    assert "'scripted-1-mini'" in str(refused.refusal)


@pytest.mark.parametrize("status", [401, 404])
def test_a_key_or_a_model_that_the_provider_refuses_is_one_sentence(
    suite: Suite, server: ScriptedServer, tmp_path: Path, status: int
) -> None:
    with pytest.raises(UserError, match="the provider refuses the key or the model"):
        attempt(suite, "telescope", tmp_path, lambda _: provider(server, url={"fault": str(status)}))
    assert not submission.finished(tmp_path, suite.task("handmade/telescope").alias)
    assert attempts.left_in(tmp_path) == []


def test_a_stop_ends_the_attempt_and_keeps_nothing(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    waits = by(server, "waits", WRITE, "sleep 600")
    raised: list[BaseException] = []

    def work() -> None:
        try:
            generate(attempts.part(suite, "telescope"), writer, tmp_path)
        except BaseException as error:  # told to the test
            raised.append(error)

    with attempts.writing(waits, tmp_path / "evidence") as writer:
        thread = threading.Thread(target=work)
        thread.start()
        until(lambda: [it for it in server.asked() if it.script == "waits"][1:] and attempts.in_cells(tmp_path))
        writer._stop.set()
        thread.join(20)
    assert [type(error) for error in raised] == [Stopped]
    assert not submission.finished(tmp_path, suite.task("handmade/telescope").alias)
    assert attempts.left_in(tmp_path) == []
    assert not attempts.in_cells(tmp_path)


# What the protocol says


def test_the_switches_reach_the_page_and_hold(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    runs = "def verify(solution, env):\n    env.run({'events': []})\n    return 'PASS'\n"
    script = by(
        server,
        "switches",
        f"cat TASK.md\n{SAMPLE}\ncat > verifier.py <<'END'\n{runs}END",
        "for n in 1 2 3; do runpublic s.json; done; selftest s.json; selftest s.json --vary /answer '\"x\"'; submit",
    )
    protocol: dict[str, Any] = {"executions": 3, "reserved": 1, "necessity": True, "effort": "low"}
    made = attempt(suite, "renew_refused", tmp_path, script, output_tokens=5_000, **protocol)
    page = json.dumps(tape(tmp_path, suite, "renew_refused")[1].request)
    assert "can be executed 3 times in all" in page
    assert "The last 1 are kept for self-tests" in page
    assert "--vary POINTER VALUE" in page
    assert "examples/" not in page
    entries = read_desk(record_of(tmp_path, suite, "renew_refused"))
    assert [(entry.tool, entry.outcome, entry.left) for entry in entries] == [
        ("runpublic", "answered", 2),
        ("runpublic", "answered", 1),
        ("runpublic", "blocked", 1),
        ("selftest", "answered", 0),
        ("selftest", "blocked", 0),
        ("submit", "answered", 0),
    ]
    assert (made.spent.executions, made.spent.blocked) == (3, 2)
    asked = [it.body for it in server.asked() if it.script == "switches"]
    assert {it["reasoning_effort"] for it in asked} == {"low"}
    assert {it["max_completion_tokens"] for it in asked} == {5_000}


def test_without_the_switches_the_page_is_silent_and_the_tools_decline(
    suite: Suite, server: ScriptedServer, tmp_path: Path
) -> None:
    vary = f"cat TASK.md; {WRITE}\n{SAMPLE}\nselftest s.json --vary /answer 1; ls examples; submit"
    attempt(suite, "renew_refused", tmp_path, by(server, "plain", vary, "true"))
    assert [entry.tool for entry in read_desk(record_of(tmp_path, suite, "renew_refused"))] == ["submit"]
    document = json.loads((record_of(tmp_path, suite, "renew_refused") / "trajectory.json").read_text())
    (command,) = [call for step in document["steps"] for call in step.get("tool_calls", ())]
    assert "--vary" in command["arguments"]["command"]
    request = tape(tmp_path, suite, "renew_refused")[0].request
    assert request["reasoning_effort"] == "high"
    assert request["max_completion_tokens"] == 32_768


def test_labelled_cases_are_shown_bare_and_left_out_of_the_score(
    suite: Suite, server: ScriptedServer, tmp_path: Path
) -> None:
    task = suite.task("handmade/telescope")
    picked = pick(suite.cases(task), 3, "0")
    assert {case.label for case in picked} == {"PASS", "FAIL"}
    shows = by(server, "shows", "cat TASK.md; ls -R", "cat examples/*.json", f"{WRITE}\nsubmit")
    made = attempt(suite, "telescope", tmp_path, shows, labelled=3, examples=lambda one: pick(suite.cases(one), 3, "0"))
    assert made.shown == tuple(case.content_hash for case in picked)
    page, printed = (one.request["messages"][-1]["content"] for one in tape(tmp_path, suite, "telescope")[1:3])
    assert "`examples/` holds 3 solutions" in page
    examples = json.loads(f"[{printed.rpartition('[exit')[0].replace('}' + chr(10) + '{', '},{')}]")
    assert examples == [{"solution": case.content, "label": case.label.value} for case in picked]
    everything = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()).decode()
    for case in suite.cases(task):
        for hidden in (task.id, case.id, *(ground.note for ground in case.grounds if ground.note)):
            assert hidden not in everything
    score(suite, tmp_path, workers=1)
    scored = {row.case for row in RunFolder(tmp_path).rows() if row.task == task.id}
    assert scored == {case.id for case in suite.cases(task)} - {case.id for case in picked}


@pytest.mark.parametrize("dialect", ["responses", "messages", "gemini"])
def test_every_dialect(suite: Suite, server: ScriptedServer, tmp_path: Path, dialect: Any) -> None:
    server.scripts["brief"] = Script((WRITE, "submit"))

    def upstream(_: Task) -> Provider:
        return provider(server, dialect, url={"script": "brief"})

    made = attempt(suite, "telescope", tmp_path, upstream, dialect=dialect)
    assert (made.ended, made.verifier_hash, made.spent.model_calls) == (Ended.SUBMITTED, HASH, 2)
    assert (made.spent.input_tokens, made.spent.output_tokens) == (2 * 1200, 2 * 57)


def test_a_harness_that_will_not_end_after_submit_is_ended(
    suite: Suite, server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifierbench.generation.attempt.SUBMITTED_SECONDS", 0.5)
    made = attempt(suite, "telescope", tmp_path, by(server, "lingers", f"{WRITE}\nsubmit; sleep 600"))
    assert (made.ended, made.verifier_hash) == (Ended.SUBMITTED, HASH)
    assert made.trace[0]["ended"] == "stopped"
    assert made.seconds < 20
    assert not attempts.in_cells(tmp_path)


# Regressions


def test_an_empty_verifier_that_was_handed_in_is_final(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    made = attempt(
        suite, "telescope", tmp_path, by(server, "empty", "touch verifier.py; submit; echo X=1 > verifier.py")
    )
    assert (made.ended, made.verifier_hash) == (Ended.SUBMITTED, sha256(b""))
    assert sources(tmp_path, suite, "telescope") == b""


def test_a_number_without_an_end_is_the_agents_mistake_and_ends_nothing(
    suite: Suite, server: ScriptedServer, tmp_path: Path
) -> None:
    ask = """echo '{"turns": [{"calls": [], "message": "x", "answer": 1e999}]}' | selftest -"""
    made = attempt(suite, "telescope", tmp_path, by(server, "endless", f"{WRITE}\n{ask}; submit"))
    assert (made.ended, made.verifier_hash) == (Ended.SUBMITTED, HASH)
    entries = read_desk(record_of(tmp_path, suite, "telescope"))
    assert [(entry.tool, entry.outcome) for entry in entries] == [("selftest", "malformed"), ("submit", "answered")]


def test_words_that_have_no_utf8_form_end_no_run(suite: Suite, server: ScriptedServer, tmp_path: Path) -> None:
    made = attempt(suite, "telescope", tmp_path, by(server, "half", "echo \ud83d", f"{WRITE}\nsubmit"))
    assert made.ended in (Ended.SUBMITTED, Ended.CRASHED)
    assert json.loads((record_of(tmp_path, suite, "telescope") / "trajectory.json").read_text())["steps"]
