"""The public environment of code tasks: what it refuses, what it smooths, and that it answers alike."""

import pytest

from verifierbench.core import EnvironmentRefusal, Unavailable
from verifierbench.families.code.environment import MOST_COMMANDS, CodeEnvironment, normalised
from verifierbench.sandbox.commands import CommandLimits

REPOSITORY = {"pkg/__init__.py": "VALUE = 1\n", "notes.txt": "one\n"}
PATCH = "--- a/pkg/__init__.py\n+++ b/pkg/__init__.py\n@@ -1 +1 @@\n-VALUE = 1\n+VALUE = 2\n"


@pytest.fixture
def environment(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = CodeEnvironment(REPOSITORY)
    yield made
    made.close()


def execute(environment, request):
    try:
        return environment.execute(request)
    except Unavailable as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({}, "patch"),
        ([], "object"),
        ({"patch": 1}, "patch"),
        ({"patch": "", "command": []}, "command"),
        ({"patch": "", "commands": ["ls -l"]}, "commands"),
        ({"patch": "", "commands": [[]]}, "a command is a list of words"),
        ({"patch": "", "commands": [["true"]] * (MOST_COMMANDS + 1)}, f"at most {MOST_COMMANDS}"),
        ({"patch": "", "read": ["../../etc/passwd"]}, "inside the repository"),
        ({"patch": "", "files": {"/etc/passwd": ""}}, "inside the repository"),
    ],
)
def test_a_malformed_request_is_refused_in_words(environment, request_, words):
    with pytest.raises(EnvironmentRefusal, match=words):
        environment.execute(request_)


@pytest.mark.parametrize(
    ("text", "steady"),
    [
        ("Ran 3 tests in 0.017s\n", "Ran 3 tests in 0.000s\n"),
        ("= 3 passed in 1.20s =", "= 3 passed in 0.000s ="),
        ("<object object at 0x7f3a5c0b1e40>", "<object object at 0x0>"),
        ("/tmp/tmpab12_cd9/x", "/tmp/tmp/x"),
        ("in 3 days, 0x1F and 0xfeed", "in 3 days, 0x1F and 0xfeed"),
    ],
)
def test_only_what_differs_between_runs_is_smoothed(text, steady):
    assert normalised(text) == steady


def test_the_version_follows_everything_answers_depend_on():
    versions = {
        CodeEnvironment(REPOSITORY).version,
        CodeEnvironment(REPOSITORY | {"notes.txt": "two\n"}).version,
        CodeEnvironment(REPOSITORY, limits=CommandLimits(seconds=1.0)).version,
    }
    assert len(versions) == 3
    assert CodeEnvironment(dict(reversed(REPOSITORY.items()))).version == CodeEnvironment(REPOSITORY).version


def test_an_interpreter_that_does_not_run_is_named():
    with pytest.raises(Unavailable, match="/nowhere/python"):
        _ = CodeEnvironment(REPOSITORY, python="/nowhere/python").version


def test_a_request_is_carried_out_in_order(environment):
    request = {
        "patch": PATCH,
        "files": {"extra.py": "from pkg import VALUE\nprint(VALUE, object())\n", "notes.txt": None},
        "commands": [["python", "extra.py"], ["python", "-c", "import sys; sys.exit(3)"]],
        "read": ["pkg/__init__.py", "notes.txt"],
    }
    answer = execute(environment, request)
    assert answer == {
        "applied": True,
        "error": "",
        "commands": [
            {"exit": 0, "ended": "exit", "stdout": "2 <object object at 0x0>\n", "stderr": ""},
            {"exit": 3, "ended": "exit", "stdout": "", "stderr": ""},
        ],
        "files": {"pkg/__init__.py": "VALUE = 2\n", "notes.txt": None},
    }
    assert execute(environment, request) == answer


def test_a_patch_that_does_not_apply_runs_nothing(environment):
    answer = execute(environment, {"patch": PATCH.replace("VALUE = 1", "VALUE = 7"), "commands": [["true"]]})
    assert answer["applied"] is False
    assert answer["error"]
    assert answer["commands"] == []


def test_nothing_outlives_a_request(environment):
    touch = {"patch": "", "commands": [["python", "-c", "open('left', 'w').write('x')"]], "read": ["left"]}
    assert execute(environment, touch)["files"] == {"left": "x"}
    assert execute(environment, {"patch": "", "read": ["left"]})["files"] == {"left": None}
