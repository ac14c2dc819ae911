"""The BFCL adapter on invented entries in upstream's format, with a stand-in for upstream's checker; no network."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from verifierbench.core import DEVELOPMENT, Candidate, Inconsistent, MalformedInput, Reason, UnknownName, Verdict
from verifierbench.families import decide
from verifierbench.families.tool_call import FAMILY, gold_solution
from verifierbench.sources.bfcl import dialect
from verifierbench.sources.bfcl.checker import AstChecker
from verifierbench.sources.bfcl.curation import Curation, curation
from verifierbench.sources.bfcl.data import DATA, Entry, load
from verifierbench.sources.bfcl.tasks import candidates, spec

KITE = {
    "name": "kites.reserve",
    "description": "Reserve kites at a beach.",
    "parameters": {
        "type": "dict",
        "properties": {
            "beach": {"type": "string", "description": "Name of the beach."},
            "count": {"type": "integer", "description": "How many kites."},
            "wind": {"type": "float", "description": "Highest wind in m/s."},
            "colors": {"type": "array", "items": {"type": "string"}, "description": "Colors to choose from."},
            "holder": {
                "type": "dict",
                "description": "Who holds them.",
                "properties": {"first": {"type": "string"}, "last": {"type": "string"}},
            },
            "day": {"type": "string", "description": "Day of the week.", "default": "today"},
            "tail": {"type": "string", "enum": ["long", "short"], "description": "Tail.", "default": "long"},
            "extra": {"type": "any", "description": "Anything else. Defaults to none."},
        },
        "required": ["beach", "count"],
    },
}
GULL = {
    "name": "gulls_count",
    "description": "Count gulls at a beach.",
    "parameters": {"type": "dict", "properties": {"beach": {"type": "string"}}, "required": ["beach"]},
}
ENTRIES = {
    "simple_python_0": (
        "Reserve three kites at Amber Strand for winds up to 7.5, in red or teal, for Ida Voss, with a long tail.",
        [KITE],
        [
            {
                "kites.reserve": {
                    "beach": ["Amber Strand", "Amber"],
                    "count": [3],
                    "wind": [7.5],
                    "colors": [["red", "teal"]],
                    "holder": [{"first": ["Ida"], "last": ["Voss"]}],
                    "tail": ["long", ""],
                    "day": ["", "today"],
                }
            }
        ],
    ),
    "parallel_0": (
        "Count the gulls at Amber Strand and at Grey Point.",
        [GULL],
        [{"gulls_count": {"beach": ["Amber Strand"]}}, {"gulls_count": {"beach": ["Grey Point"]}}],
    ),
    "irrelevance_0": ("How many whales pass Grey Point?", [GULL], None),
}
TASKS = """
[[task]]
id = "simple_python_0"
[[task.call]]
why = "Reserve three kites"
stated = ["tail"]
said = { wind = "winds up to 7.5" }

[[task]]
id = "parallel_0"
[[task.call]]
why = "Count the gulls"
[[task.call]]
why = "Count the gulls"

[[task]]
id = "irrelevance_0"
asked = ["How many whales"]
[[task.temptation]]
name = "gulls_count"
arguments = { beach = "Grey Point" }
why = "it counts gulls, and whales were asked for"
"""
DEFECTS = """
[[defect]]
id = "D1"
kind = "convention"
task = "simple_python_0"
call = 0
argument = "beach"
what = "half of the name is accepted"
evidence = "C9"
remove = ["Amber"]
"""
STAND_IN = """
from bfcl_eval.constants.enums import Language
from bfcl_eval.constants.model_config import MODEL_CONFIG_MAPPING


def ast_checker(tools, output, gold, language, category, model):
    assert language is Language.PYTHON
    assert MODEL_CONFIG_MAPPING[model].underscore_to_dot is False
    if any("crash" in call for call in output):
        raise ZeroDivisionError("upstream fell over")
    names = sorted(name for call in output for name in call)
    return {"valid": names == sorted(name for call in gold for name in call), "error_type": f"{category}:names"}
