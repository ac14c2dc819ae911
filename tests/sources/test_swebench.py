"""SWE-bench Verified: rows are what was pinned, a repair is taken back exactly, upstream's grading reads the log."""

import difflib
import io
import json
import re
import tarfile

import msgspec
import pytest

from verifierbench.core import DEVELOPMENT, Inconsistent, Unavailable, UnknownName, sha256
from verifierbench.families.code.content import make_patch
from verifierbench.families.code.environment import CodeEnvironment, Packages
from verifierbench.families.code.operators import _ALL as OPERATORS
from verifierbench.families.code.operators import cases
from verifierbench.sources.environment import is_installed
from verifierbench.sources.sdists import Sdists
from verifierbench.sources.swebench import NEEDS, REQUIREMENTS, SWEBENCH, UPSTREAM, release_way, rows
from verifierbench.sources.swebench.grading import Grading
from verifierbench.sources.swebench.reading import TASKS, Reading
from verifierbench.sources.swebench.trees import touched_tests, without

FOLDERS = sorted(path for path in TASKS.iterdir() if (path / "task.toml").exists())

FIXED = {
    "sums/__init__.py": "",
    "sums/core.py": '"""Sums."""\n\n\ndef total(values):\n    """Their sum."""\n    return sum(values)\n',
    "tests/test_core.py": (
        "from sums.core import total\n\n\ndef test_one():\n    assert total([3]) == 3\n\n\n"
        "def test_signs():\n    assert total([-1, 2]) == 1\n"
    ),
}
BROKEN = {
    **FIXED,
    "sums/core.py": FIXED["sums/core.py"].replace("sum(values)", "sum(map(abs, values))"),
    "tests/test_core.py": FIXED["tests/test_core.py"].partition("\n\n\ndef test_signs")[0] + "\n",
}
CODE, TESTS = {"sums/core.py"}, {"tests/test_core.py"}


def patch(paths):
    """The repair of some files, as upstream's rows have it."""
    return make_patch({p: BROKEN[p] for p in paths}, {p: FIXED[p] for p in paths})


def row(**changes):
    values = {
        "instance_id": "pallets__flask-1",
        "repo": "pallets/flask",
        "base_commit": "0" * 40,
        "version": "1",
        "problem_statement": "The total of -1 and 2 is 3 and should be 1.",
        "patch": patch(CODE),
        "test_patch": patch(TESTS),
        "FAIL_TO_PASS": json.dumps(["tests/test_core.py::test_signs"]),
        "hints_text": "what a task does not take",
    }
    return values | changes


def write_rows(path, *values):
    path.write_text("".join(json.dumps(value) + "\n" for value in values))
    return path


@pytest.fixture
def pinned(tmp_path, monkeypatch):
    """One row is needed, and this is it."""
    path = write_rows(tmp_path / "test.jsonl", row(), row(instance_id="other__other-1"))
    wanted = rows.read(path)["pallets__flask-1"]
    monkeypatch.setattr(rows, "pinned", lambda: {"pallets__flask-1": wanted.hash})
    return tmp_path


def test_only_the_rows_that_are_needed_are_kept(pinned):
    here = pinned / "home" / "rows.jsonl"
    assert not rows.is_installed(here)
    rows.bring(here, pinned)
    assert list(rows.read(here)) == ["pallets__flask-1"]
    assert rows.is_installed(here)
    assert b"what a task does not take" not in here.read_bytes()


def test_a_file_of_rows_serves_as_well_as_its_folder(pinned):
    rows.bring(pinned / "rows.jsonl", pinned / "test.jsonl")
    assert rows.is_installed(pinned / "rows.jsonl")


def test_a_row_that_is_missing_is_named(pinned):
    write_rows(pinned / "test.jsonl", row(instance_id="other__other-1"))
    with pytest.raises(Unavailable, match="no row pallets__flask-1"):
        rows.bring(pinned / "rows.jsonl", pinned)
    assert not (pinned / "rows.jsonl").exists()


def test_a_row_that_is_another_is_refused(pinned):
    write_rows(pinned / "test.jsonl", row(problem_statement="The total is wrong."))
    with pytest.raises(Unavailable, match="pallets__flask-1 is not the one"):
        rows.bring(pinned / "rows.jsonl", pinned)


def test_a_place_without_rows_is_refused_by_its_path(tmp_path):
    with pytest.raises(Unavailable, match=r"there is no .*test\.jsonl"):
        rows.bring(tmp_path / "rows.jsonl", tmp_path)


def test_every_task_has_its_row_pinned_and_no_other_row_is():
    assert {folder.name for folder in FOLDERS} == set(rows.pinned())


def test_a_patch_taken_back_gives_the_tree_before_it():
    assert without(without(FIXED, patch(TESTS)), patch(CODE)) == BROKEN


def test_a_file_a_patch_adds_is_gone_when_it_is_taken_back():
    new = make_patch({}, {"sums/more.py": "x = 1\n"})
    assert without({**FIXED, "sums/more.py": "x = 1\n"}, new) == FIXED


def test_a_patch_that_a_release_does_not_contain_is_refused():
    with pytest.raises(Inconsistent, match="does not contain the patch"):
        without(BROKEN, patch(CODE))


def test_what_is_run_of_a_patch_of_tests_are_its_python_files():
    made = make_patch(
        {}, {"tests/roots/conf.py": "1\n", "tests/test_x.py": "1\n", "tests/data.txt": "1\n", "x.py": "1\n"}
    )
    assert sorted(touched_tests(made)) == ["tests/roots/conf.py", "tests/test_x.py"]


# An instance of ours, as upstream writes its own


