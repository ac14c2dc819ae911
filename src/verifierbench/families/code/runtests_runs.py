"""What a reference executes in a repository that is tested by a `runtests.py` of its own, as Django's is.

The same three commands as with pytest (`pytest_runs`), in the words of unittest: the driver, a reporter
(`runtests_reporter.py`) on hidden test packages with settings of its own, and the repository's own script on one of its
own test modules with canaries beside it. A test's id is `package.module.Class.test`, its label is its module.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from .content import Tree
from .probes import tests_of
from .suites import AGAIN, FOLDER, Suite, driver_command, driver_files, exchanged, first_test, source

OWN_CHECK = "tests"
SCRIPT = "tests/runtests.py"
SETTINGS: Mapping[str, str] = {"tests/test_uncompiled.py": "from test_sqlite import *\n\nUSE_I18N = False\n"}
"""A settings module that such a repository has to be given: its compiled catalogues of translations are no text."""
OLDEST_PYTHON = (3, 11)
"""Before it unittest leaves a test's own name out of the id in brackets."""

_OPTIONS = ("--settings", "test_uncompiled", "--parallel", "1")
_CANARY_MODULE = "test_zz_more"
_CANARY = """import unittest


class MoreTest(unittest.TestCase):
    def test_one(self):
        self.assertEqual(1 + 1, 2)

    def test_two(self):
        self.assertEqual(1 + 1, 3)

    def test_three(self):
        raise LookupError("three")
"""
_OWN = {"test_one": "ok", "test_two": "FAIL", "test_three": "ERROR"}
_OURS = {"test_one": "passed", "test_two": "failed", "test_three": "error"}


def command(suite: Suite) -> list[str]:
    """The repository's own test command."""
    return ["python", SCRIPT, *_OPTIONS, *dict.fromkeys(label(path) for path in suite.files)]


def probe(cases: str, repository: Tree, suite: Suite, hidden: Tree, wanted: Iterable[str]) -> dict[str, Any]:
    """The request's part beside the patch; `wanted` are ids of tests in packages of `hidden`, which lie in `tests`."""
    more = f"{suite.folder}/{_CANARY_MODULE}.py"
    ids = [*wanted, *canary_outcomes(suite)]
    return {
        "files": {
            **driver_files(cases, hidden),
            f"{FOLDER}/reporter.py": source("runtests_reporter.py"),
            f"{FOLDER}/wanted.json": json.dumps(ids),
            f"{FOLDER}/{more}": _CANARY,
            more: _CANARY,
            suite.known: exchanged(repository[suite.known], undocumented=True),
        },
        "commands": [
            driver_command(),
            ["python", "-P", "-s", "-B", f"{FOLDER}/reporter.py", FOLDER],
            ["python", "-B", SCRIPT, "-v", "2", *_OPTIONS, label(suite.known), label(more)],
        ],
        "read": [],
    }


def canary_outcomes(suite: Suite) -> dict[str, str]:
    """What the reporter must report of the canaries."""
    return _canaries(suite, _OURS)


def own_canary_outcomes(repository: Tree, suite: Suite) -> dict[str, str]:
    """What the repository's own command must report: canaries as they are, its own test under its other name passed."""
    known = ".".join((label(suite.known), *first_test(repository[suite.known], undocumented=True)))
    return _canaries(suite, _OWN) | {known: "FAIL", f"{known}{AGAIN}": "ok"}


def known_tests(repository: Tree, suite: Suite) -> tuple[str, ...]:
    """Ids of all tests in the files of the repository's own command."""
    found = [(label(path), case, tests) for path in suite.files for case, tests in tests_of(repository[path])]
    return tuple(f"{module}.{case}.{test}" for module, case, tests in found for test in tests)


def label(path: str) -> str:
    """What the script calls a test module."""
    return path.removeprefix("tests/").removesuffix(".py").replace("/", ".")


def _canaries(suite: Suite, outcomes: dict[str, str]) -> dict[str, str]:
    module = f"{label(suite.folder)}.{_CANARY_MODULE}"
    return {f"{module}.MoreTest.{name}": said for name, said in outcomes.items()}
