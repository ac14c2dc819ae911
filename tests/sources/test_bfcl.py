"""BFCL's real entries: our reading against upstream's gold, and upstream's checker against the labels.

Uses what `verifierbench sources install bfcl` left, or installs it for this run; without either the tests are skipped.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from verifierbench.core import (
    DEVELOPMENT,
    Candidate,
    Case,
    Decision,
    MalformedInput,
    SourceChecker,
    Unavailable,
    Verdict,
)
from verifierbench.families import decide
from verifierbench.families.tool_call import FAMILY
from verifierbench.sources.bfcl import BFCL, Bfcl
from verifierbench.sources.bfcl.curation import HERE, curation
from verifierbench.sources.bfcl.data import COMMAND, DATA, FILES, Entry, load
from verifierbench.sources.bfcl.tasks import entry_id
from verifierbench.sources.ledger import Defect

TABLES = curation()


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def entries(home: None) -> dict[str, Entry]:
    return load(BFCL.packages, [task.id for task in TABLES.task])


@pytest.fixture(scope="session")
def made(home: None) -> dict[str, Candidate]:
    found = (each for each in BFCL.candidates(DEVELOPMENT) if each.task.environment is None)
    return {entry_id(each.task.id): each for each in found}


@pytest.fixture(scope="session")
def checker(home: None) -> Iterator[SourceChecker]:
    found = BFCL.checker()
    assert found is not None
    yield found
    found.close()


@pytest.fixture(scope="session")
def verdicts(made: dict[str, Candidate], checker: SourceChecker) -> list[tuple[Candidate, Case, Decision]]:
    """Upstream's decision on every third case, gold included: each takes a fork of the worker."""
    return [(each, case, checker.decide(each.task, case.content)) for each in made.values() for case in each.cases[::3]]


def _accepts(candidate: Candidate, content: Any) -> bool:
    return decide(FAMILY, candidate.task.reference, content, lambda _: None).ok


def _gold(candidate: Candidate) -> Any:
    return json.loads(json.dumps(next(case.content for case in candidate.cases if case.kind == "gold")))


def _change(candidate: Candidate, call: int, **arguments: Any) -> Any:
    content = _gold(candidate)
    content["turns"][0]["calls"][call]["arguments"] |= arguments
    return content


def test_without_upstream_the_sentence_names_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VERIFIERBENCH_HOME", str(tmp_path))
    status = Bfcl().status()
    assert not status.ready
    assert COMMAND in status.needs
    assert Bfcl().checker() is None
    with pytest.raises(Unavailable, match=COMMAND):
        Bfcl().candidates(DEVELOPMENT)


def test_a_folder_without_upstreams_wheel_installs_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VERIFIERBENCH_HOME", str(tmp_path / "home"))
    (tmp_path / "wheels").mkdir()
    with pytest.raises(
        Unavailable, match=r"bfcl-eval==2026\.3\.23, mpmath==1\.3\.0 could not be installed from .*; put its wheel"
    ):
        Bfcl().install(tmp_path / "wheels")
    assert not Bfcl().status().ready


def test_no_sentence_of_upstream_is_in_our_tables(entries: dict[str, Entry]) -> None:
    words_of = re.compile(r"[A-Za-z]{2,}").findall
    ours = " ".join(words_of((HERE / "tasks.toml").read_text() + (HERE / "defects.toml").read_text()))
    for entry in entries.values():
        for text in (entry.instruction, json.dumps(entry.tools)):
            words = words_of(text)
            runs = (" ".join(words[place : place + 7]) for place in range(len(words) - 6))
            assert [run for run in runs if run in ours] == [], entry.id


def test_at_least_twenty_tasks_with_enough_cases_of_both_kinds(made: dict[str, Candidate]) -> None:
    assert len(made) >= 20
    cases = [case for candidate in made.values() for case in candidate.cases]
    assert len(cases) >= 20 * len(made)
    assert sum(case.label is Verdict.PASS for case in cases) >= 0.35 * len(cases)
    assert len({case.id for case in cases}) == len(cases)
    assert not {task.id for task in TABLES.left_out} & set(made)


