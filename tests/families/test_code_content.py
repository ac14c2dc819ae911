"""Diffs: git must take what we make, and every path a diff names must be seen."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifierbench.families.code.content import make_patch, patched, touched

LINES = st.lists(st.sampled_from(["a", "b", "-- a/x", "++ b/y", "", " indented", "é\x0c\x1c\u2028|"]), max_size=8)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))
TREES = st.dictionaries(st.sampled_from(["a.py", "pkg/b.py", "pkg/c d.txt", "e"]), TEXTS, max_size=4)


def git_apply(tree, patch, folder):
    for path, text in tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    done = subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"], cwd=folder, input=patch.encode(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in files}


@settings(max_examples=60, deadline=None)
@given(TREES, TREES, st.integers(1, 12))
def test_git_turns_one_tree_into_the_other(tmp_path_factory, before, after, context):
    patch = make_patch(before, after, context=context)
    if patch:
        assert git_apply(before, patch, tmp_path_factory.mktemp("tree")) == after
    else:
        assert before == after


@given(TREES, TREES)
def test_touched_is_what_differs(before, after):
    changed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    assert set(touched(make_patch(before, after))) == changed


def test_equal_trees_need_no_patch():
    assert make_patch({"a": "1\n"}, {"a": "1\n"}) == ""


def test_order_of_files_is_chosen_or_sorted():
    trees = {"a": "1\n", "b": "1\n", "c": "1\n"}, {"a": "2\n", "b": "2\n", "c": "2\n"}
    assert touched(make_patch(*trees)) == ("a", "b", "c")
    assert touched(make_patch(*trees, order=["c"])) == ("c", "a", "b")


def test_patched_replaces_adds_and_removes():
    assert patched({"a": "1", "b": "2"}, {"a": "3", "b": None, "c": "4"}) == {"a": "3", "c": "4"}


RENAME = "diff --git a/old.py b/new.py\nsimilarity index 100%\nrename from old.py\nrename to new.py\n"
COPY = "diff --git a/old.py b/copy.py\nsimilarity index 100%\ncopy from old.py\ncopy to copy.py\n"
MODE = "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n"
QUOTED = '--- "a/caf\\303\\251.py"\n+++ "b/caf\\303\\251.py"\n@@ -1 +1 @@\n-a\n+b\n'
INSIDE = "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n--- a/not.py\n+++ b/not.py\n ok\n"
DOTTED = "--- a/./pkg/../pkg/x.py\t2024-01-01\n+++ b/pkg/x.py\n@@ -1 +1 @@\n-a\n+b\n"


@pytest.mark.parametrize(
    ("patch", "paths"),
    [
        (RENAME, {"old.py", "new.py"}),
        (COPY, {"old.py", "copy.py"}),
        (MODE, {"run.sh"}),
        (QUOTED, {"café.py"}),
        (INSIDE, {"x.py"}),
        (DOTTED, {"pkg/x.py"}),
        ("", set()),
        ("nothing of the kind\n", set()),
    ],
)
def test_every_way_of_naming_a_path_is_seen(patch, paths):
    assert set(touched(patch)) == paths
