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
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from .content import Tree

DRIVER_COMMAND, HIDDEN_COMMAND, TESTS_COMMAND = 0, 1, 2
"""Which command of the probe is which."""
FOLDER = ".probe"
AGAIN = "_again"
"""Ends the name under which a test runs whose own name is taken by one that fails."""

_HERE = Path(__file__).parent
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
_FAILS = """

def _fails(*_):
    assert 1 + 1 == 3


"""


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """How a repository's tests are run."""

    folder: str
    """Where its tests are."""
    files: tuple[str, ...]
    """What its own command runs: few and fast ones."""
    known: str
    """The one file of them in which a test is made to fail."""


def command(suite: Suite) -> list[str]:
    """The repository's own test command."""
    return ["python", "-m", "pytest", *suite.files]


def probe(cases: str, repository: Tree, suite: Suite, hidden: Tree, wanted: Iterable[str]) -> dict[str, Any]:
    """The request's part beside the patch.

    `cases` is the source of a file of cases, `hidden` the test files that the reporter runs, `wanted` the ids of their
    tests, which begin with a path of `hidden`.
    """
    more = f"{suite.folder}/{_CANARY_MODULE}"
    ids = [*wanted, *(f"{more}::{name}" for name in _CANARY_OUTCOMES)]
    return {
        "files": {
            f"{FOLDER}/driver.py": _source("driver.py"),
            f"{FOLDER}/reporter.py": _source("reporter.py"),
            f"{FOLDER}/cases.py": cases,
            f"{FOLDER}/pytest.ini": "[pytest]\n",
            f"{FOLDER}/wanted.json": json.dumps(ids),
            **{f"{FOLDER}/{path}": text for path, text in hidden.items()},
            f"{FOLDER}/{more}": _CANARY,
            more: _CANARY,
            suite.known: exchanged(repository[suite.known]),
        },
        "commands": [
            ["python", "-P", "-S", "-s", "-B", f"{FOLDER}/driver.py", f"{FOLDER}/cases.py"],
            ["python", "-P", "-s", "-B", f"{FOLDER}/reporter.py", FOLDER],
            ["python", "-B", "-m", "pytest", "-v", "-p", "no:cacheprovider", suite.known, more],
        ],
        "read": [],
    }


def canary_outcomes(suite: Suite) -> dict[str, str]:
    """What the reporter must report of the canaries."""
    return {f"{suite.folder}/{_CANARY_MODULE}::{name}": said for name, said in _CANARY_OUTCOMES.items()}


def own_canary_outcomes(repository: Tree, suite: Suite) -> dict[str, str]:
    """What the repository's own command must report: canaries as they are, its own test under its other name passed."""
    known = "::".join((suite.known, *first_test(repository[suite.known])))
    return canary_outcomes(suite) | {known: "failed", f"{known}{AGAIN}": "passed"}


def first_test(source: str) -> tuple[str, ...]:
    """Where the first test without decorators is: its function's name, after its class's where it has one.

    Raises `ValueError` where there is none; the draft names another file then.
    """
    for node in ast.parse(source).body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        for part in inside:
            if isinstance(part, ast.FunctionDef) and part.name.startswith("test") and not part.decorator_list:
                return (node.name, part.name) if isinstance(node, ast.ClassDef) else (part.name,)
    raise ValueError("no test without decorators")


def exchanged(source: str) -> str:
    """A test module in which its first plain test fails, and runs as it was under another name."""
    place = ".".join(first_test(source))
    return source.rstrip("\n") + "\n" + _FAILS + f"{place}{AGAIN}, {place} = {place}, _fails\n"


def known_tests(repository: Tree, suite: Suite) -> tuple[str, ...]:
    """Names of all test functions and methods in the files of the repository's own command."""
    trees = [ast.parse(repository[path]) for path in suite.files]
    names = [node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return tuple(dict.fromkeys(name for name in names if name.startswith("test")))


def _source(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
