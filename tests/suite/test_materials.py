"""What tasks read in parts is stored once, found by its hash, and one object for all tasks that have it."""

import json

import msgspec
import pytest

from verifierbench.core import Inconsistent, MalformedInput, Material, content_hash, sha256
from verifierbench.suite import read_tasks, write_tasks
from verifierbench.suite.judge import hand_over, handed_over
from verifierbench.suite.materials import Shelf, stored_tasks
from verifierbench.suite.store import candidate_hash

DATABASE = {"b": [1, 2.0, None, True], "a": {"é": "\ud800", "n": 10**30}}
"""Order, kinds of numbers and a lone surrogate: all of it has to come back."""


def having(candidate, *materials, **changes):
    return msgspec.structs.replace(candidate.task, materials=materials, **changes)


def database(content=DATABASE, **changes):
    return Material(**{"name": "db", "kind": "json", "content": content, "inline": False, **changes})


@pytest.fixture
def tasks(candidate):
    """Three tasks: two with the same content, made separately; one with another under the same name."""
    contents = (DATABASE, json.loads(json.dumps(DATABASE)), {"other": 1})
    return [having(candidate, database(content), id=f"tiny/{n}") for n, content in enumerate(contents)]


def files(directory):
    return {path.name: path.read_bytes() for path in (directory / "public/materials").iterdir()}


def test_a_content_is_stored_once_under_the_hash_of_its_file(tasks, tmp_path):
    write_tasks(tmp_path, tasks)
    found = files(tmp_path)
    assert len(found) == 2
    assert all(name == f"{sha256(data)}.json" for name, data in found.items())
    assert b'"other"' not in (tmp_path / "hidden/tasks.jsonl").read_bytes()


def test_what_is_read_back_is_the_content_itself_and_one_object_for_all(tasks, tmp_path):
    write_tasks(tmp_path, tasks)
    first, second, third = read_tasks(tmp_path)
    assert json.dumps(first.material("db").content) == json.dumps(DATABASE)
    assert first.material("db") is second.material("db")
    assert third.material("db").content == {"other": 1}
    assert [task.public_hash for task in (first, second, third)] == [task.public_hash for task in tasks]


def test_two_names_of_one_content_share_it(candidate, tmp_path):
    write_tasks(tmp_path, [having(candidate, database(name="one"), database(name="two"))])
    (task,) = read_tasks(tmp_path)
    assert len(files(tmp_path)) == 1
    assert task.material("one").content is task.material("two").content
    assert [material.name for material in task.materials] == ["one", "two"]


@pytest.mark.parametrize("kind", ["json", "text", "files"])
@pytest.mark.parametrize("content", ["text", {"a.py": "x"}, None])
def test_every_kind_of_content_comes_back(candidate, tmp_path, kind, content):
    task = having(candidate, database(content, kind=kind), Material(name="small", kind="text", content="inline"))
    write_tasks(tmp_path, [task])
    (found,) = read_tasks(tmp_path)
    assert [material.content for material in found.materials] == [content, "inline"]
    assert found.stored == task.stored


def test_a_digest_that_a_source_hands_over_is_believed_only_if_it_is_the_contents(candidate, tmp_path):
    honest = having(candidate, database(digest=content_hash(DATABASE)))
    write_tasks(tmp_path / "honest", [honest])
    assert read_tasks(tmp_path / "honest")[0].stored == honest.stored
    liar = having(candidate, database(digest="0" * 64), id="tiny/liar")
    with pytest.raises(Inconsistent, match="tiny/liar: the digest of material 'db' is not its content's"):
        write_tasks(tmp_path / "liar", [liar])


def test_a_lie_about_a_content_that_another_task_tells_the_truth_of_is_found(candidate, tmp_path):
    honest = having(candidate, database(digest=content_hash(DATABASE)))
    liar = having(candidate, database({"other": 1}, digest=content_hash(DATABASE)), id="tiny/liar")
    with pytest.raises(Inconsistent, match="tiny/liar"):
        write_tasks(tmp_path, [honest, liar])


@pytest.mark.parametrize("data", [b"{}", b""])
def test_a_file_with_another_content_is_refused_by_its_name(tasks, tmp_path, data):
    write_tasks(tmp_path, tasks)
    path = tmp_path / "public/materials" / f"{tasks[2].material('db').hash}.json"
    path.write_bytes(data)
    with pytest.raises(MalformedInput, match=f"{path.name}: its content is not the one that it is named after"):
        read_tasks(tmp_path)


def test_a_file_that_is_missing_is_named(tasks, tmp_path):
    write_tasks(tmp_path, tasks)
    path = tmp_path / "public/materials" / f"{tasks[2].material('db').hash}.json"
    path.unlink()
    with pytest.raises(MalformedInput, match=f"{path.name}: No such file"):
        read_tasks(tmp_path)


@pytest.mark.parametrize("digest", ["", "../../hidden/season", "0" * 63 + "\n", "F" * 64])
def test_what_is_no_digest_names_no_file(tasks, tmp_path, digest):
    write_tasks(tmp_path, tasks[:1])
    stored = json.loads((tmp_path / "hidden/tasks.jsonl").read_bytes())
    stored["materials"][0]["digest"] = digest
    (tmp_path / "hidden/tasks.jsonl").write_text(json.dumps(stored))
    with pytest.raises(MalformedInput, match=r"hidden/tasks\.jsonl, task tiny/0, material db: has no digest"):
        read_tasks(tmp_path)


def test_a_content_that_stands_in_tasks_jsonl_is_not_taken(tasks, tmp_path):
    write_tasks(tmp_path, tasks[:1])
    stored = json.loads((tmp_path / "hidden/tasks.jsonl").read_bytes())
    stored["materials"][0]["content"] = {"forged": True}
    (tmp_path / "hidden/tasks.jsonl").write_text(json.dumps(stored))
    assert "forged" not in read_tasks(tmp_path)[0].material("db").content


def test_tasks_can_be_told_apart_without_a_look_into_what_they_read_in_parts(tasks, tmp_path):
    write_tasks(tmp_path, tasks)
    for path in (tmp_path / "public/materials").iterdir():
        path.unlink()
    assert [task.public_hash for task in stored_tasks(tmp_path)] == [task.public_hash for task in tasks]


def test_a_content_is_read_when_it_is_first_asked_for(tasks, tmp_path):
    write_tasks(tmp_path, tasks)
    shelf, (first, second, _) = Shelf(tmp_path), stored_tasks(tmp_path)
    whole = shelf.filled(first)
    for path in (tmp_path / "public/materials").iterdir():
        path.unlink()
    assert shelf.filled(second).material("db") is whole.material("db")


def test_candidates_are_handed_to_workers_without_what_they_share_and_come_back_whole(candidate, tasks, tmp_path):
    given = [msgspec.structs.replace(candidate, task=task) for task in tasks]
    hand_over(given, tmp_path)
    assert b"other" not in (tmp_path / "candidates.jsonl").read_bytes()
    assert len(files(tmp_path)) == 2
    taken = list(handed_over(tmp_path))
    assert [candidate_hash(one) for one in taken] == [candidate_hash(one) for one in given]
    assert taken[0].task.material("db").content is taken[1].task.material("db").content
    assert taken[2].task.material("db").content == {"other": 1}
