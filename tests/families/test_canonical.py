"""What tells no view apart, and that everything else still does, family by family."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import Family, canonical_hash
from verifierbench.families import family as family_of
from verifierbench.families.code.content import make_patch

# ------------------------------------------------------------------ any JSON

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8
)
OBJECTS = st.dictionaries(st.text(max_size=3), VALUES, max_size=3)

CALLS = st.fixed_dictionaries({"name": st.text(max_size=4), "arguments": OBJECTS})
TURNS = st.fixed_dictionaries(
    {"calls": st.lists(CALLS, max_size=3), "message": st.none() | st.text(), "answer": VALUES}
)
TOOL_CALL = st.fixed_dictionaries(
    {"solution": st.fixed_dictionaries({"turns": st.lists(TURNS, min_size=1, max_size=2)}), "runs": st.just({})}
)
EVENTS = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "call": CALLS}) | st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant"]), "message": st.text()}
)
STATE = st.fixed_dictionaries(
    {
        "solution": st.fixed_dictionaries({"events": st.lists(EVENTS, max_size=4), "answer": st.none() | st.text()}),
        "runs": st.dictionaries(st.sampled_from(["replay", "initial"]), OBJECTS),
    }
)
COMMANDS = st.fixed_dictionaries(
    {"exit": st.integers(0, 3), "ended": st.just("exit"), "stdout": st.text(), "stderr": st.text()}
)
RUNS = st.fixed_dictionaries(
    {"applied": st.booleans(), "error": st.text(), "commands": st.lists(COMMANDS, max_size=2), "files": OBJECTS}
)
LINES = st.lists(st.sampled_from(["a\n", "b\n", "\n", "  c\n", "d"]), max_size=8).map("".join)
TREES = st.dictionaries(st.sampled_from(["one.py", "pack/two.py", "three four.py"]), LINES, max_size=3)
PATCHES = st.builds(make_patch, TREES, TREES) | st.text()
CODE = st.fixed_dictionaries(
    {"solution": st.fixed_dictionaries({"patch": PATCHES}), "runs": st.dictionaries(st.just("checks"), RUNS)}
)
VIEWS = {"tool_call": TOOL_CALL, "state": STATE, "code": CODE}


def canonical(name: str, view: Any) -> Any:
    return family_of(Family(name)).canonical(view)


def key(name: str, view: Any) -> str:
    return canonical_hash(canonical(name, view))


@pytest.mark.parametrize("name", VIEWS)
@given(data=st.data())
def test_canonical_is_idempotent_and_changes_nothing_in_place(name: str, data: st.DataObject):
    view = data.draw(VIEWS[name])
    before = copy.deepcopy(view)
    once = canonical(name, view)
    assert view == before
    assert canonical_hash(canonical(name, once)) == canonical_hash(once)


@pytest.mark.parametrize("name", VIEWS)
@given(data=st.data())
def test_the_order_of_keys_tells_nothing(name: str, data: st.DataObject):
    view = data.draw(VIEWS[name])
    assert key(name, turned(view)) == key(name, view)


@pytest.mark.parametrize("name", VIEWS)
@given(solution=VALUES)
def test_what_is_no_solution_stays_what_it_is(name: str, solution: Any):
    """Regression: a suite edited by hand may hold anything, and the audit has to get through it."""
    view = {"solution": solution, "runs": {}}
    assert canonical(name, view) == view
    for inner in (
        {"turns": [solution]},
        {"turns": [{"calls": [solution]}]},
        {"patch": [solution]},
        {"events": solution},
    ):
        assert canonical(name, {"solution": inner, "runs": {}})["solution"] == inner


def turned(value: Any) -> Any:
    """The same data with every object's keys the other way round."""
    if isinstance(value, dict):
        return {name: turned(value[name]) for name in reversed(value)}
    return [turned(item) for item in value] if isinstance(value, list) else value


@given(view=TOOL_CALL, data=st.data())
def test_another_value_of_a_call_or_reply_tells(view: Any, data: st.DataObject):
    other = copy.deepcopy(view)
    turn = other["solution"]["turns"][0]
    place = data.draw(st.sampled_from(["message", "answer", "calls"]))
    turn[place] = {
        "message": "another " + str(turn["message"]),
        "answer": [turn["answer"]],
        "calls": [*turn["calls"], {"name": "another", "arguments": {}}],
    }[place]
    assert key("tool_call", other) != key("tool_call", view)


@given(view=STATE, number=st.integers(0, 3), data=st.data())
def test_another_event_or_result_tells(view: Any, number: int, data: st.DataObject):
    other = copy.deepcopy(view)
    other["solution"]["events"].insert(number, {"role": "user", "message": "another"})
    assert key("state", other) != key("state", view)
    again = copy.deepcopy(view)
    again["runs"]["replay"] = {**again["runs"].get("replay", {}), "another": 1}
    assert key("state", again) != key("state", view)


