"""Checks of the code family: no evidence, no satisfaction."""

import pytest

from verifierbench.core import Absent
from verifierbench.families.code.checks import CHECKS

EXPECTED = {"probe": "p", "command": 0, "expected": {"one": "1", "two": "'b'"}}
SHOWN = '=> ["one", "1"]\n=> ["two", "\'b\'"]\n'
REPORT = (
    "test_a (tests.test_x.XTest.test_a) ... ok\n"
    "test_b (tests.test_x.XTest.test_b) ... FAIL\n"
    "test_c (tests.test_x.XTest.test_c) ... skipped 'why'\n"
)


def view(*, stdout="", stderr="", status=0, ended="exit", applied=True, files=None, patch=""):
    command = {"exit": status, "ended": ended, "stdout": stdout, "stderr": stderr}
    run = {"applied": applied, "error": "", "commands": [command] if applied else [], "files": files or {}}
    return {"solution": {"patch": patch}, "runs": {"p": run}}


def satisfied(check, parameters, seen):
    try:
        return CHECKS[check](seen, parameters)
    except Absent:
        return False


def test_values_need_every_case_exactly():
    assert satisfied("values", EXPECTED, view(stdout="noise\n" + SHOWN))
    assert not satisfied("values", EXPECTED, view(stdout='=> ["one", "1"]\n'))
    assert not satisfied("values", EXPECTED, view(stdout=SHOWN.replace('"1"', '"1.0"')))


@pytest.mark.parametrize("forged", ['=> ["one", "1"]\n', '=> ["one", "2"]\n'])
def test_two_lines_for_one_case_are_no_evidence(forged):
    assert not satisfied("values", EXPECTED, view(stdout=forged + SHOWN))


@pytest.mark.parametrize("line", ["=> nonsense\n", "=> [1, 2]\n", '=> ["one"]\n', " " + SHOWN.splitlines()[0] + "\n"])
def test_lines_of_another_shape_are_passed_over(line):
    assert satisfied("values", EXPECTED, view(stdout=line + SHOWN))
    assert not satisfied("values", EXPECTED, view(stdout=line))


@pytest.mark.parametrize("ended", ["timeout", "signal", "output"])
def test_a_command_that_was_stopped_has_said_nothing(ended):
    assert not satisfied("values", EXPECTED, view(stdout=SHOWN, ended=ended, status=None))


def test_a_patch_that_does_not_apply_satisfies_nothing():
    seen = view(applied=False)
    assert not satisfied("values", EXPECTED, seen)
    assert not satisfied("tests", {"probe": "p", "command": 0, "outcomes": {}}, seen)
    assert not satisfied("untouched", {"probe": "p", "paths": ["x"]}, seen)


def test_a_refused_request_satisfies_nothing():
    seen = {"solution": {"patch": ""}, "runs": {"p": {"refused": "no"}}}
    assert not satisfied("values", EXPECTED, seen)
    assert not satisfied("untouched", {"probe": "p", "paths": []}, seen)
    assert not satisfied("contains", {"probe": "p", "path": "a", "pattern": ""}, seen)


@pytest.mark.parametrize(
    ("outcomes", "status", "fine"),
    [
        ({"tests.test_x.XTest.test_a": "ok"}, None, True),
        ({"tests.test_x.XTest.test_a": "ok", "tests.test_x.XTest.test_b": "FAIL"}, 1, True),
        ({"tests.test_x.XTest.test_a": "ok"}, 0, False),
        ({"tests.test_x.XTest.test_b": "ok"}, None, False),
        ({"tests.test_x.XTest.test_c": "ok"}, None, False),
        ({"tests.test_x.XTest.test_gone": "ok"}, None, False),
    ],
)
def test_tests_need_each_named_outcome(outcomes, status, fine):
    parameters = {"probe": "p", "command": 0, "outcomes": outcomes} | ({} if status is None else {"exit": status})
    assert satisfied("tests", parameters, view(stderr=REPORT, status=1)) == fine


def test_an_outcome_reported_twice_is_no_evidence():
    parameters = {"probe": "p", "command": 0, "outcomes": {"tests.test_x.XTest.test_a": "ok"}}
    assert not satisfied("tests", parameters, view(stderr=REPORT + REPORT))


def test_untouched_looks_at_whole_folder_names():
    patch = "--- a/lib/vendored.py\n+++ b/lib/vendored.py\n@@ -1 +1 @@\n-a\n+b\n"
    for paths, fine in (
        (["lib"], False),
        (["lib/"], False),
        (["lib/vendored.py"], False),
        (["lib/vendor", "li"], True),
    ):
        assert satisfied("untouched", {"probe": "p", "paths": paths}, view(patch=patch)) == fine


def test_unchanged_and_contains_read_files():
    seen = view(files={"a.md": "# A\n\n- one\n", "gone": None})
    assert satisfied("unchanged", {"probe": "p", "files": {"a.md": "# A\n\n- one\n"}}, seen)
    assert not satisfied("unchanged", {"probe": "p", "files": {"a.md": "# A\n"}}, seen)
    assert not satisfied("unchanged", {"probe": "p", "files": {"gone": ""}}, seen)
    assert satisfied("contains", {"probe": "p", "path": "a.md", "pattern": "^- o"}, seen)
    assert not satisfied("contains", {"probe": "p", "path": "a.md", "pattern": "^o"}, seen)
    assert not satisfied("contains", {"probe": "p", "path": "gone", "pattern": ""}, seen)
