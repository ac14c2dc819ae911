"""A suite is read whole or refused by file, place and cause."""

import msgspec
import pytest

from verifierbench.core import CaseKind, MalformedInput, UnknownName
from verifierbench.core.files import encode, encode_lines, write_atomically
from verifierbench.suite import Manifest, Suite, stats, suite_hash, write_tasks


@pytest.fixture
def stored(candidate, tmp_path):
    digest = suite_hash([candidate])
    manifest = Manifest(
        season="development", sources={"handmade": "1"}, tasks=1, cases=3, excluded=0, hash=digest, made_of=digest
    )
    write_atomically(tmp_path / "suite.json", encode(manifest))
    write_tasks(tmp_path, [candidate.task])
    write_atomically(tmp_path / "hidden/cases.jsonl", encode_lines(candidate.cases))
    write_atomically(tmp_path / "hidden/excluded.jsonl", b"")
    return tmp_path


def test_a_suite_survives_storage(stored, candidate):
    suite = Suite.load(stored)
    assert [task.stored for task in suite.tasks] == [candidate.task.stored]
    assert [m.content for m in suite.tasks[0].materials] == [m.content for m in candidate.task.materials]
    assert suite.cases(candidate.task) == candidate.cases
    assert suite.task("tiny/lamp") is suite.task(candidate.task.alias)
    assert suite.hash == suite_hash([candidate])


def test_an_unknown_task_is_told_with_those_that_exist(stored):
    with pytest.raises(UnknownName, match="no task is called 'tiny/sofa'; did you mean tiny/lamp"):
        Suite.load(stored).task("tiny/sofa")


def test_the_hash_follows_labels_contents_and_clauses_but_not_the_order(candidate):
    base = suite_hash([candidate])
    reordered = msgspec.structs.replace(candidate, cases=candidate.cases[::-1])
    assert suite_hash([reordered]) == base
    relabelled = msgspec.structs.replace(candidate.cases[0], kind=CaseKind.PARTIAL)
    for cases in ((relabelled, *candidate.cases[1:]), candidate.cases[1:]):
        assert suite_hash([msgspec.structs.replace(candidate, cases=cases)]) != base
    unclaused = msgspec.structs.replace(candidate.task, clauses=candidate.task.clauses[:1])
    assert suite_hash([msgspec.structs.replace(candidate, task=unclaused)]) != base


def test_stats_count_by_label_kind_source_and_family(stored):
    found = stats(Suite.load(stored))
    assert found["tasks"] == {"candidates": 1, "retained": 1, "excluded": {}}
    cases = found["cases"]
    assert (cases["total"], cases["pass"], cases["fail"], cases["attacks"]) == (3, 2, 1, 1)
    assert {kind: n for kind, n in cases["by_kind"].items() if n} == {"gold": 1, "alternative": 1, "hack": 1}
    assert found["by_source"] == {"handmade": {"tasks": 1, "cases": cases}}
    assert found["by_family"] == {"tool_call": {"tasks": 1, "cases": cases}}


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        ("suite.json", "{", r"suite\.json: not JSON"),
        ("suite.json", '{"schema": 1}', r"suite\.json: Object missing required field `season`"),
        ("hidden/tasks.jsonl", "[]\n", r"tasks\.jsonl, line 1: Expected `object`, got `array`"),
        ("hidden/cases.jsonl", '{"id": 1}\n', r"cases\.jsonl, line 1, \$\.id: Expected `str`, got `int`"),
    ],
)
def test_a_malformed_file_is_named_with_place_and_cause(stored, file, text, sentence):
    (stored / file).write_text(text)
    with pytest.raises(MalformedInput, match=sentence):
        Suite.load(stored)


@pytest.mark.parametrize(
    ("version", "sentence"), [(99, "version 99 is newer"), (1, "version 1 is older .*: build it again")]
)
def test_a_suite_of_another_version_is_refused_and_told_what_to_do(stored, version, sentence):
    text = (stored / "suite.json").read_text().replace('"schema": 2', f'"schema": {version}')
    (stored / "suite.json").write_text(text)
    with pytest.raises(MalformedInput, match=rf"\$\.schema: {sentence}"):
        Suite.load(stored)


def test_a_stray_case_is_refused_by_its_line(stored, candidate):
    stray = msgspec.structs.replace(candidate.cases[0], task="tiny/other")
    write_atomically(stored / "hidden/cases.jsonl", encode_lines([*candidate.cases, stray]))
    with pytest.raises(MalformedInput, match=r"cases\.jsonl, line 4: case of a task that is not in the suite"):
        Suite.load(stored)


def test_a_case_that_was_dropped_or_relabelled_is_noticed(stored, candidate):
    for cases in (
        candidate.cases[:2],
        (msgspec.structs.replace(candidate.cases[0], kind=CaseKind.PARTIAL), *candidate.cases[1:]),
    ):
        write_atomically(stored / "hidden/cases.jsonl", encode_lines(cases))
        with pytest.raises(MalformedInput, match=r"hidden: not the tasks and cases that suite\.json names"):
            Suite.load(stored)


def test_a_folder_without_a_suite_is_told_how_to_make_one(tmp_path):
    with pytest.raises(MalformedInput, match="suite build"):
        Suite.load(tmp_path)