def test_what_the_demo_holds_back_are_the_tasks_of_many_calls(made: dict[str, Candidate]) -> None:
    due = {f"bfcl/{name}": len(_gold(each)["turns"][0]["calls"]) for name, each in made.items()}
    assert set(BFCL.lengthy) == {name for name, calls in due.items() if calls >= 4}
    assert 0 < len(BFCL.lengthy) < len(made) / 2


def test_the_same_season_gives_the_same_cases(made: dict[str, Candidate]) -> None:
    again = list(islice(BFCL.candidates(DEVELOPMENT), 5))
    assert again == list(made.values())[:5]


def test_every_case_is_labelled_as_the_reference_decides(made: dict[str, Candidate]) -> None:
    wrong = [
        case.id
        for candidate in made.values()
        for case in candidate.cases
        if _accepts(candidate, case.content) != (case.label is Verdict.PASS)
    ]
    assert wrong == []


def test_what_upstream_accepts_is_right_here_or_stands_in_the_ledger(
    entries: dict[str, Entry], made: dict[str, Candidate]
) -> None:
    """Each accepted value of each argument, put into gold: right here, unless the ledger removes it."""
    removed = {(d.task, d.call, d.argument, repr(value)) for d in TABLES.defect for value in d.remove}
    tried = 0
    for name, entry in entries.items():
        for place, call in enumerate(entry.gold or []):
            ((_, arguments),) = call.items()
            for argument, values in arguments.items():
                for value in values:
                    tried += 1
                    content = _gold(made[name])
                    given = content["turns"][0]["calls"][place]["arguments"]
                    if value == "":
                        given.pop(argument, None)
                    else:
                        given[argument] = _written(value)
                    expected = (name, place, argument, repr(value)) not in removed
                    assert _accepts(made[name], content) is expected, (name, place, argument, value)
    assert tried > 200


def _written(value: Any) -> Any:
    """An accepted value as a solver writes it: of an object, without what may be left out."""
    if not isinstance(value, dict):
        return value
    return {key: choices[0] for key, choices in value.items() if "" not in choices}


def test_a_key_of_an_object_that_upstream_lets_go_may_be_stated_at_its_default_alone(
    made: dict[str, Candidate],
) -> None:
    body = _gold(made["live_simple_40-17-0"])["turns"][0]["calls"][0]["arguments"]["body"]
    assert "targetTemperature" not in body
    for temperature, right in ((22, True), (23, False)):
        stated = _change(made["live_simple_40-17-0"], 0, body={**body, "targetTemperature": temperature})
        assert _accepts(made["live_simple_40-17-0"], stated) is right


def test_what_upstream_demands_may_be_left_out_only_where_it_or_the_ledger_says_so(
    entries: dict[str, Entry], made: dict[str, Candidate]
) -> None:
    """The reference lets an argument be left out exactly where upstream's gold, as the ledger repairs it, does."""
    repaired = {
        (each.task, each.call, each.argument): "" in each.add
        for each in TABLES.defect
        if "" in (*each.add, *each.remove)
    }
    assert set(repaired.values()) == {True, False}
    for name, entry in entries.items():
        for place, call in enumerate(entry.gold or []):
            ((_, arguments),) = call.items()
            for argument, values in arguments.items():
                content = _gold(made[name])
                content["turns"][0]["calls"][place]["arguments"].pop(argument, None)
                expected = repaired.get((name, place, argument), "" in values)
                assert _accepts(made[name], content) is expected, (name, place, argument)


def test_upstreams_checker_accepts_every_gold_but_where_it_accepts_nothing_or_null_alone(
    verdicts: list[tuple[Candidate, Case, Decision]],
) -> None:
    golds = {case.task: decision.verdict for _, case, decision in verdicts if case.kind == "gold"}
    assert len(golds) == len(TABLES.task)
    rejected = {entry_id(task) for task, verdict in golds.items() if verdict is not Verdict.PASS}
    assert rejected == {"live_simple_106-63-0", "live_multiple_1038-265-0"}
    passed = {case.task for _, case, decision in verdicts if decision.verdict is case.label is Verdict.PASS}
    assert golds.keys() - passed == {"bfcl/live_simple_106-63-0"}


