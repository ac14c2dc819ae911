"""What a reference executes in a repository that pytest tests: behaviour, upstream's tests, the truth of its own.

One request, three commands in one copy, after the patch:

1. the driver (`driver.py`) calls hidden cases outside any test runner;
2. the reporter (`reporter.py`) runs hidden test files in a folder of their own, with settings of their own;
3. the repository's own command runs one test file of its own as it was, with canaries among them: a module of ours
   whose tests must pass, fail and break, and in the repository's own file one test that fails under a name a patch may
   know, while what stood there passes under another.

A patch may change the repository's tests, its `conftest.py` and its settings: the second command does not see them,
and the third shows whether failing tests are still reported.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping
from typing import Any

from .content import Tree
from .suites import AGAIN, FOLDER, Suite, driver_command, driver_files, exchanged, first_test, source

OWN_CHECK = "reported"
SETTINGS: Mapping[str, str] = {}
OLDEST_PYTHON = (3, 8)

_CANARY_MODULE = "test_zz_more.py"
_CANARY = """import pytest


def test_one():
    assert 1 + 1 == 2


def test_two():
    assert 1 + 1 == 3


def test_three(request):
    raise LookupError(request.node.name)


@pytest.fixture
def broken():
    raise LookupError("broken")


def test_four(broken):
    pass
"""
_CANARY_OUTCOMES = {"test_one": "passed", "test_two": "failed", "test_three": "failed", "test_four": "error"}


def command(suite: Suite) -> list[str]:
    """The repository's own test command."""
    return ["python", "-m", "pytest", *suite.files]


def probe(cases: str, repository: Tree, suite: Suite, hidden: Tree, wanted: Iterable[str]) -> dict[str, Any]:
    """The request's part beside the patch; the ids in `wanted` begin with a path of `hidden`."""
    more = f"{suite.folder}/{_CANARY_MODULE}"
    return {
        "files": {
            **driver_files(cases, hidden),
            **reporter_files(suite, hidden, wanted),
            more: _CANARY,
            suite.known: exchanged(repository[suite.known]),
        },
        "commands": [
            driver_command(),
            reporter_command(),
            ["python", "-B", "-m", "pytest", "-v", "-p", "no:cacheprovider", suite.known, more],
        ],
        "read": [],
    }


def reporter_files(suite: Suite, hidden: Tree, wanted: Iterable[str]) -> dict[str, str]:
    """What the reporter needs in the copy: itself, settings of its own, hidden test files, canaries beside them."""
    more = f"{suite.folder}/{_CANARY_MODULE}"
    ids = [*wanted, *(f"{more}::{name}" for name in _CANARY_OUTCOMES)]
    return {
        **{f"{FOLDER}/{path}": text for path, text in hidden.items()},
        f"{FOLDER}/reporter.py": source("reporter.py"),
        f"{FOLDER}/pytest.ini": "[pytest]\n",
        f"{FOLDER}/wanted.json": json.dumps(ids),
        f"{FOLDER}/{more}": _CANARY,
    }


def reporter_command() -> list[str]:
    """What runs the hidden test files and says what became of each test."""
    return ["python", "-P", "-s", "-B", f"{FOLDER}/reporter.py", FOLDER]


def canary_outcomes(suite: Suite) -> dict[str, str]:
    """What the reporter must report of the canaries."""
    return {f"{suite.folder}/{_CANARY_MODULE}::{name}": said for name, said in _CANARY_OUTCOMES.items()}


def own_canary_outcomes(repository: Tree, suite: Suite) -> dict[str, str]:
    """What the repository's own command must report: canaries as they are, its own test under its other name passed."""
    known = "::".join((suite.known, *first_test(repository[suite.known])))
    return canary_outcomes(suite) | {known: "failed", f"{known}{AGAIN}": "passed"}


def known_tests(repository: Tree, suite: Suite) -> tuple[str, ...]:
    """Names of all test functions and methods in the files of the repository's own command."""
    trees = [ast.parse(repository[path]) for path in suite.files]
    names = [node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return tuple(dict.fromkeys(name for name in names if name.startswith("test")))
