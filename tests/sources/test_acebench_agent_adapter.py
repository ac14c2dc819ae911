"""ACEBench's agent tasks on invented entries and simulators in upstream's form; no network, real workers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from verifierbench.core import (
    DEVELOPMENT,
    Candidate,
    Case,
    CaseKind,
    Decision,
    EnvironmentRefusal,
    Ground,
    Inconsistent,
    MalformedInput,
    Reason,
    UnknownName,
    Verdict,
)
from verifierbench.families import decide
from verifierbench.families.tool_call import FAMILY
from verifierbench.families.tool_call.session.build import SAID_BY_THE_USER, SAID_TO_THE_USER
from verifierbench.families.tool_call.session.environment import Simulators
from verifierbench.sources.acebench.agent import explanations
from verifierbench.sources.acebench.agent.checker import AgentChecker, BothCheckers
from verifierbench.sources.acebench.agent.curation import Curated, Curation, curation
from verifierbench.sources.acebench.agent.data import Entry, Tool, load
from verifierbench.sources.acebench.agent.environment import GUEST, SCRIPT
from verifierbench.sources.acebench.agent.explanations import differing, explain
from verifierbench.sources.acebench.agent.gold import agree
from verifierbench.sources.acebench.agent.tasks import candidates
from verifierbench.suite.validate import validate

from .acebench_agent_entries import DEFECTS, STEP, TASKS, TURN, write, write_package

ORDERED = {"username": "Ida", "items": [{"product": "tart", "quantity": 2}, {"product": "tea", "quantity": 1}]}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Curation:
    folder = tmp_path_factory.mktemp("tables")
    (folder / "tasks.toml").write_text(TASKS)
    (folder / "defects.toml").write_text(DEFECTS)
    return curation(folder)


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory, tables: Curation) -> dict[str, Entry]:
    folder = tmp_path_factory.mktemp("upstream")
    return load(folder, [STEP, TURN], tables.mended, write(folder))


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packages")
    write_package(folder)
    return folder


@pytest.fixture(scope="module")
def simulators(packages: Path, entries: dict[str, Entry]) -> Iterator[Simulators]:
    scenarios = {name: entry.scenario for name, entry in entries.items()}
    found = Simulators(SCRIPT, lambda: (GUEST, packages), lambda: {"scenarios": scenarios})
    yield found
    found.close()


@pytest.fixture(scope="module")
def made(entries: dict[str, Entry], tables: Curation, simulators: Simulators) -> dict[str, Candidate]:
    found = candidates(entries, tables, simulators, DEVELOPMENT)
    return {each.task.id.partition("/")[2]: each for each in found}


@pytest.fixture(scope="module")
def checker(packages: Path, entries: dict[str, Entry]) -> Iterator[AgentChecker]:
    found = AgentChecker(packages, entries)
    yield found
    found.close()


@pytest.fixture
def ledger(tables: Curation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanations, "curation", lambda: tables)


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"name": tool, "arguments": arguments}


def played(simulators: Simulators, name: str, *calls: dict[str, Any]) -> Any:
    return simulators.play(name, {"turns": [{"calls": list(calls)}]})["turns"][0]


def session(*calls: dict[str, Any]) -> dict[str, Any]:
    return {"turns": [{"calls": list(calls), "message": None, "answer": None}]}


def of(candidate: Candidate, *calls: dict[str, Any], clauses: tuple[str, ...], kind: CaseKind) -> Case:
    return Case(
        id=f"{candidate.task.id}#by_hand.0",
        task=candidate.task.id,
        kind=kind,
        content=session(*calls),
        operator="by_hand",
        grounds=tuple(Ground(clause=clause, note="by hand") for clause in clauses),
    )


# Data -----------------------------------------------------------------------------------------------------------------


def test_an_entry_is_read_with_its_end_state_and_its_mended_tools(entries: dict[str, Entry]) -> None:
    step = entries[STEP]
    assert (step.category, step.question[-1]) == ("agent_multi_step", ".")
    assert [name for part in step.end for name in part] == list(step.classes)
    login = next(tool for tool in step.tools if tool["name"] == "login_food_platform")
    assert login["parameters"]["required"] == ["username", "password"]
    order = next(tool for tool in step.tools if tool["name"] == "add_food_delivery_order")["parameters"]
    assert order["properties"]["items"]["type"] == "array"


def test_other_bytes_and_unknown_ids_are_refused(tmp_path: Path, tables: Curation) -> None:
    pins = write(tmp_path)
    with pytest.raises(MalformedInput, match="there is no entry of this id"):
        load(tmp_path, ["en_agent_multi_step_9"], tables.mended, pins)
    name = "data_all/data_en/possible_answer/data_agent_multi_turn.json"
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes() + b"\n")
    with pytest.raises(MalformedInput, match="data_agent_multi_turn"):
        load(tmp_path, [TURN], tables.mended, pins)


def test_a_repair_of_a_tool_that_needs_none_is_refused(tmp_path: Path) -> None:
    pins = write(tmp_path)
    with pytest.raises(Inconsistent, match="add_reminder requires title already"):
        load(tmp_path, [STEP], [Tool(name="add_reminder", requires=("title",))], pins)


# The environment ------------------------------------------------------------------------------------------------------


def test_a_refusal_is_an_error_whether_its_status_is_false_or_a_word(simulators: Simulators) -> None:
    login = call("login_food_platform", username="Ida", password="amber")
    wrong = call("login_food_platform", username="Ida", password="forgotten")
    offline, _, other, unsaid = played(
        simulators, STEP, login, call("turn_on_wifi"), wrong, call("add_food_delivery_order", username="Ole", items=[])
    )["results"]
    assert (offline["error"], other["error"], unsaid["error"]) == ("offline", "no", "refused")
    assert not any(one["changed"] for one in (offline, other, unsaid))


def test_the_device_is_one_for_all_simulators_and_no_password_is_shown(simulators: Simulators) -> None:
    seen = played(simulators, STEP, call("turn_on_wifi"), call("login_food_platform", username="Ida", password="amber"))
    state = seen["state"]
    assert state["BaseApi"] == {"wifi": True, "logged_in": True}
    assert set(state["FoodPlatform"]) == {"users", "logged_in_users", "orders"}
    assert "password" not in json.dumps(state)
    assert state["FoodPlatform"]["logged_in_users"] == ["Ida"]
    assert played(simulators, STEP)["state"]["FoodPlatform"]["logged_in_users"] == []


def test_a_tool_that_no_simulator_has_fails_and_a_private_name_is_no_tool(simulators: Simulators) -> None:
    listed, private = played(
        simulators, TURN, call("search_reminders", keyword="kite"), call("_load_scenario", scenario={})
    )["results"]
    assert "search_reminders is out of order" in listed["error"]
    assert "no tool named '_load_scenario'" in private["error"]


def test_a_whole_number_is_an_integer_wherever_it_stands(simulators: Simulators) -> None:
    calls = [call("turn_on_wifi"), call("login_food_platform", username="Ida", password="amber")]
    for items in ([{"product": "tart", "quantity": 2.0}], [{"product": "tart", "quantity": 2}]):
        seen = played(simulators, STEP, *calls, call("add_food_delivery_order", username="Ida", items=items))
        assert seen["results"][2]["changed"]
        assert seen["state"]["FoodPlatform"]["users"]["Ida"]["balance"] == 20 - 2 * 2
    half = call("add_food_delivery_order", username="Ida", items=[{"product": "tart", "quantity": 2.5}])
    assert "error" in played(simulators, STEP, *calls, half)["results"][2]


def test_a_malformed_request_is_refused_in_words(simulators: Simulators) -> None:
    with pytest.raises(EnvironmentRefusal, match="a request is"):
        simulators.play(STEP, {"turns": [{"calls": "turn_on_wifi"}]})


# Tasks and cases ------------------------------------------------------------------------------------------------------


def test_every_case_is_labelled_as_the_reference_decides(made: dict[str, Candidate], simulators: Simulators) -> None:
    for name, candidate in made.items():
        validate(candidate)
        for case in candidate.cases:
            finding = decide(
                FAMILY,
                candidate.task.reference,
                case.content,
                lambda request, name=name: simulators.play(name, request),
            )
            assert finding.ok == (case.label is Verdict.PASS), case.id


def test_who_is_spoken_to_is_said(made: dict[str, Candidate]) -> None:
    step, turn = (made[name].task.instruction for name in (STEP, TURN))
    assert (step.startswith(SAID_BY_THE_USER), turn.startswith(SAID_TO_THE_USER)) == (True, True)


def test_another_right_value_is_a_way_and_a_case(made: dict[str, Candidate]) -> None:
    notes = [case.grounds[0].note for case in made[STEP].cases if case.operator == "other_way"]
    assert notes == ["the tea stands first", "two is written 2.0"]


def test_no_case_swaps_what_the_words_put_first(
    entries: dict[str, Entry], tables: Curation, simulators: Simulators, made: dict[str, Candidate]
) -> None:
    assert not [case for case in made[TURN].cases if case.operator == "reordered"]
    loose = msgspec.structs.replace(tables, task=(msgspec.structs.replace(tables.task[1], first=()),))
    (found,) = candidates(entries, loose, simulators, DEVELOPMENT)
    assert [case for case in found.cases if case.operator == "reordered"]


def _curated(tables: Curation, number: int, **other: Any) -> Curated:
    return msgspec.structs.replace(tables.task[number], **other)


def test_a_reading_that_does_not_fit_its_entry_is_no_task(
    entries: dict[str, Entry], tables: Curation, simulators: Simulators
) -> None:
    effect, lookup = tables.task[1].effect[0], tables.task[1].lookup[0]
    failing = (*tables.task[1].calls, call("search_reminders", keyword="x"))
    read = {
        "has not said 'words nobody said'": {"effect": (msgspec.structs.replace(effect, why=("words nobody said",)),)},
        "the initial state does not say 'Fly'": {"lookup": (msgspec.structs.replace(lookup, says=("Fly",)),)},
        "gold looks nothing up with turn_on_wifi": {"lookup": (msgspec.structs.replace(lookup, call="turn_on_wifi"),)},
        "gold's calls of search_reminders fail": {"calls": failing},
    }
    for says, other in read.items():
        some = msgspec.structs.replace(tables, task=(_curated(tables, 1, **other),))
        with pytest.raises(Inconsistent, match=says):
            next(candidates(entries, some, simulators, DEVELOPMENT))


def test_gold_ends_where_upstream_ends_but_for_the_ledger(
    entries: dict[str, Entry], tables: Curation, simulators: Simulators
) -> None:
    state = played(simulators, TURN, *tables.task[1].calls)["state"]
    agree(entries[TURN], state, tables.defect)
    with pytest.raises(Inconsistent, match=r"ends elsewhere at \['/ReminderAPI'\], and the ledger says \[\]"):
        agree(entries[TURN], state, ())
    step = played(simulators, STEP, *tables.task[0].calls)["state"]
    agree(entries[STEP], step, tables.defect)
    with pytest.raises(Inconsistent, match="orders"):
        agree(entries[STEP], played(simulators, STEP, *tables.task[0].calls[:2])["state"], tables.defect)


# Upstream's check -----------------------------------------------------------------------------------------------------


def test_upstreams_check_sees_the_end_and_says_what_differs(
    made: dict[str, Candidate], checker: AgentChecker, tables: Curation
) -> None:
    task, gold = made[STEP].task, tables.task[0].calls
    assert checker.decide(task, session(*gold)).verdict is Verdict.PASS
    assert (
        checker.decide(task, session(*gold, call("nowhere"), call("add_reminder", title="Twice"))).verdict
        is Verdict.PASS
    )
    less = checker.decide(task, session(*gold[:2], gold[3]))
    assert less.verdict is Verdict.FAIL
    assert differing(less.detail) == ["/FoodPlatform/users/Ida", "/FoodPlatform/orders"]


def test_a_foreign_task_is_refused(made: dict[str, Candidate], checker: AgentChecker) -> None:
    other = msgspec.structs.replace(made[STEP].task, id="acebench/en_agent_multi_step_99")
    with pytest.raises(UnknownName, match="ACEBench agent task"):
        checker.decide(other, session())


class _Says:
    """A checker with one answer."""

    def __init__(self, version: str, verdict: Verdict) -> None:
        self.version, self._verdict, self.closed = version, verdict, False

    def decide(self, task: Any, solution: Any) -> Decision:
        return Decision(verdict=self._verdict)

    def close(self) -> None:
        self.closed = True


def test_a_task_is_asked_about_at_its_categorys_checker(made: dict[str, Candidate]) -> None:
    single, agent = _Says("one", Verdict.FAIL), _Says("two", Verdict.PASS)
    both, task = BothCheckers(single, agent), made[STEP].task
    assert both.version == "one; two"
    assert both.decide(task, {}).verdict is Verdict.PASS
    assert both.decide(msgspec.structs.replace(task, environment=None), {}).verdict is Verdict.FAIL
    both.close()
    assert (single.closed, agent.closed) == (True, True)


# Explanations ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("ledger")
def test_every_disagreement_is_explained_and_nothing_else(made: dict[str, Candidate], checker: AgentChecker) -> None:
    seen = set()
    for candidate in made.values():
        for case in candidate.cases:
            said = checker.decide(candidate.task, case.content)
            found = explain(candidate.task, case, said)
            assert (found is None) == (said.verdict is case.label), (case.id, said, found)
            seen |= {found.defect} if found else set()
    assert seen == {"A8", "A20", "A21", "A22", "G1"}


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize(
    ("calls", "clauses", "defect"),
    [
        ([call("add_reminder", title="Fly")] * 2, ("turn1.frame",), "A8"),
        ([call("add_reminder", title="Fly")], ("turn1.frame",), None),
        ([], ("turn1.effect1",), None),
        ([], ("turn1.effect2",), None),
        ([], ("tools",), "A20"),
        ([], ("tools", "turn1.effect1"), None),
    ],
)
def test_what_upstream_takes_is_explained_where_it_does_not_look(
    made: dict[str, Candidate], calls: list[Any], clauses: tuple[str, ...], defect: str | None
) -> None:
    case = of(made[STEP], *calls, clauses=clauses, kind=CaseKind.NEAR_MISS)
    found = explain(made[STEP].task, case, Decision(verdict=Verdict.PASS))
    assert (found and found.defect) == defect


@pytest.mark.usefixtures("ledger")
def test_what_gold_misspells_is_compared_with_nothing(made: dict[str, Candidate]) -> None:
    twice = [call("add_reminder", title="Fly")] * 2
    for clauses in (("turn1.effect1",), ("turn1.frame",)):
        case = of(made[TURN], *twice, clauses=clauses, kind=CaseKind.NEAR_MISS)
        found = explain(made[TURN].task, case, Decision(verdict=Verdict.PASS))
        assert found is not None
        assert (found.defect, "ReminderAPI" in found.what) == ("G1", True)


_ORDERS = "class(FoodPlatform) attribute(orders) wrong"


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize(
    ("items", "said", "defect"),
    [
        (ORDERED["items"][::-1], _ORDERS, "A21"),
        (ORDERED["items"], _ORDERS, None),
        ([{"product": "tart", "quantity": 2.0}, ORDERED["items"][1]], _ORDERS, "A22"),
        (ORDERED["items"][::-1], f"{_ORDERS}; class(BaseApi) attribute(wifi) wrong", None),
        (ORDERED["items"][::-1], "class(ReminderApi) attribute(reminder_list.2) wrong", None),
        (ORDERED["items"][::-1], "wrong number of class", None),
        ("no list", _ORDERS, None),
    ],
)
def test_what_upstream_rejects_is_explained_at_each_place_it_names(
    made: dict[str, Candidate], items: Any, said: str, defect: str | None
) -> None:
    order = call("add_food_delivery_order", username="Ida", items=items)
    case = of(made[STEP], order, clauses=("turn1.frame",), kind=CaseKind.ALTERNATIVE)
    found = explain(made[STEP].task, case, Decision(verdict=Verdict.FAIL, detail=said))
    assert (found and found.defect) == defect


def test_agreement_and_no_verdict_need_no_explanation(made: dict[str, Candidate]) -> None:
    case = next(case for case in made[STEP].cases if case.operator == "nothing")
    assert explain(made[STEP].task, case, Decision(verdict=Verdict.FAIL, detail=_ORDERS)) is None
    assert explain(made[STEP].task, case, Decision(reason=Reason.EXCEPTION)) is None