"""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A package directory as the installer leaves it."""
    folder = tmp_path / "packages"
    (folder / DATA / "possible_answer").mkdir(parents=True)
    for identifier, (text, tools, gold) in ENTRIES.items():
        name = f"BFCL_v4_{identifier.rpartition('_')[0]}.json"
        row = {"id": identifier, "question": [[{"role": "user", "content": text}]], "function": tools}
        (folder / DATA / name).write_text(json.dumps(row) + "\n")
        if gold is not None:
            answer = json.dumps({"id": identifier, "ground_truth": gold})
            (folder / DATA / "possible_answer" / name).write_text(answer + "\n")
    for place, code in {
        "__init__.py": "",
        "constants/__init__.py": "",
        "constants/enums.py": "from enum import Enum\n\n\nclass Language(Enum):\n    PYTHON = 'python'\n",
        "constants/model_config.py": "raise ImportError('this would pull in every model client')\n",
        "eval_checker/__init__.py": "",
        "eval_checker/ast_eval/__init__.py": "",
        "eval_checker/ast_eval/ast_checker.py": STAND_IN,
    }.items():
        path = folder / "bfcl_eval" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code)
    return folder


@pytest.fixture
def pinned(packages: Path) -> dict[str, str]:
    root = packages / DATA
    return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest() for path in root.rglob("*.json")}


@pytest.fixture
def entries(packages: Path, pinned: dict[str, str]) -> dict[str, Entry]:
    return load(packages, ENTRIES, pinned)


@pytest.fixture
def tables(tmp_path: Path) -> Curation:
    (tmp_path / "tasks.toml").write_text(TASKS)
    (tmp_path / "defects.toml").write_text(DEFECTS)
    return curation(tmp_path)


@pytest.fixture
def made(entries: dict[str, Entry], tables: Curation) -> dict[str, Candidate]:
    return {found.task.id: found for found in candidates(entries, tables, DEVELOPMENT)}


def test_the_dialect_becomes_json_schema_and_keeps_every_word() -> None:
    schema = dialect.tool(KITE)["parameters"]
    kinds = {name: part.get("type") for name, part in schema["properties"].items()}
    assert kinds == {
        "beach": "string",
        "count": "integer",
        "wind": "number",
        "colors": "array",
        "holder": "object",
        "day": "string",
        "tail": "string",
        "extra": None,
    }
    assert schema["type"] == schema["properties"]["holder"]["type"] == "object"
    assert schema["properties"]["extra"]["description"] == "Anything else. Defaults to none."
    assert schema["properties"]["tail"]["enum"] == ["long", "short"]
    assert schema["required"] == ["beach", "count"]
    assert dialect.schema({"type": "tuple", "items": {"type": "float"}}) == {
        "type": "array",
        "items": {"type": "number"},
    }
    with pytest.raises(KeyError, match="ArrayList"):
        dialect.schema({"type": "ArrayList"})


def test_gold_is_upstreams_first_value_with_what_the_reading_states(
    entries: dict[str, Entry], tables: Curation, made: dict[str, Candidate]
) -> None:
    right = spec(entries["simple_python_0"], tables.task[0], tables.defect)
    ((call,),) = (turn["calls"] for turn in gold_solution(right)["turns"])
    assert call == {
        "name": "kites.reserve",
        "arguments": {
            "beach": "Amber Strand",
            "count": 3,
            "wind": 7.5,
            "colors": ["red", "teal"],
            "holder": {"first": "Ida", "last": "Voss"},
            "tail": "long",
        },
    }
    task = made["bfcl/simple_python_0"].task
    assert task.instruction == ENTRIES["simple_python_0"][0]
    assert task.public["materials"]["tools"][0]["parameters"]["type"] == "object"
    assert task.source_version == "bfcl-eval 2026.3.23"


@pytest.mark.parametrize(
    ("change", "right"),
    [
        ({}, True),
        ({"day": "today"}, True),  # its documented default, stated
        ({"day": "tomorrow"}, False),
        ({"tail": None}, False),
        ({"colors": ["teal", "red"]}, True),  # a list of texts without an order
        ({"colors": ["teal"]}, False),
        ({"count": 3.0}, True),
        ({"count": True}, False),
        ({"beach": "amber strand"}, True),
        ({"beach": "Amber"}, False),  # removed by the ledger
        ({"extra": "x"}, False),
    ],
)
def test_the_reference_decides_by_the_repaired_gold(
    made: dict[str, Candidate], change: dict[str, Any], right: bool
) -> None:
    candidate = made["bfcl/simple_python_0"]
    content = json.loads(json.dumps(next(case.content for case in candidate.cases if case.kind == "gold")))
    content["turns"][0]["calls"][0]["arguments"] |= change
    assert decide(FAMILY, candidate.task.reference, content, lambda _: None).ok is right


