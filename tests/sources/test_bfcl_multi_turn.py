"""BFCL's multi-turn tasks: upstream's simulators as an environment, our reading, and upstream's checker beside it.

Uses what `verifierbench sources install bfcl` left, or installs it for this run; without either the tests are skipped.
"""

from __future__ import annotations

import json
import shutil
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from verifierbench.audit import Subject, TreeJudge
from verifierbench.audit.checks import check
from verifierbench.audit.ladder import ladder
from verifierbench.core import (
    DEVELOPMENT,
    Candidate,
    CaseKind,
    Decision,
    EnvironmentRefusal,
    Inconsistent,
    MalformedInput,
    Unavailable,
    Verdict,
    canonical_hash,
)
from verifierbench.families import view
from verifierbench.families.tool_call import FAMILY
from verifierbench.sources.bfcl import BFCL
from verifierbench.sources.bfcl.data import COMMAND, DATA
from verifierbench.sources.bfcl.multi_turn import tasks
from verifierbench.sources.bfcl.multi_turn.checker_worker import decoded
from verifierbench.sources.bfcl.multi_turn.curation import Curation, curation
from verifierbench.sources.bfcl.multi_turn.data import Entry, load, parsed
from verifierbench.sources.bfcl.multi_turn.environment import simulators
from verifierbench.sources.bfcl.multi_turn.explanations import explain

TABLES = curation()
LOOKED_AT = ("multi_turn_base_22", "multi_turn_miss_func_40", "multi_turn_miss_param_134")
"""One task of each category, for what takes long."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home in which bfcl is installed: the user's, or one for this run."""
    with pytest.MonkeyPatch.context() as patch:
        if not BFCL.status().ready:
            patch.setenv("VERIFIERBENCH_HOME", str(tmp_path_factory.mktemp("home")))
            try:
                BFCL.install(None)
            except Unavailable as error:
                pytest.skip(f"needs `{COMMAND}`: {error}")
        yield
        simulators(BFCL.packages).close()


@pytest.fixture(scope="module")
def entries(home: None) -> dict[str, Entry]:
    return load(BFCL.packages, [task.id for task in TABLES.task])


@pytest.fixture(scope="module")
def made(entries: dict[str, Entry]) -> dict[str, Candidate]:
    """The candidates that are looked at closely."""
    some = msgspec.structs.replace(TABLES, task=tuple(task for task in TABLES.task if task.id in LOOKED_AT))
    found = tasks.candidates(entries, some, simulators(BFCL.packages), DEVELOPMENT)
    return {each.task.id.partition("/")[2]: each for each in found}


@pytest.fixture(scope="module")
def decisions(made: dict[str, Candidate]) -> Iterator[list[tuple[Any, Any, Decision]]]:
    checker = BFCL.checker()
    assert checker is not None
    yield [(each.task, case, checker.decide(each.task, case.content)) for each in made.values() for case in each.cases]
    checker.close()


def played(name: str, *turns: list[dict[str, Any]]) -> Any:
    return simulators(BFCL.packages).play(name, {"turns": [{"calls": calls} for calls in turns]})


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"name": tool, "arguments": arguments}


# Data -----------------------------------------------------------------------------------------------------------------


def test_a_call_is_parsed_and_never_evaluated() -> None:
    order = {"diff": ["file_name1", "file_name2"]}
    assert parsed("diff('a', file_name2='b')", order) == call("diff", file_name1="a", file_name2="b")
    for text in ("diff(open('x'))", "diff(1+1)", "a.diff('x')", "diff('a'", "other()", "'diff'"):
        with pytest.raises(Inconsistent, match="not a call with literal arguments"):
            parsed(text, order)


def test_other_bytes_are_refused(home: None, tmp_path: Path) -> None:
    name = "BFCL_v4_multi_turn_base.json"
    target = tmp_path / DATA
    shutil.copytree(BFCL.packages / DATA, target)
    (target / name).write_bytes((target / name).read_bytes() + b"\n")
    with pytest.raises(MalformedInput, match=name):
        load(tmp_path, ["multi_turn_base_0"])
    with pytest.raises(MalformedInput, match="there is no entry of this id"):
        load(tmp_path, ["multi_turn_miss_func_9999"])


