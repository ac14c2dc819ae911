from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import Family, Limits, MalformedInput, Task, UserError
from verifierbench.generation.workspace import files, lay_out

from .conftest import HIDDEN_CHECK, HIDDEN_CLAUSE, make_task, material

SCHEMA = {"type": "object"}


@pytest.fixture(params=["conversions", "tides", "poem", "shop", "pouch"])
def task(request: pytest.FixtureRequest) -> Task:
    found: Task = request.getfixturevalue(request.param)
    return found


def test_a_workspace_holds_nothing_hidden(task: Task, tmp_path: Path) -> None:
    lay_out(task, SCHEMA, tmp_path / "w")
    written = [path for path in (tmp_path / "w").rglob("*") if path.is_file()]
    assert len(written) >= 4
    hidden = [
        HIDDEN_CLAUSE,
        HIDDEN_CHECK,
        "hidden",
        task.id,
        task.source,
        task.source_version,
        task.id.split("/")[1] + "#",
    ]
    for path in written:
        text = path.name + path.read_text()
        assert [word for word in hidden if word in text] == [], path


def test_task_json_is_the_public_task(task: Task, tmp_path: Path) -> None:
    lay_out(task, SCHEMA, tmp_path)
    assert json.loads((tmp_path / "task.json").read_text()) == json.loads(json.dumps(task.public))
    assert json.loads((tmp_path / "solution.schema.json").read_text()) == SCHEMA


def test_the_page_says_instruction_conventions_and_limits(shop: Task, tmp_path: Path) -> None:
    lay_out(shop, SCHEMA, tmp_path, Limits(environment_calls=7, seconds=12.5, memory_mb=99, output_bytes=4321))
    page = (tmp_path / "TASK.md").read_text()
    for part in (
        shop.instruction,
        "* Wording is free.",
        "7 calls",
        "12.5 s",
        "99 MB",
        "4,321 bytes",
        "verifier.py",
        "`changes` are all differences",
    ):
        assert part in page


def test_a_task_without_environment_is_told_so(tides: Task, tmp_path: Path) -> None:
    lay_out(tides, SCHEMA, tmp_path)
    assert "`env.run` does not exist for this task." in (tmp_path / "TASK.md").read_text()


def test_materials_keep_their_content(shop: Task, pouch: Task, tmp_path: Path) -> None:
    lay_out(shop, SCHEMA, tmp_path / "a")
    lay_out(pouch, SCHEMA, tmp_path / "b")
    assert (tmp_path / "a/materials/policy.txt").read_text() == shop.materials[0].content
    assert json.loads((tmp_path / "a/materials/tools.json").read_text()) == shop.materials[1].content
    for path, text in pouch.materials[0].content.items():
        assert (tmp_path / "b/materials/repository" / path).read_text() == text


def test_braces_in_an_instruction_stay(tmp_path: Path) -> None:
    task = make_task(Family.CODE, "b", "Fix {limits} and {0} in `f'{x}'`.", (), None)
    assert b"Fix {limits} and {0} in `f'{x}'`." in files(task, SCHEMA, Limits())["TASK.md"]


@pytest.mark.parametrize("name", ["..", "../x", "a/b", "", "/etc", ".hidden", "a\0b", "x" * 200])
def test_a_material_name_that_leaves_the_folder_is_refused(name: str, tmp_path: Path) -> None:
    task = make_task(Family.CODE, "n", "Fix the thing.", (material(name, "text", "x"),), None)
    with pytest.raises(MalformedInput):
        lay_out(task, SCHEMA, tmp_path / "w")
    assert not (tmp_path / "w").exists()


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a/../../x", "a//b", "./a", "", "a\\b", "a/", "a\0"])
def test_a_path_that_leaves_the_tree_is_refused(path: str, tmp_path: Path) -> None:
    task = make_task(Family.CODE, "n", "Fix the thing.", (material("repository", "files", {path: "x"}),), None)
    with pytest.raises(MalformedInput):
        lay_out(task, SCHEMA, tmp_path / "w")
    assert not (tmp_path / "w").exists()


@given(st.text(st.sampled_from("a./\\ ~"), max_size=8))
def test_whatever_is_accepted_stays_inside(path: str) -> None:
    task = make_task(Family.CODE, "n", "Fix the thing.", (material("repository", "files", {path: "x"}),), None)
    try:
        laid = files(task, SCHEMA, Limits())
    except MalformedInput:
        return
    base = Path("/somewhere/materials/repository")
    assert all(Path("/somewhere", p).resolve().is_relative_to(base) for p in laid if p.startswith("materials"))


def test_two_materials_cannot_share_a_place() -> None:
    clashes = [
        (material("a", "json", 1), material("a", "json", 2)),
        (material("a.json", "files", {"x": ""}), material("a", "json", 1)),
        (material("a", "files", {"x": "", "x/y": ""}),),
        (material("a", "files", {"x/y": "", "x": ""}),),
    ]
    for materials in clashes:
        with pytest.raises(MalformedInput):
            files(make_task(Family.CODE, "c", "Fix the thing.", materials, None), SCHEMA, Limits())


def test_a_folder_with_something_in_it_is_refused(shop: Task, tmp_path: Path) -> None:
    (tmp_path / "left over").write_text("")
    with pytest.raises(UserError, match="not an empty folder"):
        lay_out(shop, SCHEMA, tmp_path)