def test_every_case_is_labelled_as_the_reference_decides(made: dict[str, Candidate]) -> None:
    assert set(made) == {"bfcl/simple_python_0", "bfcl/parallel_0", "bfcl/irrelevance_0"}
    for candidate in made.values():
        kinds = {case.kind for case in candidate.cases}
        assert {"gold", "cosmetic", "near_miss", "hack"} <= kinds, candidate.task.id
        for case in candidate.cases:
            finding = decide(FAMILY, candidate.task.reference, case.content, lambda _: None)
            assert finding.ok == (case.label is Verdict.PASS), case.id


def test_other_bytes_than_the_pinned_are_refused(packages: Path, pinned: dict[str, str]) -> None:
    path = packages / DATA / "BFCL_v4_parallel.json"
    path.write_text(path.read_text().replace("gulls", "terns"))
    with pytest.raises(MalformedInput, match=r"BFCL_v4_parallel\.json: not the bytes of bfcl-eval"):
        load(packages, ENTRIES, pinned)


def test_an_entry_of_several_messages_is_refused(packages: Path, pinned: dict[str, str]) -> None:
    path = packages / DATA / "BFCL_v4_parallel.json"
    row = json.loads(path.read_text())
    row["question"][0].insert(0, {"role": "system", "content": "Be brief."})
    path.write_text(json.dumps(row) + "\n")
    pinned["BFCL_v4_parallel.json"] = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(MalformedInput, match="parallel_0: it is not one message of the user"):
        load(packages, ["parallel_0"], pinned)


def test_an_unknown_entry_is_named(packages: Path, pinned: dict[str, str]) -> None:
    with pytest.raises(MalformedInput, match="parallel_99: there is no entry of this id"):
        load(packages, ["parallel_99"], pinned)


def _tables(tmp_path: Path, tasks: str, defects: str) -> Curation:
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "tasks.toml").write_text(tasks)
    (folder / "defects.toml").write_text(defects)
    return curation(folder)


def test_a_repair_that_repairs_nothing_is_refused(entries: dict[str, Entry], tmp_path: Path) -> None:
    tables = _tables(tmp_path, TASKS, DEFECTS.replace('["Amber"]', '["Umber"]'))
    with pytest.raises(MalformedInput, match="D1: gold does not accept 'Umber'"):
        list(candidates(entries, tables, DEVELOPMENT))


def test_a_reading_of_another_number_of_calls_is_refused(entries: dict[str, Entry], tmp_path: Path) -> None:
    tables = _tables(tmp_path, TASKS.replace('[[task.call]]\nwhy = "Count the gulls"\n', "", 1), DEFECTS)
    with pytest.raises(Inconsistent, match="parallel_0: gold has 2 calls and the reading 1"):
        list(candidates(entries, tables, DEVELOPMENT))


def test_an_undecided_argument_is_accepted_and_no_case_turns_on_it(entries: dict[str, Entry], tmp_path: Path) -> None:
    undecided = TASKS.replace('stated = ["tail"]', 'stated = ["tail"]\nundecided = ["beach"]')
    (made, *_) = candidates(entries, _tables(tmp_path, undecided, ""), DEVELOPMENT)
    content = json.loads(json.dumps(next(case.content for case in made.cases if case.kind == "gold")))
    content["turns"][0]["calls"][0]["arguments"]["beach"] = "Amber"
    assert decide(FAMILY, made.task.reference, content, lambda _: None).ok
    assert all(
        call["arguments"].get("beach") != "Amber" for case in made.cases for call in case.content["turns"][0]["calls"]
    )


