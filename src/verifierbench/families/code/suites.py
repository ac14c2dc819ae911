"""How a repository's tests are run, and what is put among them that must fail.

Two runners are known, by the name that `Suite.runner` has: pytest, and the script `runtests.py` that Django's
repository brings along. Each is one module (`pytest_runs`, `runtests_runs`) that meets `Runner`; nothing here knows
them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from .content import Tree

DRIVER_COMMAND, HIDDEN_COMMAND, TESTS_COMMAND = 0, 1, 2
"""Which command of a probe is which."""
FOLDER = ".probe"
"""Where all that is ours lies in the copy."""
AGAIN = "_again"
"""Ends the name under which a test runs whose own name is taken by one that fails."""

_HERE = Path(__file__).parent
_FAILS = """

def _fails(*_):
    assert 1 + 1 == 3


"""

_RUN_SCRIPT = "import sys; del sys.path[0], sys.argv[0]; import runpy; runpy.run_path(sys.argv[0], run_name='__main__')"


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """How a repository's tests are run."""

    folder: str
    """Where its tests are."""
    files: tuple[str, ...]
    """What its own command runs: few and fast ones."""
    known: str
    """The one file of them in which a test is made to fail."""
    runner: Literal["pytest", "runtests"] = "pytest"


class Runner(Protocol):
    """What differs between test runners."""

    OWN_CHECK: str
    """Which check reads what the repository's own command reports."""
    SETTINGS: Mapping[str, str]
    """Files a repository has to be given for its tests to run here."""
    OLDEST_PYTHON: tuple[int, int]
    """The oldest interpreter on which what we add runs and reports in the words that checks read."""

    def command(self, suite: Suite) -> list[str]:
        """The repository's own test command."""

    def probe(self, cases: str, repository: Tree, suite: Suite, hidden: Tree, wanted: Iterable[str]) -> dict[str, Any]:
        """The request's part beside the patch.

        `cases` is the source of a file of cases, `hidden` the test files that the reporter runs, `wanted` the ids of
        their tests.
        """

    def canary_outcomes(self, suite: Suite) -> dict[str, str]:
        """What the reporter must report of the canaries."""

    def own_canary_outcomes(self, repository: Tree, suite: Suite) -> dict[str, str]:
        """What the repository's own command must report: canaries as they are, its own test by its other name."""

    def known_tests(self, repository: Tree, suite: Suite) -> tuple[str, ...]:
        """What a patch that knows the tests of the repository's own command would call them."""


def first_test(source: str, *, undocumented: bool = False) -> tuple[str, ...]:
    """The first test without decorators: its class's name, if any, and its own.

    `undocumented` looks for one without a docstring, which unittest reports on a line of its own. Raises `ValueError`
    where there is none; the draft names another file then.
    """
    for node in ast.parse(source).body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        for part in inside:
            if isinstance(part, ast.FunctionDef) and part.name.startswith("test") and not part.decorator_list:
                if undocumented and ast.get_docstring(part) is not None:
                    continue
                return (node.name, part.name) if isinstance(node, ast.ClassDef) else (part.name,)
    raise ValueError("no test without decorators" + " and docstring" * undocumented)


def exchanged(source: str, *, undocumented: bool = False) -> str:
    """A test module in which its first plain test fails, and runs as it was under another name."""
    place = ".".join(first_test(source, undocumented=undocumented))
    return source.rstrip("\n") + "\n" + _FAILS + f"{place}{AGAIN}, {place} = {place}, _fails\n"


def driver_files(cases: str, hidden: Mapping[str, str]) -> dict[str, str]:
    """What every probe writes into the copy: the driver, its cases, and the hidden test files."""
    return {
        f"{FOLDER}/driver.py": source("driver.py"),
        f"{FOLDER}/cases.py": cases,
        **{f"{FOLDER}/{path}": text for path, text in hidden.items()},
    }


def driver_command() -> list[str]:
    """What calls the cases, outside any test runner."""
    return ["python", "-P", "-S", "-s", "-B", f"{FOLDER}/driver.py", f"{FOLDER}/cases.py"]


def on_python(probe: Mapping[str, Any], version: tuple[int, int]) -> dict[str, Any]:
    """A probe in words that an interpreter of a version understands: `-P` came with 3.11."""
    if version >= (3, 11):
        return dict(probe)
    return {**probe, "commands": [_safe_path(command) for command in probe["commands"]]}


def _safe_path(command: list[str]) -> list[str]:
    """The command without `-P`, and with what it does: the script's folder is no place to import from."""
    if "-P" not in command:
        return command
    script = next(place for place, word in enumerate(command) if word.endswith(".py"))
    return [*(word for word in command[:script] if word != "-P"), "-c", _RUN_SCRIPT, *command[script:]]


def source(name: str) -> str:
    """The text of a script of this folder that runs in the copy."""
    return (_HERE / name).read_text(encoding="utf-8")
