"""ACEBench's agent tasks on upstream's own files: our reading, upstream's simulators, and upstream's end-state check.

Uses what `verifierbench sources install acebench` left; without it the tests are skipped. VERIFIERBENCH_ACEBENCH may
name another folder with upstream's data.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from verifierbench.audit import Subject, TreeJudge
from verifierbench.audit.checks import check
from verifierbench.audit.ladder import ladder
from verifierbench.core import DEVELOPMENT, Candidate, Case, Decision, Task, Verdict, canonical_hash
from verifierbench.families import decide, view
from verifierbench.families.tool_call import FAMILY
from verifierbench.sources.acebench import ACEBENCH, REQUIREMENTS
from verifierbench.sources.acebench.agent import tasks
from verifierbench.sources.acebench.agent.checker import AgentChecker
from verifierbench.sources.acebench.agent.curation import curation
from verifierbench.sources.acebench.agent.data import Entry, load
from verifierbench.sources.acebench.agent.environment import environment, simulators
from verifierbench.sources.acebench.agent.explanations import explain
from verifierbench.sources.acebench.bring import is_here
from verifierbench.sources.acebench.data import COMMAND
from verifierbench.sources.environment import is_installed

TABLES = curation()
LOOKED_AT = ("en_agent_multi_step_9", "en_agent_multi_turn_5", "en_agent_multi_turn_23")
"""One task of each kind (order and message, reminder, flight), for what takes long."""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    chosen = os.environ.get("VERIFIERBENCH_ACEBENCH")
    found = Path(chosen) if chosen else ACEBENCH.folder
    if not is_here(found):
        pytest.skip(f"needs `{COMMAND}`, or VERIFIERBENCH_ACEBENCH to name a folder with upstream's files")
    if not is_installed(ACEBENCH.packages, REQUIREMENTS):
        pytest.skip(f"needs `{COMMAND}`")
    yield found
    simulators(ACEBENCH.packages, found).close()


@pytest.fixture(scope="module")
def entries(folder: Path) -> dict[str, Entry]:
    return load(folder, [task.id for task in TABLES.task], TABLES.mended)


@pytest.fixture(scope="module")
def made(entries: dict[str, Entry], folder: Path) -> dict[str, Candidate]:
    found = tasks.candidates(entries, TABLES, simulators(ACEBENCH.packages, folder), DEVELOPMENT)
    return {each.task.id.partition("/")[2]: each for each in found}


@pytest.fixture(scope="module")
def decisions(
    made: dict[str, Candidate], entries: dict[str, Entry], folder: Path
) -> Iterator[list[tuple[Task, Case, Decision]]]:
    checker = AgentChecker(ACEBENCH.packages, entries)
    yield [(each.task, case, checker.decide(each.task, case.content)) for each in made.values() for case in each.cases]
    checker.close()


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"name": tool, "arguments": arguments}


# The tables -----------------------------------------------------------------------------------------------------------


def test_every_recommended_entry_is_a_task_or_left_out_with_a_reason(folder: Path) -> None:
    steps, turns = (0, 3, 5, 9, 11, 14, 18), (0, 5, 8, 13, 17, 20, 25)
    wanted = {f"en_agent_multi_step_{n}" for n in steps} | {f"en_agent_multi_turn_{n}" for n in turns}
    kept, out = {task.id for task in TABLES.task}, {each.id for each in TABLES.left_out}
    assert wanted <= kept | out
    assert not kept & out
    assert set(load(folder, out, TABLES.mended)) == out
    assert all(len(each.why.split()) > 10 for each in TABLES.left_out)


def test_no_two_tasks_ask_for_the_same(entries: dict[str, Entry]) -> None:
    assert len({entry.question for entry in entries.values()}) == len(entries)


def test_the_tables_hold_a_few_words_and_no_sentence() -> None:
    """What a clause quotes; the values of calls are gold's own."""
    for task in TABLES.task:
        told = [*task.bounds, *(text for one in (*task.effect, *task.lookup) for text in (*one.why, *one.says))]
        assert all(len(re.findall(r"[A-Za-z0-9'-]+", text)) <= 7 for text in told), task.id


# The environment ------------------------------------------------------------------------------------------------------


def test_what_is_played_together_is_what_is_played_alone(made: dict[str, Candidate], folder: Path) -> None:
    found = made["en_agent_multi_step_9"]
    sessions = [FAMILY.request(case.content, {"play": "solution"}) for case in found.cases[::3]]
    together = simulators(ACEBENCH.packages, folder).play_all("en_agent_multi_step_9", sessions)
    alone = environment(found.task, ACEBENCH.packages, folder)
    assert together == [alone.execute(session) for session in sessions]