@pytest.mark.parametrize("task", ["parallel_73", "parallel_multiple_132"])
def test_a_formula_is_right_as_the_user_writes_it_and_no_case_turns_on_another_spelling(
    made: dict[str, Candidate], task: str
) -> None:
    for case in made[task].cases:
        if case.label is Verdict.PASS:
            formulas = [call["arguments"].get("function") for call in case.content["turns"][0]["calls"]]
            assert all(text is None or text in made[task].task.instruction for text in formulas), case.id
    assert _accepts(made[task], _change(made[task], 0, function="3*x**2 + 2*x - 1"))


@pytest.mark.parametrize(
    ("task", "argument", "value"),
    [
        ("parallel_73", "function_variable", "X"),
        ("parallel_multiple_132", "function_variable", "X"),
        ("simple_python_296", "key", "c"),
    ],
)
def test_a_name_of_one_letter_keeps_its_case(made: dict[str, Candidate], task: str, argument: str, value: str) -> None:
    assert not _accepts(made[task], _change(made[task], 0, **{argument: value}))


AIR = {
    "airConJobMode": "AIR_CLEAN",
    "windStrength": "HIGH",
    "monitoringEnabled": True,
    "airCleanOperationMode": "POWER_ON",
}
DISAGREEMENTS = [
    # ledger entry, task, change of gold, call, the checker's verdict
    ("B1", "parallel_73", {"function": "3x*2 + 2x - 1"}, 0, Verdict.PASS),
    ("B1", "parallel_197", {"case_number": "12-345 abc"}, 0, Verdict.PASS),
    ("B1", "live_multiple_420-141-9", {"show_date": "2023-1006"}, 0, Verdict.PASS),
    ("B2", "parallel_multiple_143", {"genotype": "aa"}, 2, Verdict.PASS),
    ("B3", "live_multiple_515-150-3", {"genre": "horror"}, 0, Verdict.PASS),
    ("B3", "live_simple_101-60-0", {"default_ssid": ""}, 0, Verdict.PASS),
    ("B4", "live_simple_95-56-0", {"categories": ["green", "blue", "red"]}, 0, Verdict.FAIL),
    ("B6", "multiple_20", {"size": 3.0}, 0, Verdict.FAIL),
    ("B7", "live_simple_40-17-0", {"body": AIR | {"monitoringEnabled": 1}}, 0, Verdict.PASS),
    ("D1", "simple_python_385", {"check_in_date": "2023-10-15"}, 0, Verdict.PASS),
    ("D14", "live_simple_38-15-0", {"location": "Yosemite National Park, CA"}, 0, Verdict.FAIL),
    ("D23", "simple_python_385", {"location": "Los Angeles, California"}, 0, Verdict.FAIL),
    ("D24", "parallel_multiple_184", {"team_name": "all"}, 1, Verdict.FAIL),
    ("D33", "parallel_multiple_143", {"specs": ["open-hole", "silver-headjoint"]}, 1, Verdict.PASS),
    ("D34", "parallel_multiple_156", {"amenities": ["Wi-Fi"]}, 1, Verdict.PASS),
    ("D37", "parallel_multiple_167", {"case_type": "all"}, 2, Verdict.FAIL),
    ("D42", "parallel_multiple_173", {"time_frame": "12 months"}, 2, Verdict.PASS),
]


@pytest.mark.parametrize(("defect", "task", "change", "call", "said"), DISAGREEMENTS)
def test_a_known_defect_shows(
    made: dict[str, Candidate],
    checker: SourceChecker,
    defect: str,
    task: str,
    change: dict[str, Any],
    call: int,
    said: Verdict,
) -> None:
    assert defect in {each.id for each in TABLES.defect}
    content = _change(made[task], call, **change)
    assert checker.decide(made[task].task, content).verdict is said
    assert _accepts(made[task], content) is (said is Verdict.FAIL)


def test_calls_are_given_away_first_come_first_served(made: dict[str, Candidate], checker: SourceChecker) -> None:
    """B5: upstream's first due call takes either company, and so the call that another due call needs."""
    each = made["parallel_178"]
    content = _gold(each)
    assert checker.decide(each.task, content).verdict is Verdict.PASS
    content["turns"][0]["calls"].reverse()
    assert _accepts(each, content)
    assert checker.decide(each.task, content).verdict is Verdict.FAIL


def test_every_checker_defect_of_the_ledger_is_shown() -> None:
    """B5 is about the order of calls, and shown above."""
    claimed = {defect.id for defect in TABLES.defect if defect.kind == "checker"}
    assert claimed <= {row[0] for row in DISAGREEMENTS} | {"B5"}


