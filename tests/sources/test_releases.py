"""Release pairs: archives are what was pinned, gold is a part of what changed, edits find their one place."""

import io
import re
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import DEVELOPMENT, Inconsistent, MalformedInput, Unavailable
from verifierbench.core import sha256 as hash_of
from verifierbench.families.code.operators import OPERATORS, cases
from verifierbench.families.code.pytest_operators import PYTEST
from verifierbench.sources.releases import RELEASES, archives
from verifierbench.sources.releases.archives import Archive, bring, files, missing, under
from verifierbench.families.code.edits import Edit, edited
from verifierbench.sources.releases.gold import merged, repaired, runs
from verifierbench.sources.releases.reading import TASKS, Reading

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n"]), max_size=8).map("".join)
FOLDERS = sorted(path for path in TASKS.iterdir() if (path / "task.toml").exists())


@given(LINES, LINES)
def test_all_runs_together_are_the_newer_text_and_none_the_older(old, new):
    assert merged(old, new, None) == new
    assert merged(old, new, []) == old
    assert merged(old, new, range(len(runs(old, new)))) == new


@given(LINES, LINES, st.data())
def test_runs_left_out_can_be_taken_later(old, new, data):
    count = len(runs(old, new))
    some = data.draw(st.sets(st.integers(0, count - 1))) if count else set()
    assert merged(old, new, some).count("\n") - old.count("\n") == sum(
        len(after) - len(before) for number, (before, after) in enumerate(runs(old, new)) if number in some
    )


def test_gold_takes_the_runs_of_one_bug_and_nothing_else():
    # Runs: 0 replaces "a", 1 adds "x" after "b".
    old, new = {"m.py": "a\nb\nc\n", "gone.py": "1\n"}, {"m.py": "A\nb\nx\nc\n"}
    assert repaired(old, new, {"m.py": [1]}) == {"m.py": "a\nb\nx\nc\n"}
    assert repaired(old, new, {"m.py": [], "gone.py": []}) == {"m.py": "A\nb\nx\nc\n", "gone.py": None}
    with pytest.raises(Inconsistent, match="2 changed runs"):
        repaired(old, new, {"m.py": [2]})


TREE = {"m.py": "def f(x):\n    y = x\n    return y\n\n\ndef g(x):\n    return x\n"}


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (
            Edit(file="m.py", at="y = x", by="y = -x"),
            "def f(x):\n    y = -x\n    return y\n\n\ndef g(x):\n    return x\n",
        ),
        (Edit(file="m.py", at="y = x", lines=2), "def f(x):\n\n\ndef g(x):\n    return x\n"),
        (
            Edit(file="m.py", at="y = x", lines=0, by="if not x:\n    return 0"),
            "def f(x):\n    if not x:\n        return 0\n    y = x\n    return y\n\n\ndef g(x):\n    return x\n",
        ),
        (
            Edit(file="m.py", at="def g", skip=1, by="    return 2"),
            "def f(x):\n    y = x\n    return y\n\n\ndef g(x):\nreturn 2\n",
        ),
        (Edit(file="m.py", at="return", nth=2, by="return 3"), TREE["m.py"].replace("return x", "return 3")),
        (Edit(file="m.py", at="", by="z = 1\n"), TREE["m.py"] + "z = 1\n"),
    ],
)
def test_an_edit_replaces_lines_at_its_place(edit, text):
    assert edited(TREE, [edit]) == {"m.py": text}


def test_edits_of_one_file_build_on_each_other():
    first, second = Edit(file="m.py", at="y = x", by="z = x"), Edit(file="m.py", at="return y", by="return z")
    assert edited(TREE, [first, second])["m.py"].startswith("def f(x):\n    z = x\n    return z\n")


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (Edit(file="m.py", at="nowhere"), "0 lines"),
        (Edit(file="m.py", at="return"), "2 lines"),
        (Edit(file="m.py", at="return", nth=3), "2 lines"),
        (Edit(file="other.py", at="x"), "no file other.py"),
    ],
)
def test_an_edit_without_its_one_place_is_refused(edit, words):
    with pytest.raises(Inconsistent, match=words):
        edited(TREE, [edit])