def test_a_version_is_known_without_upstream_and_is_the_tasks_own(
    made: dict[str, Candidate], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    versions = {name: environment(each.task, ACEBENCH.packages, tmp_path).version for name, each in made.items()}
    assert len(set(versions.values())) == len(made)
    monkeypatch.setenv("VERIFIERBENCH_HOME", str(tmp_path))
    for name, each in made.items():
        again = ACEBENCH.environment(each.task)
        assert again is not None
        assert again.version == versions[name]


def test_an_account_is_not_logged_in_with_another_ones_password(entries: dict[str, Entry], folder: Path) -> None:
    login = call("login_food_platform", username="Eve", password="password456")
    playing = simulators(ACEBENCH.packages, folder)
    seen = playing.play("en_agent_multi_step_0", {"turns": [{"calls": [login]}]})["turns"][0]
    assert (seen["results"][0]["error"], seen["results"][0]["changed"]) == ("Incorrect password", False)


# Tasks and cases ------------------------------------------------------------------------------------------------------


def test_a_task_has_enough_cases_of_both_kinds(made: dict[str, Candidate]) -> None:
    assert sum(len(each.cases) for each in made.values()) >= 25 * len(made)
    for found in made.values():
        labels = Counter(case.label for case in found.cases)
        assert labels[Verdict.PASS] >= 0.35 * labels.total()
        assert sum(case.kind.value == "alternative" and not case.control_of for case in found.cases) >= 2
        attacks = {case.id for case in found.cases if case.kind.is_attack}
        assert len(attacks) >= 4
        assert attacks == {case.control_of for case in found.cases if case.control_of}


@pytest.mark.parametrize("name", LOOKED_AT)
def test_the_audit_has_nothing_to_say(made: dict[str, Candidate], folder: Path, name: str) -> None:
    task, cases = made[name].task, made[name].cases
    requests = {
        canonical_hash(one): one
        for case in cases
        for one in (FAMILY.request(case.content, probe) for probe in task.reference.probes.values())
    }
    answers = simulators(ACEBENCH.packages, folder).play_all(name, list(requests.values()))
    known = dict(zip(requests, answers, strict=True))

    def execute(request: Any) -> Any:
        return known[canonical_hash(request)]

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


# Upstream's check -----------------------------------------------------------------------------------------------------


def test_upstream_accepts_gold_but_where_the_ledger_says_that_its_own_is_wrong(
    decisions: list[tuple[Task, Case, Decision]],
) -> None:
    golds = {task.id: said.verdict for task, case, said in decisions if case.operator == "gold"}
    assert {name for name, verdict in golds.items() if verdict is not Verdict.PASS} == {
        "acebench/en_agent_multi_turn_13"
    }


def test_every_disagreement_is_explained_by_an_entry_of_the_ledger(
    decisions: list[tuple[Task, Case, Decision]],
) -> None:
    wrong = [(task, case, said) for task, case, said in decisions if said.verdict is not case.label]
    found = {each and each.defect for each in (ACEBENCH.explain(*one) for one in wrong)}
    assert found == {defect.id for defect in TABLES.defect if defect.kind != "tool"}


def test_an_entry_does_not_excuse_whatever_it_likes(decisions: list[tuple[Task, Case, Decision]]) -> None:
    """Agreement needs none, and had upstream said the opposite of what is right, few cases would be excused."""
    right = [(task, case, said) for task, case, said in decisions if said.verdict is case.label]
    assert not any(explain(*each) for each in right)
    turned = {Verdict.PASS: Verdict.FAIL, Verdict.FAIL: Verdict.PASS}
    excused = [
        explain(task, case, msgspec.structs.replace(said, verdict=turned[case.label])) for task, case, said in right
    ]
    assert sum(each is not None for each in excused) < 0.15 * len(right)


def _order(user: str, merchant: str, *items: tuple[str, int]) -> dict[str, Any]:
    dishes = [{"product": product, "quantity": count} for product, count in items]
    return call("add_food_delivery_order", username=user, merchant_name=merchant, items=dishes)


def test_what_the_words_leave_open_is_accepted_and_no_case_turns_on_it(made: dict[str, Candidate]) -> None:
    """Two dishes in two orders, two packs as two entries of one: nothing public tells them from what gold does."""
    rice, hema = "Rice Village Bibimbap", "Hema Fresh"
    apart = {
        "en_agent_multi_step_9": [
            _order("Isaac", rice, (dish, 1)) for dish in ("Stone Pot Bibimbap", "Korean Beef Bibimbap")
        ],
        "en_agent_multi_step_14": [_order("Eve", hema, ("Fresh Gift Pack", 1), ("Fresh Gift Pack", 1))],
        "en_agent_multi_turn_17": [_order("Eve", hema, ("Fresh Gift Pack", 1), ("Fresh Gift Pack", 1))],
    }
    for name, orders in apart.items():
        task, gold = made[name].task, next(case for case in made[name].cases if case.operator == "gold")
        calls = [
            each
            for one in gold.content["turns"][0]["calls"]
            for each in (orders if one["name"] == "add_food_delivery_order" else [one])
        ]
        solution = {"turns": [{**gold.content["turns"][0], "calls": calls}]}
        playing = ACEBENCH.environment(task)
        assert playing is not None
        assert decide(FAMILY, task.reference, solution, playing.execute).ok, name
        assert all(case.content["turns"][0]["calls"] != calls for case in made[name].cases)
