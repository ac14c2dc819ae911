from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import Family, Limits, MalformedInput, Protocol, Task, UserError, Verdict
from verifierbench.generation.workspace import Example, files, lay_out

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


def page(task: Task, protocol: Protocol | None, examples: tuple[Example, ...] = ()) -> str:
    return " ".join(files(task, SCHEMA, Limits(), protocol, examples)["TASK.md"].decode().split())


EXAMPLES = tuple(Example(solution={"n": n}, label=label) for n, label in enumerate((Verdict.PASS, Verdict.FAIL)))


def test_without_a_protocol_there_are_no_tools(task: Task) -> None:
    text = page(task, None)
    assert text.endswith(
        "## How to hand it in Leave `verifier.py` in this folder when you finish. One file, at most 1 MB, is taken as"
        " it stands; nothing else here is."
    )
    assert [word for word in ("selftest", "runpublic", "submit`", "examples/") if word in text] == []


def test_the_page_tells_the_tools_and_their_budget(shop: Task) -> None:
    text = page(shop, Protocol(executions=17, seconds=900, model_calls=1_234))
    for part in (
        "* `selftest SOLUTION` runs",
        "* `runpublic REQUEST` executes",
        "* `submit` hands in",
        "can be executed 17 times in all",
        "15 minutes in all",
        "1,234 answers of the model",
        '"budget exhausted"',
    ):
        assert part in text
    assert [word for word in ("--vary", "examples/", "are kept for") if word in text] == []


def test_what_a_task_without_environment_is_told_of_tools(tides: Task) -> None:
    text = page(tides, Protocol())
    assert "Self-tests are not limited in number." in text
    assert [word for word in ("`runpublic", "can be executed") if word in text] == []


def test_each_switch_of_the_protocol_is_told_where_it_is_on(shop: Task) -> None:
    text = page(shop, Protocol(reserved=6, necessity=True, labelled=2), EXAMPLES)
    for part in ("The last 6 are kept for self-tests", "--vary POINTER VALUE", "`examples/` holds 2 solutions"):
        assert part in text


def test_examples_are_solution_and_label_and_no_more_than_the_protocol_shows(shop: Task) -> None:
    def laid(labelled: int) -> dict[str, object]:
        found = files(shop, SCHEMA, Limits(), Protocol(labelled=labelled), EXAMPLES)
        return {path: json.loads(data) for path, data in found.items() if path.startswith("examples/")}

    assert laid(5) == {
        "examples/1.json": {"solution": {"n": 0}, "label": "PASS"},
        "examples/2.json": {"solution": {"n": 1}, "label": "FAIL"},
    }
    assert list(laid(1)) == ["examples/1.json"]
    assert laid(0) == {}
    assert not [path for path in files(shop, SCHEMA, Limits(), None, EXAMPLES) if path.startswith("examples/")]


def test_a_workspace_with_tools_holds_nothing_hidden(task: Task) -> None:
    protocol = Protocol(reserved=2, necessity=True, labelled=2)
    everything = b"".join(files(task, SCHEMA, Limits(), protocol, EXAMPLES).values()).decode()
    hidden = [HIDDEN_CLAUSE, HIDDEN_CHECK, task.id, task.source, task.source_version]
    assert [word for word in hidden if word in everything] == []