def test_every_recommended_entry_is_a_task_or_left_out_with_a_reason() -> None:
    numbers = {
        "base": (0, 5, 22, 24, 51, 68, 72, 110, 141, 148),
        "miss_func": (36, 40, 52, 103, 143),
        "miss_param": (15, 19, 54, 125, 134),
    }
    wanted = {f"multi_turn_{category}_{number}" for category, all_of in numbers.items() for number in all_of}
    tasks_, out = {task.id for task in TABLES.task}, {each.id for each in TABLES.left_out}
    assert (tasks_ | out, tasks_ & out) == (wanted, set())
    assert all(len(each.why.split()) > 10 for each in TABLES.left_out)


# The environment ------------------------------------------------------------------------------------------------------


def test_gold_plays_without_an_error_and_what_no_tool_shows_is_not_in_the_state(entries: dict[str, Entry]) -> None:
    for name, entry in entries.items():
        answer = played(name, *(list(turn) for turn in entry.gold))
        assert not [one for turn in answer["turns"] for one in turn["results"] if "error" in one], name
        text = json.dumps([turn["state"] for turn in answer["turns"]])
        assert "password" not in text
        assert "long_context" not in text


def test_where_the_user_stands_and_how_hard_the_pedal_is_pressed_are_seen(home: None) -> None:
    there = played("multi_turn_base_0", [call("cd", folder="document")])["turns"][0]
    assert there["results"][0]["changed"]
    assert there["state"]["GorillaFileSystem"]["current_directory"] == "/workspace/document"
    pressed = played("multi_turn_base_51", [call("pressBrakePedal", pedalPosition=0.5)])["turns"][0]
    assert pressed["state"]["VehicleControlAPI"]["brakePedalForce"] == 500


def test_a_session_starts_from_the_initial_state_whatever_was_played_before(home: None) -> None:
    first = played("multi_turn_base_0", [call("cd", folder="document"), call("rm", file_name="final_report.pdf")])
    assert first["turns"][0]["results"][1]["changed"]
    assert "final_report.pdf" in json.dumps(played("multi_turn_base_0", [])["turns"][0]["state"])


def test_default_arguments_that_upstream_changes_do_not_leak_into_the_next_session(home: None) -> None:
    """Found by cases that failed together and passed alone: a mention ended up in every later tweet."""
    post = [call("post_tweet", content="x"), call("mention", tweet_id=5, mentioned_usernames=["@all"])]
    sessions = [{"turns": [{"calls": calls}]} for calls in (post, post[:1])]
    together = simulators(BFCL.packages).play_all("multi_turn_base_68", sessions)
    alone = played("multi_turn_base_68", post[:1])
    assert together[1] == alone
    assert alone["turns"][0]["state"]["TwitterAPI"]["tweets"]["5"]["mentions"] == []


def test_what_is_played_together_is_what_is_played_alone(made: dict[str, Candidate]) -> None:
    found = made["multi_turn_miss_func_40"]
    sessions = [FAMILY.request(case.content, {"play": "solution"}) for case in found.cases[:40]]
    together = simulators(BFCL.packages).play_all("multi_turn_miss_func_40", sessions)
    environment = BFCL.environment(found.task)
    assert environment is not None
    assert together == [environment.execute(session) for session in sessions]


def test_a_malformed_request_is_refused_in_words(made: dict[str, Candidate]) -> None:
    environment = BFCL.environment(made["multi_turn_base_22"].task)
    assert environment is not None
    with pytest.raises(EnvironmentRefusal, match="a request is"):
        environment.execute({"turns": [{"calls": "cd"}]})


