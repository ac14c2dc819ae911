"""The ACEBench adapter on invented entries in upstream's format, with a stand-in for upstream's checker; no network."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from verifierbench.core import (
    DEVELOPMENT,
    Candidate,
    Inconsistent,
    MalformedInput,
    Reason,
    Unavailable,
    UnknownName,
    Verdict,
)
from verifierbench.families import decide
from verifierbench.families.tool_call import FAMILY, gold_solution
from verifierbench.families.tool_call.replies import FORM, POINTER
from verifierbench.sources import source, source_names
from verifierbench.sources.acebench import Acebench, dialect
from verifierbench.sources.acebench.bring import bring, is_here
from verifierbench.sources.acebench.checker import AceChecker
from verifierbench.sources.acebench.conversation import DUE, FRAME
from verifierbench.sources.acebench.curation import Curation, curation
from verifierbench.sources.acebench.data import COMMAND, Entry, category_of, load
from verifierbench.sources.acebench.tasks import candidates, reply, spec
from verifierbench.sources.acebench.wording import said
from verifierbench.suite.validate import validate

from .acebench_entries import DEFECTS, ENTRIES, GULLS, KITES, TASKS, write

CALL, TALK = "acebench/en_normal_single_turn_single_function_0", "acebench/en_normal_multi_turn_user_adjust_1_0"
MISSING, MALFORMED, UNFIT = (f"acebench/en_special_{kind}_0" for kind in ("incomplete", "error_param", "irrelevant"))
STAND_IN = """
def check_normal_answer(functions, calls, gold, category):
    if any("crash" in call for call in calls):
        raise ZeroDivisionError("upstream fell over")
    return {"valid": len(calls) == len(gold), "error_type": f"{category}:count"}


def check_special_answer(text, gold, category):
    return {"valid": "the limitations of the function" in text, "error_type": category}