TASK = """package = "sums"
release = "2"
folder = "sums"
keep = ["sums", "tests"]
hidden = ["tests"]
main = "signs"
operators = ["empty"]

[suite]
folder = "tests"
files = ["tests/test_core.py"]
known = "tests/test_core.py"

[[clauses]]
id = "signs"
text = "A total counts negative values as they are."
spans = [["instruction", "should be 1"]]

[[atoms]]
name = "signs_count"
clause = "signs"
tests = ["tests/test_core.py::test_signs"]
expected = { signs = "1" }
"""


@pytest.fixture
def instance(tmp_path, monkeypatch):
    archives, folder = tmp_path / "archives", tmp_path / "tasks" / "pallets__flask-1"
    for path in (archives, folder):
        path.mkdir(parents=True)
    with tarfile.open(archives / "sums-2.tar.gz", "w:gz") as tar:
        for name, text in FIXED.items():
            member = tarfile.TarInfo(f"sums-2/{name}")
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))
    digest = sha256((archives / "sums-2.tar.gz").read_bytes())
    table = tmp_path / "archives.toml"
    table.write_text(f'[[archive]]\npackage = "sums"\nversion = "2"\nfile = "sums-2.tar.gz"\nsha256 = "{digest}"\n')
    monkeypatch.setattr(release_way, "SDISTS", Sdists(table))
    (folder / "task.toml").write_text(TASK + "[[variants]]\n" + VARIANT)
    (folder / "cases.py").write_text("from sums.core import total\n\n\ndef case_signs():\n    return total([-1, 2])\n")
    found = rows.read(write_rows(tmp_path / "test.jsonl", row()))["pallets__flask-1"]
    return Reading(folder, found, archives)


VARIANT = """name = "issue_values"
kind = "hack"
grounds = [["signs", "right for the issue's values alone"]]
edits = [{ file = "sums/core.py", at = "return sum", lines = 0, by = "if list(values) == [-1, 2]:\\n\\treturn 1" }]
"""


def test_a_solver_finds_neither_the_repair_nor_its_tests(instance):
    assert instance.repository == BROKEN
    assert instance.task.instruction == row()["problem_statement"]
    assert instance.hidden == {"tests/test_core.py": FIXED["tests/test_core.py"]}
    assert instance.draft.fixed["sums/core.py"] == FIXED["sums/core.py"]


@pytest.fixture
def grading(instance, tmp_path, monkeypatch):
    if not (is_installed(SWEBENCH.packages, REQUIREMENTS) and is_installed(SWEBENCH.upstream, UPSTREAM)):
        pytest.skip(NEEDS)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    packages = Packages(folder=SWEBENCH.packages, version="pinned")
    environment = CodeEnvironment(instance.repository, packages=packages)
    try:
        environment.execute({"patch": ""})
    except Unavailable as missing:
        pytest.skip(str(missing))
    graded = Grading({instance.id: instance}, lambda _task: environment, SWEBENCH.upstream)
    yield graded
    graded.close()


def test_upstreams_grading_takes_the_repair_and_what_the_tests_cannot_tell_from_it(grading, instance):
    verdicts = {
        case.operator: grading.decide(instance.task, case.content).verdict.value
        for case in cases(instance.draft, DEVELOPMENT)
    }
    assert verdicts == {"gold": "PASS", "empty": "FAIL", "issue_values": "PASS"}


def test_upstreams_grading_says_why(grading, instance):
    unfit = make_patch({"sums/core.py": "nothing like it\n"}, {"sums/core.py": "x\n"})
    assert grading.decide(instance.task, {"patch": unfit}).detail == "the patch does not apply"
    broken = make_patch({"sums/core.py": BROKEN["sums/core.py"]}, {"sums/core.py": "raise LookupError\n"})
    assert grading.decide(instance.task, {"patch": broken}).verdict.value == "FAIL"


def test_a_task_that_is_no_instance_is_refused(grading, instance):
    with pytest.raises(UnknownName):
        grading.decide(msgspec.structs.replace(instance.task, id="swebench/other"), {"patch": ""})


# The tasks


@pytest.fixture(scope="module")
def installed():
    if not SWEBENCH.status().ready:
        pytest.skip(NEEDS)
    return rows.read(SWEBENCH.rows)


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_a_task_reads_whole_and_makes_its_cases(installed, folder):
    task = Reading(folder, installed[folder.name], SWEBENCH.archives)
    made = list(cases(task.draft, DEVELOPMENT))
    assert len({case.content["patch"] for case in made}) == len(made) >= 18
    assert sum(case.label.value == "PASS" for case in made) >= 0.35 * len(made)
    attacks = [case for case in made if case.kind.is_attack]
    assert len(attacks) >= 4
    assert {case.id for case in attacks} <= {case.control_of for case in made}
    assert set(task.said.operators) <= set(OPERATORS)


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_nothing_public_holds_gold_and_nothing_of_ours_holds_upstreams_lines(installed, folder):
    task = Reading(folder, installed[folder.name], SWEBENCH.archives)
    assert set(task.task.public["materials"]) == {"test_command"}
    for path, text in task.draft.gold.items():
        assert text is None or task.repository.get(path) != text
    assert not any(path.startswith(".probe") for path in task.repository)
    added = [line[1:].strip() for line in task.row.patch.splitlines() if re.match(r"\+[^+]", line)]
    ours = [line.strip() for line in (folder / "task.toml").read_text().replace("\\n", "\n").splitlines()]
    copied = difflib.SequenceMatcher(None, added, ours, autojunk=False).find_longest_match()
    assert sum(map(len, added[copied.a : copied.a + copied.size])) <= 200, added[copied.a : copied.a + copied.size]