# ------------------------------------------------------------------ tool calls


def call_view(*arguments: dict[str, Any], message: str | None = None, answer: Any = None) -> Any:
    calls = [{"name": "f", "arguments": one} for one in arguments]
    return {"solution": {"turns": [{"calls": calls, "message": message, "answer": answer}]}, "runs": {}}


@pytest.mark.parametrize(("one", "other"), [(5, 5.0), (0, -0.0), (100, 1e2), ([5], [5.0]), ({"a": 5}, {"a": 5.0})])
def test_how_a_whole_number_is_written_tells_nothing(one: Any, other: Any):
    assert key("tool_call", call_view({"x": one})) == key("tool_call", call_view({"x": other}))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (5, 5.5),
        (5, "5"),
        (1, True),
        (0, False),
        (0, None),
        ("", None),
        (10**23, 1e23),  # 1e23 is 99999999999999991611392
        ("a", "A"),
        ("a", " a"),
        (["a", "b"], ["b", "a"]),
    ],
)
def test_what_some_task_lets_decide_tells(one: Any, other: Any):
    assert key("tool_call", call_view({"x": one})) != key("tool_call", call_view({"x": other}))


def test_an_argument_left_out_an_order_of_calls_and_an_answer_tell():
    views = [
        call_view(),
        call_view({}),
        call_view({"x": None}),
        call_view({"x": 1}, {"x": 2}),
        call_view({"x": 2}, {"x": 1}),
        call_view({}, message=""),
        call_view({}, answer=5),
        call_view({}, answer=5.0),
    ]
    assert len({key("tool_call", view) for view in views}) == len(views)


# ------------------------------------------------------------------ state


def test_five_and_five_point_zero_are_for_the_environment_to_tell():
    def view(x: Any) -> Any:
        return {
            "solution": {
                "events": [{"role": "assistant", "call": {"name": "pay", "arguments": {"x": x}}}],
                "answer": None,
            },
            "runs": {},
        }

    assert key("state", view(5)) != key("state", view(5.0))


# ------------------------------------------------------------------ patches

BEFORE = {"a.py": "".join(f"line {n}\n" for n in range(40)), "b.py": "x = 1\n", "old.py": "gone = 1\n"}
AFTER = {
    "a.py": BEFORE["a.py"].replace("line 9\n", "nine\n").replace("line 30\n", "").replace("line 14\n", "line 14\n+\n"),
    "b.py": "x = 2\n",
    "new.py": "y = 1",
}
PATCH = make_patch(BEFORE, AFTER)


def patch_key(patch: str, **run: Any) -> str:
    return key("code", {"solution": {"patch": patch}, "runs": {"checks": run} if run else {}})


def swapped(patch: str, old: str, new: str) -> str:
    assert old in patch
    return patch.replace(old, new)


@pytest.mark.parametrize(
    "other",
    [
        *(make_patch(BEFORE, AFTER, context=context) for context in (1, 2, 4, 12)),
        make_patch(BEFORE, AFTER, order=["new.py", "b.py"]),
        swapped(PATCH, "--- a/b.py", "index 0a1b2c3..4d5e6f7 100644\n--- a/b.py"),
        swapped(
            PATCH, "--- a/b.py\n+++ b/b.py\n", "--- a/b.py\t2031-03-05 10:00:00\n+++ b/b.py\t2031-03-06 11:00:00\n"
        ),
        swapped(PATCH, "@@ -1 +1 @@", "@@ -1,1 +1,1 @@ def f(x):"),
        "From 0a1b2c3 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] repair\n\n a.py | 3 +-\n\n" + PATCH + "-- \n2.40.1\n",
        "".join(line for line in PATCH.splitlines(keepends=True) if not line.startswith("diff --git ")),
        swapped(PATCH, "a/a.py", "i/a.py").replace("b/a.py", "w/a.py"),
        swapped(swapped(PATCH, "@@ -7,", "@@ -9,"), "@@ -28,7 +29,6 @@", "@@ -30,7 +31,6 @@").replace(" +7,", " +9,"),
    ],
    ids=["context 1", "2", "4", "12", "order", "index", "times", "heading", "letter", "bare", "prefixes", "shifted"],
)
def test_a_patch_that_does_the_same_tells_nothing(other: str):
    assert other != PATCH
    assert patch_key(other) == patch_key(PATCH)