def test_every_disagreement_has_its_reason_in_the_ledger(
    verdicts: list[tuple[Candidate, Case, Decision]],
) -> None:
    ledger = {defect.id for defect in TABLES.defect}
    wrong = [(each, case) for each, case, decision in verdicts if decision.verdict is not case.label]
    assert wrong
    for candidate, case in wrong:
        assert _reasons(candidate, case) & ledger, case.id


def _reasons(candidate: Candidate, case: Case) -> set[str]:
    """Entries of the ledger that explain why upstream's checker disagrees with a label."""
    if case.label is Verdict.FAIL:
        known = {
            "over_normalised": {"B1"},
            "case_changed": {"B1", "B3"},
            "empty_default": {"B3"},
            "enum_twin": {"B2"},
            "one_for_true": {"B7"},
        }
        return known.get(case.operator) or _repairs(candidate, case, "remove")
    changed = _changed(candidate, case)
    found = _repairs(candidate, case, "add")
    numbers = [value for value in changed if isinstance(value, float) and value.is_integer()]
    numbers += [part for value in changed if isinstance(value, list) for part in value if isinstance(part, float)]
    if numbers:
        found.add("B6")
    if any(isinstance(value, list) and all(isinstance(part, str) for part in value) for value in changed):
        found.add("B4")
    if case.operator == "call_order":
        found.add("B5")
    return found


def _changed(candidate: Candidate, case: Case) -> list[Any]:
    """Argument values that gold does not have."""
    values = [value for call in _gold(candidate)["turns"][0]["calls"] for value in call["arguments"].values()]
    known = {json.dumps(value) for value in values}
    given = [value for call in case.content["turns"][0]["calls"] for value in call["arguments"].values()]
    return [value for value in given if json.dumps(value) not in known]


def _repairs(candidate: Candidate, case: Case, kind: str) -> set[str]:
    return {
        defect.id
        for defect in TABLES.defect
        if defect.task == entry_id(case.task)
        and _given(candidate, case, defect) & {_squeezed(value) for value in getattr(defect, kind)}
    }


def _given(candidate: Candidate, case: Case, defect: Defect) -> set[str]:
    """What a case's calls of the tool a repair is about give for its argument; nothing where it is left out."""
    tool = _gold(candidate)["turns"][0]["calls"][defect.call]["name"]
    calls = [call["arguments"] for call in case.content["turns"][0]["calls"] if call["name"] == tool]
    return {_squeezed(given.get(defect.argument, "")) for given in calls}


def _squeezed(value: Any) -> str:
    return re.sub(r"[\W_]+", "", str(value)).lower()


def test_upstreams_checker_agrees_as_often_as_measured(
    verdicts: list[tuple[Candidate, Case, Decision]], record_property: Any
) -> None:
    """Task-averaged rates: it accepts nearly all that is right, and rejects nearly all that is wrong."""
    rates = {}
    for label in Verdict:
        tasks: dict[str, list[bool]] = {}
        for _, case, decision in verdicts:
            if case.label is label:
                tasks.setdefault(case.task, []).append(decision.verdict is label)
        rates[label] = sum(sum(each) / len(each) for each in tasks.values()) / len(tasks)
        record_property(f"{label} rate", rates[label])
    assert 0.85 < rates[Verdict.PASS] < 1
    assert 0.90 < rates[Verdict.FAIL] < 1
    assert all(decision.verdict is not None for *_, decision in verdicts)


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_installed_files_are_the_pinned_ones(home: None, tmp_path: Path, name: str) -> None:
    """One byte more in any file used, and nothing is read from it."""
    copy = tmp_path / DATA / name
    category = Path(name).name.removeprefix("BFCL_v4_").removesuffix(".json")
    task = next(task.id for task in TABLES.task if task.id.rpartition("_")[0] == category)
    for other in (Path(name).name, f"possible_answer/{Path(name).name}"):
        if other in FILES:
            (tmp_path / DATA / other).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(BFCL.packages / DATA / other, tmp_path / DATA / other)
    assert list(load(tmp_path, [task])) == [task]
    copy.write_bytes(copy.read_bytes() + b"\n")
    with pytest.raises(MalformedInput, match=re.escape(name)):
        load(tmp_path, [task])