def test_a_version_is_known_without_upstream_and_is_the_tasks_own(
    made: dict[str, Candidate], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    one, other, _ = (BFCL.environment(each.task) for each in made.values())
    assert one is not None
    assert other is not None
    assert one.version != other.version
    monkeypatch.setenv("VERIFIERBENCH_HOME", str(tmp_path))
    again = BFCL.environment(next(iter(made.values())).task)
    assert again is not None
    assert again.version == one.version


def test_a_play_takes_milliseconds(entries: dict[str, Entry]) -> None:
    """Bounded loosely: the machine is shared. What upstream itself needs is about a millisecond."""
    turns = [list(turn) for turn in entries["multi_turn_base_110"].gold]
    seconds = []
    for _ in range(15):
        start = time.perf_counter()
        played("multi_turn_base_110", *turns)
        seconds.append(time.perf_counter() - start)
    assert statistics.median(seconds) < 0.25


# Tasks and cases ------------------------------------------------------------------------------------------------------


def test_a_task_has_enough_cases_of_both_kinds(made: dict[str, Candidate]) -> None:
    for found in made.values():
        labels = Counter(case.label for case in found.cases)
        assert labels.total() >= 25
        assert labels[Verdict.PASS] >= 0.35 * labels.total()
        attacks = {case.id for case in found.cases if case.kind.is_attack}
        assert len(attacks) >= 4
        assert attacks == {case.control_of for case in found.cases if case.control_of}
        assert sum(case.kind is CaseKind.PROCESS_VIOLATION for case in found.cases) >= 3


@pytest.mark.parametrize("name", LOOKED_AT)
def test_the_audit_has_nothing_to_say(made: dict[str, Candidate], name: str) -> None:
    task, cases = made[name].task, made[name].cases
    requests = {
        canonical_hash(one): one
        for case in cases
        for one in (FAMILY.request(case.content, probe) for probe in task.reference.probes.values())
    }
    answers = dict(zip(requests, simulators(BFCL.packages).play_all(name, list(requests.values())), strict=True))

    def execute(request: Any) -> Any:
        return answers[canonical_hash(request)]

    subject = Subject(
        task=task,
        cases=cases,
        family=FAMILY,
        judge=TreeJudge.of(task.reference, FAMILY),
        views={case.id: view(FAMILY, task.reference, case.content, execute) for case in cases},
        ladder=ladder(task.family),
        execute=execute,
    )
    for one in ("replay", "consistency", "baselines", "mutation", "grounding", "potency"):
        found = check(one).examine(subject)
        assert found.passed > 0
        assert [flaw.says for flaw in found.flaws] == [], one


def test_a_reading_that_does_not_fit_its_entry_is_no_task(entries: dict[str, Entry]) -> None:
    curated = TABLES.task[0]
    less = msgspec.structs.replace(curated, turn=curated.turn[:-1])
    astray = msgspec.structs.replace(curated.turn[1].lookup[0], why="words nobody said")
    wrong = msgspec.structs.replace(curated.turn[1], lookup=(astray,))
    other = msgspec.structs.replace(curated, turn=(curated.turn[0], wrong, *curated.turn[2:]))
    for reading, says in ((less, "it has 4 turns and the reading 3"), (other, "has not said 'words nobody said'")):
        some = tasks.candidates(entries, Curation(task=(reading,)), simulators(BFCL.packages), DEVELOPMENT)
        with pytest.raises(Inconsistent, match=says):
            next(iter(some))


# Upstream's checker ---------------------------------------------------------------------------------------------------


def test_a_solution_is_written_as_upstream_reads_it() -> None:
    turns = [{"calls": [call("sort", file_name="a'b"), call("ls")]}, {"calls": []}]
    assert decoded(turns) == [[['sort(file_name="a\'b")', "ls()"]], []]


def test_upstream_accepts_gold_and_rejects_nothing_done(decisions: list[tuple[Any, Any, Decision]]) -> None:
    for task, case, said in decisions:
        if case.operator in ("gold", "nothing"):
            assert said.verdict is case.label, (task.id, case.id, said)


def test_every_disagreement_is_explained_by_an_entry_of_a_ledger(decisions: list[tuple[Any, Any, Decision]]) -> None:
    wrong = [(task, case, said) for task, case, said in decisions if said.verdict is not case.label]
    found = [BFCL.explain(*each) for each in wrong]
    assert {each and each.defect for each in found} == {"B6", "B11", "B12", "D25"}
    assert {each.id for each in TABLES.defect} == {"B11", "B12", "D25"}


def test_an_entry_does_not_excuse_whatever_it_likes(decisions: list[tuple[Any, Any, Decision]]) -> None:
    """Agreement needs none, and had upstream said the opposite of what is right, few cases would be excused."""
    right = [(task, case, said) for task, case, said in decisions if said.verdict is case.label]
    assert not any(explain(*each) for each in right)
    turned = {Verdict.PASS: Verdict.FAIL, Verdict.FAIL: Verdict.PASS}
    excused = [
        explain(task, case, msgspec.structs.replace(said, verdict=turned[case.label])) for task, case, said in right
    ]
    assert sum(each is not None for each in excused) < 0.15 * len(right)