@pytest.mark.parametrize(
    "other",
    [
        "",
        PATCH[:-1],
        make_patch(BEFORE, {**AFTER, "b.py": "x = 3\n"}),
        make_patch(BEFORE, {**AFTER, "b.py": "x = 2"}),
        make_patch(BEFORE, {**AFTER, "b.py": "x  = 2\n"}),
        make_patch(BEFORE, {**AFTER, "more.py": ""}),
        make_patch(BEFORE, {**AFTER, "old.py": BEFORE["old.py"]}),
        make_patch(BEFORE, {path.replace("new", "nu"): text for path, text in AFTER.items()}),
        make_patch(BEFORE, {**AFTER, "a.py": AFTER["a.py"].replace("nine", "neun")}),
        # The same line added two lines further down.
        make_patch(BEFORE, {**AFTER, "a.py": AFTER["a.py"].replace("+\nline 15\nline 16\n", "line 15\nline 16\n+\n")}),
        swapped(PATCH, "new file mode 100644", "new file mode 100755"),
        swapped(PATCH, "--- a/b.py", "old mode 100644\nnew mode 100755\n--- a/b.py"),
        # A neighbouring line that the file does not have: git refuses it.
        swapped(PATCH, " line 10\n", " line ten\n"),
        # A hunk that is shorter than it says.
        swapped(PATCH, "@@ -1 +1 @@", "@@ -1,2 +1,2 @@"),
    ],
)
def test_a_patch_that_does_otherwise_tells(other: str):
    assert patch_key(other) != patch_key(PATCH)


def test_the_same_change_at_the_first_or_the_last_of_two_like_lines_tells():
    before = {"a.py": "a\nx\nb\nc\nx\nd\n"}
    first, last = ({"a.py": text} for text in ("a\ny\nb\nc\nx\nd\n", "a\nx\nb\nc\ny\nd\n"))
    assert patch_key(make_patch(before, first, context=1)) != patch_key(make_patch(before, last, context=1))


def test_the_same_file_named_twice_keeps_its_order():
    one, two = ("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+2\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-2\n+1\n")
    assert patch_key(one + two) != patch_key(two + one)


def test_changes_are_read_alike_whatever_hunks_they_stand_in():
    """By hand: two changes five lines apart, in one hunk and in two."""
    apart = "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -6,3 +6,3 @@\n f\n-g\n+G\n h\n"
    together = "--- a/f\n+++ b/f\n@@ -1,8 +1,8 @@\n a\n-b\n+B\n c\n d\n e\n f\n-g\n+G\n h\n"
    read = canonical("code", {"solution": {"patch": apart}, "runs": {}})["solution"]["patch"]
    changes = [[0, "a", ["b"], ["B"], "c"], [5, "f", ["g"], ["G"], "h"]]
    assert read == {"files": [{"names": ["f", "f"], "said": [], "changes": changes}]}
    assert patch_key(apart) == patch_key(together)


@given(before=TREES, after=TREES, context=st.integers(1, 9))
def test_any_patch_reads_alike_with_any_context(before: dict[str, str], after: dict[str, str], context: int):
    assert patch_key(make_patch(before, after, context=context)) == patch_key(make_patch(before, after))


@given(before=TREES, one=TREES, other=TREES)
def test_patches_to_different_trees_read_differently(before: Any, one: Any, other: Any):
    """With all of a file in sight, a place is never in doubt, so different results are different patches."""
    same = patch_key(make_patch(before, one)) == patch_key(make_patch(before, other))
    if one == other:
        assert same
    elif same:
        # The neighbours alone leave the place open; that is what the run tells.
        assert {p for p in {*before, *one} if before.get(p) != one.get(p)} == {
            p for p in {*before, *other} if before.get(p) != other.get(p)
        }


def command(stdout: str = "", stderr: str = "", status: int = 0) -> dict[str, Any]:
    return {
        "applied": True,
        "error": "",
        "files": {},
        "commands": [{"exit": status, "ended": "exit", "stdout": stdout, "stderr": stderr}],
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ran 5 tests in 0.003s", "Ran 5 tests in 12.250s"),
        ("5 passed in 0.12 seconds", "5 passed in 1.00 seconds"),
        ("<object at 0x7f12ab34cd56>", "<object at 0x7f99ab34cd00>"),
        ("/tmp/tmpab12cd34/x.py", "/tmp/tmpzz_2cd34/x.py"),
    ],
)
def test_noise_in_what_was_printed_tells_nothing(one: str, other: str):
    assert patch_key("", **command(one)) == patch_key("", **command(other))
    assert patch_key("", **command(stderr=one)) == patch_key("", **command(stderr=other))


@pytest.mark.parametrize(
    "other",
    [
        command("Ran 6 tests in 0.003s"),
        command("Ran 5 tests in 3 s"),
        command("", "Ran 5 tests in 0.003s"),
        command("Ran 5 tests in 0.003s", status=1),
        command("Ran 5 tests in 0.003s\n"),
        {**command("Ran 5 tests in 0.003s"), "error": "b.py: patch does not apply"},
        {**command("Ran 5 tests in 0.003s"), "files": {"t": "in 0.003s"}},
        {"refused": "Ran 5 tests in 0.003s"},
    ],
)
def test_everything_else_that_was_seen_tells(other: dict[str, Any]):
    assert patch_key("", **other) != patch_key("", **command("Ran 5 tests in 0.003s"))