def test_a_reading_of_an_argument_the_call_lacks_is_refused(entries: dict[str, Entry], tmp_path: Path) -> None:
    tables = _tables(tmp_path, TASKS.replace('stated = ["tail"]', 'stated = ["tail"]\nundecided = ["bay"]'), DEFECTS)
    with pytest.raises(Inconsistent, match=r"speaks of \['bay'\]"):
        list(candidates(entries, tables, DEVELOPMENT))


def test_a_droppable_argument_without_a_documented_default_is_refused(
    entries: dict[str, Entry], tables: Curation
) -> None:
    entries["simple_python_0"].gold[0]["kites.reserve"]["wind"].append("")  # type: ignore[index]
    with pytest.raises(Inconsistent, match=r"lets wind of kites\.reserve be left out"):
        spec(entries["simple_python_0"], tables.task[0], tables.defect)


@pytest.mark.parametrize(
    ("last", "complaint"),
    [(["Voss", ""], r"no such default: \['last'\]"), (["Voss", "Foss"], "a choice inside an object")],
)
def test_an_object_whose_keys_are_open_without_a_documented_default_is_refused(
    entries: dict[str, Entry], tables: Curation, last: list[str], complaint: str
) -> None:
    entries["simple_python_0"].gold[0]["kites.reserve"]["holder"][0]["last"] = last  # type: ignore[index]
    with pytest.raises(Inconsistent, match=complaint):
        spec(entries["simple_python_0"], tables.task[0], tables.defect)


def test_a_repair_may_say_that_an_argument_may_not_be_left_out(entries: dict[str, Entry], tmp_path: Path) -> None:
    """What upstream would let go, and no default documents, is due where the repair takes that out."""
    entries["simple_python_0"].gold[0]["kites.reserve"]["wind"].append("")  # type: ignore[index]
    repair = DEFECTS.replace('"beach"', '"wind"').replace('["Amber"]', '[""]')
    (made, *_) = candidates(entries, _tables(tmp_path, TASKS, repair), DEVELOPMENT)
    content = json.loads(json.dumps(next(case.content for case in made.cases if case.kind == "gold")))
    assert content["turns"][0]["calls"][0]["arguments"].pop("wind") == 7.5
    assert not decide(FAMILY, made.task.reference, content, lambda _: None).ok


def test_a_table_with_an_unknown_key_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MalformedInput, match="unknown field `stats`"):
        _tables(tmp_path, TASKS.replace("stated", "stats"), DEFECTS)


def test_the_checker_is_asked_in_upstreams_form(
    packages: Path, entries: dict[str, Entry], made: dict[str, Candidate]
) -> None:
    checker = AstChecker(packages, entries)
    try:
        task = made["bfcl/parallel_0"].task
        call = {"name": "gulls_count", "arguments": {"beach": "Grey Point"}}
        one = {"turns": [{"calls": [call], "message": None, "answer": None}]}
        two = {"turns": [{"calls": [call, call], "message": None, "answer": None}]}
        assert checker.decide(task, two).verdict is Verdict.PASS
        fail = checker.decide(task, one)
        assert (fail.verdict, fail.detail) == (Verdict.FAIL, "parallel:names")
        crash = {"turns": [{"calls": [{"name": "crash", "arguments": {}}], "message": None, "answer": None}]}
        crashed = checker.decide(task, crash)
        assert (crashed.reason, crashed.detail) == (Reason.EXCEPTION, "ZeroDivisionError: upstream fell over")
        assert checker.decide(task, {"turns": "none"}).reason is Reason.EXCEPTION
        assert checker.decide(task, two).verdict is Verdict.PASS  # and it lives on
        silent = {"turns": [{"calls": [], "message": "None of my tools can.", "answer": None}]}
        assert checker.decide(made["bfcl/irrelevance_0"].task, silent).verdict is Verdict.PASS
        assert checker.decide(made["bfcl/irrelevance_0"].task, one).verdict is Verdict.FAIL
        with pytest.raises(UnknownName, match="bfcl/parallel_77"):
            checker.decide(_renamed(task, "bfcl/parallel_77"), one)
    finally:
        checker.close()


def _renamed(task: Any, identifier: str) -> Any:
    import msgspec

    return msgspec.structs.replace(task, id=identifier)