def packed(path, members):
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return path.read_bytes()


@pytest.fixture
def pinned(tmp_path, monkeypatch):
    origin = tmp_path / "origin"
    origin.mkdir()
    content = packed(
        origin / "p-1.tar.gz", {"p-1/p/__init__.py": b"x = 1\n", "p-1/logo.png": b"\x89PNG\xff", "p-1": b""}
    )
    row = Archive(package="p", version="1", file="p-1.tar.gz", sha256=hash_of(content))
    monkeypatch.setattr(archives, "archives", lambda: (row,))
    return origin


def test_archives_are_copied_when_their_hashes_are_right(pinned, tmp_path):
    here = tmp_path / "here"
    assert [each.file for each in missing(here)] == ["p-1.tar.gz"]
    bring(here, pinned)
    assert missing(here) == ()
    assert files(here / "p-1.tar.gz") == {"p/__init__.py": "x = 1\n"}
    bring(here, tmp_path / "no such folder")


def test_an_archive_with_other_bytes_is_refused_and_nothing_is_left(pinned, tmp_path):
    (pinned / "p-1.tar.gz").write_bytes(b"other")
    with pytest.raises(Unavailable, match=r"p-1\.tar\.gz is not the file"):
        bring(tmp_path / "here", pinned)
    assert list((tmp_path / "here").iterdir()) == []


def test_a_folder_without_an_archive_is_refused_by_name(pinned, tmp_path):
    (pinned / "p-1.tar.gz").unlink()
    with pytest.raises(Unavailable, match=r"no p-1\.tar\.gz"):
        bring(tmp_path / "here", pinned)


def test_a_file_that_is_no_archive_is_named(tmp_path):
    (tmp_path / "x.tar.gz").write_bytes(b"no archive")
    with pytest.raises(MalformedInput, match=r"x\.tar\.gz"):
        files(tmp_path / "x.tar.gz")


def test_a_place_is_a_file_or_a_folder_and_no_beginning_of_a_name():
    tree = {"p/a.py": "", "p/b/c.py": "", "pp/d.py": "", "setup.py": ""}
    assert sorted(under(tree, ["p", "setup.py"])) == ["p/a.py", "p/b/c.py", "setup.py"]


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_an_issue_has_one_script_and_what_it_must_print(folder):
    blocks = re.findall(r"^```(\w*)\n", (folder / "issue.md").read_text(), re.M)
    assert sorted(block for block in blocks if block) == ["python", "text"]


@pytest.fixture(scope="module")
def installed():
    if not RELEASES.status().ready:
        pytest.skip(RELEASES.status().needs)
    return RELEASES.archives


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_a_task_reads_whole_and_makes_its_cases(installed, folder):
    reading = Reading(folder, installed)
    made = list(cases(reading.draft, DEVELOPMENT))
    assert len({case.content["patch"] for case in made}) == len(made) >= 18
    assert sum(case.label.value == "PASS" for case in made) >= 0.35 * len(made)
    attacks = [case for case in made if case.kind.is_attack]
    assert len(attacks) >= 4
    assert {case.id for case in attacks} <= {case.control_of for case in made}
    table = {**OPERATORS, **PYTEST}
    assert set(reading.said.operators) <= set(table)


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_nothing_public_names_the_newer_release_or_holds_gold(installed, folder):
    reading = Reading(folder, installed)
    public, draft = reading.task.public, reading.draft
    assert set(public["materials"]) == {"test_command"}
    for path, text in draft.gold.items():
        assert text is None or reading.repository.get(path) != text
    assert not any(path.startswith(".probe") for path in reading.repository)