"""


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    return tmp_path / "upstream"


@pytest.fixture
def pinned(upstream: Path) -> dict[str, str]:
    return write(upstream)


@pytest.fixture
def entries(upstream: Path, pinned: dict[str, str]) -> dict[str, Entry]:
    return load(upstream, ENTRIES, pinned)


@pytest.fixture
def tables(tmp_path: Path) -> Curation:
    return _tables(tmp_path / "tables", TASKS, DEFECTS)


@pytest.fixture
def made(entries: dict[str, Entry], tables: Curation) -> dict[str, Candidate]:
    return {found.task.id: found for found in candidates(entries, tables, DEVELOPMENT)}


def _tables(folder: Path, tasks: str, defects: str) -> Curation:
    folder.mkdir()
    (folder / "tasks.toml").write_text(tasks)
    (folder / "defects.toml").write_text(defects)
    return curation(folder)


def _gold(candidate: Candidate) -> Any:
    return json.loads(json.dumps(next(case.content for case in candidate.cases if case.kind == "gold")))


def test_the_source_is_registered_and_says_what_it_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VERIFIERBENCH_HOME", str(tmp_path))
    assert "acebench" in source_names()
    found = source("acebench")
    assert isinstance(found, Acebench)
    assert not found.status().ready
    assert COMMAND in found.status().needs
    assert found.checker() is None
    with pytest.raises(Unavailable, match=COMMAND):
        found.candidates(DEVELOPMENT)


def test_the_dialect_becomes_json_schema_and_keeps_every_word() -> None:
    kites = dialect.tool(KITES)["parameters"]
    kinds = {name: part["type"] for name, part in kites["properties"].items()}
    assert (kites["type"], kinds["windy"], kinds["holder"]) == ("object", "boolean", "object")
    assert kites["properties"]["code"] == KITES["parameters"]["properties"]["code"]  # type: ignore[index]
    gulls = dialect.tool(GULLS)
    assert gulls == {"name": "gulls_count", "description": GULLS["description"], "parameters": GULLS["arguments"]}
    assert dialect.tool({"name": "bare", "description": "", "parameters": {}})["parameters"]["properties"] == {}


@pytest.mark.parametrize(
    ("identifier", "category"),
    [
        ("en_normal_multi_turn_user_adjust_10_2", "normal_multi_turn_user_adjust"),
        ("zh_special_error_param_4", "special_error_param"),
    ],
)
def test_a_category_is_what_stands_before_the_numbers(identifier: str, category: str) -> None:
    assert category_of(identifier) == category


def test_one_message_is_the_instruction_and_the_day_a_text(made: dict[str, Candidate]) -> None:
    public = made[CALL].task.public
    assert public["instruction"] == ENTRIES["en_normal_single_turn_single_function_0"][0].removeprefix("user:").strip()
    assert public["materials"]["time"] == "Today is 2031-03-05, Wednesday."


def test_a_conversation_stands_whole_under_what_is_due_now(made: dict[str, Candidate]) -> None:
    task = made[TALK].task
    assert task.instruction.startswith(FRAME)
    assert task.instruction.endswith("And at Grey Point and Long Bank?")
    assert task.public["materials"]["profile"] == "{'name': 'Ida'}."
    cited = {clause.id: [span.quote for span in clause.spans] for clause in task.clauses}
    assert DUE in cited["turn"]
    assert DUE in cited["calls"]


def test_gold_is_upstreams_as_the_ledger_repairs_it(entries: dict[str, Entry], tables: Curation) -> None:
    right = spec(entries["en_normal_single_turn_single_function_0"], tables.task[0], tables.defect)
    ((call,),) = (turn["calls"] for turn in gold_solution(right)["turns"])
    assert call == {
        "name": "KiteHouse_reserve",
        "arguments": {
            "beach": "Amber Strand",
            "count": 3,
            "windy": True,
            "colors": ["red", "teal"],
            "holder": {"name": "Ida", "ages": [7, 9]},
        },
    }


def test_numbered_keys_of_gold_are_calls_of_one_tool(entries: dict[str, Entry], tables: Curation) -> None:
    right = spec(entries["en_normal_multi_turn_user_adjust_1_0"], tables.task[1], tables.defect)
    assert [call.tool for call in right.calls] == ["gulls_count", "gulls_count"]


@pytest.mark.parametrize(
    ("change", "right"),
    [
        ({}, True),
        ({"extras": ["tail"]}, True),  # a default the description states in prose
        ({"extras": ["reel"]}, False),
        ({"colors": ["teal", "red"]}, True),
        ({"count": 4}, False),  # upstream never reads it
        ({"windy": False}, False),
        ({"beach": "Amber Strand or so"}, False),
        ({"holder": {"name": "Ida", "ages": [9, 7]}}, False),
        ({"code": "XYZ"}, False),  # removed by the ledger
    ],
)
def test_the_reference_decides_by_the_repaired_gold(
    made: dict[str, Candidate], change: dict[str, Any], right: bool
) -> None:
    content = _gold(made[CALL])
    content["turns"][0]["calls"][0]["arguments"] |= change
    assert decide(FAMILY, made[CALL].task.reference, content, lambda _: None).ok is right


def test_every_case_is_labelled_as_the_reference_decides(made: dict[str, Candidate]) -> None:
    assert len(made) == len(ENTRIES)
    for candidate in made.values():
        validate(candidate)
        kinds = {case.kind for case in candidate.cases}
        assert {"gold", "cosmetic", "near_miss", "hack"} <= kinds, candidate.task.id
        assert len(candidate.cases) >= 25, candidate.task.id
        for case in candidate.cases:
            finding = decide(FAMILY, candidate.task.reference, case.content, lambda _: None)
            assert finding.ok == (case.label is Verdict.PASS), case.id


def test_a_chinese_value_has_a_near_miss_and_its_words_are_found(made: dict[str, Candidate]) -> None:
    candidate = made["acebench/zh_normal_atom_number_2"]
    spans = {clause.id: {span.quote for span in clause.spans} for clause in candidate.task.clauses}
    assert spans["call1.beach"] == {"琥珀海滩"}
    assert spans["call1.count"] == {"3"}
    wrong = [case for case in candidate.cases if any(ground.clause == "call1.beach" for ground in case.grounds)]
    assert any(case.label is Verdict.FAIL for case in wrong)


@pytest.mark.parametrize(
    ("task", "answer"),
    [
        (MISSING, {"verdict": "missing_parameters", "tool": "KiteHouse_reserve", "parameters": ["count"]}),
        (MALFORMED, {"verdict": "malformed_values", "tool": "KiteHouse_reserve", "values": {"code": "ab1"}}),
        (UNFIT, {"verdict": "no_fitting_tool"}),
    ],
)
def test_a_request_no_call_answers_is_answered_by_a_reply(
    made: dict[str, Candidate], task: str, answer: dict[str, Any]
) -> None:
    (turn,) = _gold(made[task])["turns"]
    assert turn == {"calls": [], "message": None, "answer": answer}
    public = made[task].task.public
    assert public["instruction"].endswith(POINTER)
    assert public["materials"]["reply"] == FORM


def test_gold_of_another_tool_than_the_reading_is_refused(entries: dict[str, Entry], tables: Curation) -> None:
    other = msgspec.structs.replace(tables.task[3], tool="gulls_count")
    with pytest.raises(Inconsistent, match="gold speaks of KiteHouse_reserve and the reading of gulls_count"):
        reply(entries["en_special_incomplete_0"], other)


def test_a_reading_of_another_number_of_calls_is_refused(entries: dict[str, Entry], tmp_path: Path) -> None:
    tasks = TASKS.replace('[[task.call]]\nwhy = "Long Bank"\n', "")
    tables = _tables(tmp_path / "other", tasks, DEFECTS)
    with pytest.raises(Inconsistent, match="gold has 2 calls and the reading 1"):
        list(candidates(entries, tables, DEVELOPMENT))


def test_a_reading_of_an_argument_the_call_lacks_is_refused(entries: dict[str, Entry], tmp_path: Path) -> None:
    tables = _tables(tmp_path / "other", TASKS.replace("said = { windy", "said = { wind"), DEFECTS)
    with pytest.raises(Inconsistent, match=r"speaks of \['wind'\]"):
        list(candidates(entries, tables, DEVELOPMENT))


def test_a_repair_that_repairs_nothing_is_refused(entries: dict[str, Entry], tmp_path: Path) -> None:
    tables = _tables(tmp_path / "other", TASKS, DEFECTS.replace('["XYZ"]', '["ABC"]'))
    with pytest.raises(MalformedInput, match="G1: gold does not accept 'ABC'"):
        list(candidates(entries, tables, DEVELOPMENT))


def test_a_table_with_an_unknown_key_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MalformedInput, match="unknown field `askd`"):
        _tables(tmp_path / "other", TASKS.replace("asked", "askd"), DEFECTS)


def test_other_bytes_than_the_pinned_are_refused(upstream: Path, pinned: dict[str, str]) -> None:
    path = upstream / "data_all/data_en/data_special_irrelevant.json"
    path.write_text(path.read_text().replace("cake", "pie"))
    with pytest.raises(MalformedInput, match=r"data_special_irrelevant\.json: not the bytes of ACEBench"):
        load(upstream, ENTRIES, pinned)
    assert not is_here(upstream, pinned)


def test_an_unknown_entry_is_named(upstream: Path, pinned: dict[str, str]) -> None:
    with pytest.raises(MalformedInput, match="en_special_irrelevant_9: there is no entry of this id"):
        load(upstream, ["en_special_irrelevant_9"], pinned)


def test_files_on_disk_are_taken_whole_or_not_at_all(upstream: Path, pinned: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / "home" / "upstream"
    (upstream / "stranger.py").write_text("raise SystemExit")
    bring(target, upstream, files=pinned)
    assert is_here(target, pinned)
    assert {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()} == set(pinned)
    shutil.rmtree(upstream)
    bring(target, upstream, files=pinned)  # what is here already is left alone
    with pytest.raises(Unavailable, match="has not the files of ACEBench"):
        bring(tmp_path / "elsewhere", tmp_path, files=pinned)
    assert not (tmp_path / "elsewhere").exists()
    assert not list(tmp_path.glob(".elsewhere*"))


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_commit_is_fetched_by_its_id_and_its_files_are_checked(
    upstream: Path, pinned: dict[str, str], tmp_path: Path
) -> None:
    git = ["git", "-C", str(upstream), "-c", "user.name=n", "-c", "user.email=e@example.org"]
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "data"]):
        subprocess.run([*git, *command], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    bring(tmp_path / "one", None, repository=str(upstream), commit=head, files=pinned)
    assert is_here(tmp_path / "one", pinned)
    with pytest.raises(Unavailable, match=r"could not be fetched .*--from PATH"):
        bring(tmp_path / "two", None, repository=str(upstream), commit="0" * 40, files=pinned)
    other = {**pinned, next(iter(pinned)): "0" * 64}
    with pytest.raises(Unavailable, match="has not the files"):
        bring(tmp_path / "three", None, repository=str(upstream), commit=head, files=other)
    assert not (tmp_path / "two").exists()
    assert not (tmp_path / "three").exists()


def test_a_machine_without_git_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match=r"needs git: install it, or .* --from PATH"):
        bring(tmp_path / "new", None)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            {"verdict": "missing_parameters", "tool": "t", "parameters": ["a", "b"]},
            "Missing necessary parameters: a, b of t",
        ),
        (
            {"verdict": "malformed_values", "tool": "t", "values": {"a": "1"}},
            "There is incorrect value: 1, given for a of t",
        ),
        ({"verdict": "no_fitting_tool"}, "Here the limitations of the function are met."),
        ({"verdict": "other"}, '{"verdict": "other"}'),
        ({"verdict": "missing_parameters", "parameters": "a"}, "Missing necessary parameters: a of null"),
        ({"verdict": "malformed_values", "values": [1]}, "There is incorrect value: 1, given for 1 of null"),
        (None, ""),
    ],
)
def test_a_reply_is_said_in_the_words_upstream_looks_for(answer: Any, words: str) -> None:
    assert said({"turns": [{"calls": [], "message": None, "answer": answer}]}) == words


def test_all_that_is_said_is_read(made: dict[str, Candidate]) -> None:
    call = {"name": "gulls_count", "arguments": {"beach": "X"}}
    text = said({"turns": [{"calls": [call], "message": "So.", "answer": None}] * 2})
    assert text.split("\n") == ["So.", json.dumps([call])] * 2


def test_the_checker_is_asked_in_upstreams_form(
    tmp_path: Path, entries: dict[str, Entry], made: dict[str, Candidate]
) -> None:
    path = tmp_path / "packages" / "evalscope/benchmarks/acebench/checker.py"
    path.parent.mkdir(parents=True)
    path.write_text(STAND_IN)
    (tmp_path / "packages/evalscope/__init__.py").write_text("raise ImportError('this would pull in every client')\n")
    checker = AceChecker(tmp_path / "packages", entries)
    try:
        gold = _gold(made[TALK])
        assert checker.decide(made[TALK].task, gold).verdict is Verdict.PASS
        gold["turns"][0]["calls"].pop()
        fail = checker.decide(made[TALK].task, gold)
        assert (fail.verdict, fail.detail) == (Verdict.FAIL, "normal_multi_turn_user_adjust:count")
        gold["turns"][0]["calls"] = [{"name": "crash", "arguments": {}}]
        crashed = checker.decide(made[TALK].task, gold)
        assert (crashed.reason, crashed.detail) == (Reason.EXCEPTION, "ZeroDivisionError: upstream fell over")
        assert checker.decide(made[UNFIT].task, _gold(made[UNFIT])).verdict is Verdict.PASS
        assert checker.decide(made[UNFIT].task, gold).verdict is Verdict.FAIL
        with pytest.raises(UnknownName, match="acebench/en_special_irrelevant_7"):
            checker.decide(msgspec.structs.replace(made[UNFIT].task, id="acebench/en_special_irrelevant_7"), gold)
    finally:
        checker.close()
