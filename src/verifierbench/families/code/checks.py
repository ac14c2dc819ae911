"""What a code reference is built from: pure checks over what the patched repository was seen to do.

A run is `{"applied", "error", "commands": [{"exit", "ended", "stdout", "stderr"}], "files"}`, or `{"refused"}`. Every
check asks for evidence and fails without it: a patch that does not apply, a command that ended early, a line that is
missing or there twice satisfies nothing. Expected values are parameters and never enter the copy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from verifierbench.core import Absent, Check, at

from .content import touched
from .driver import MARK

_TEST_LINE = re.compile(r"^\w+ \(([\w.]+)\) \.\.\. (ok|FAIL|ERROR|skipped|expected failure|unexpected success)\b", re.M)

_PYTEST_LINE = re.compile(r"^(\S+::.*?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: +\(.*\))?(?: +\[ *\d+%\])?$", re.M)


def values(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Exactly the expected text was shown for each case: `{"probe", "command", "expected": {case: text}}`.

    Driver and reporter show in the same way; `command` may be a list, whose cases are taken together.
    """
    commands = parameters["command"]
    places = commands if isinstance(commands, list) else [commands]
    shown = _shown("\n".join(_command(view, {**parameters, "command": place})["stdout"] for place in places))
    return all(shown.get(name) == [text] for name, text in parameters["expected"].items())


def tests(view: Any, parameters: Mapping[str, Any]) -> bool:
    """`python -m unittest -v` reported each test once, with its outcome: `{"probe", "command", "outcomes", "exit"}`.

    `outcomes` maps `module.Class.test` to `ok`, `FAIL` or `ERROR`; `exit`, where given, is the command's status.
    Tests it does not name are free.
    """
    command = _command(view, parameters)
    reported = _reported(command["stderr"])
    status = parameters.get("exit", command["exit"])
    named = parameters["outcomes"].items()
    return command["exit"] == status and all(reported.get(test) == [outcome] for test, outcome in named)


def reported(view: Any, parameters: Mapping[str, Any]) -> bool:
    """`pytest -v` reported each test once, with its outcome: `{"probe", "command", "outcomes", "exit"}`.

    `outcomes` maps a test's id to `passed`, `failed` or `error`; `exit`, where given, is the command's status. Tests it
    does not name are free.
    """
    command = _command(view, parameters)
    lines: dict[str, list[str]] = {}
    for test, outcome in _PYTEST_LINE.findall(command["stdout"]):
        lines.setdefault(test, []).append(outcome.lower())
    status = parameters.get("exit", command["exit"])
    named = parameters["outcomes"].items()
    return command["exit"] == status and all(lines.get(test) == [outcome] for test, outcome in named)


def unchanged(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The files still read as they did: `{"probe", "files": {path: text}}`."""
    read = at(view, f"/runs/{parameters['probe']}/files")
    return all(read.get(path) == text for path, text in parameters["files"].items())


def untouched(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The diff names nothing in these folders or files: `{"paths"}`; a patch must have been applied to say so."""
    _applied(view, parameters["probe"])
    return not any(_within(path, place) for path in touched(view["solution"]["patch"]) for place in parameters["paths"])


def contains(view: Any, parameters: Mapping[str, Any]) -> bool:
    """A file's text matches a regular expression, line by line: `{"probe", "path", "pattern"}`."""
    text = at(view, f"/runs/{parameters['probe']}/files").get(parameters["path"])
    return text is not None and re.search(parameters["pattern"], text, re.M) is not None


CHECKS: dict[str, Check] = {
    "values": values,
    "tests": tests,
    "reported": reported,
    "unchanged": unchanged,
    "untouched": untouched,
    "contains": contains,
}


def _applied(view: Any, probe: str) -> Any:
    run = at(view, f"/runs/{probe}")
    if run.get("applied") is not True:
        raise Absent(f"/runs/{probe}/applied")
    return run


def _command(view: Any, parameters: Mapping[str, Any]) -> Any:
    """The command a check looks at; one that was stopped has said nothing that counts."""
    _applied(view, parameters["probe"])
    pointer = f"/runs/{parameters['probe']}/commands/{parameters['command']}"
    command = at(view, pointer)
    if command["ended"] != "exit":
        raise Absent(pointer)
    return command


def _shown(stdout: str) -> dict[str, list[str]]:
    """Every text shown for a case: two lines for one case are a forgery, or a defect."""
    shown: dict[str, list[str]] = {}
    for line in stdout.split("\n"):
        if line.startswith(MARK):
            name, text = _pair(line[len(MARK) :])
            shown.setdefault(name, []).append(text)
    return shown


def _pair(line: str) -> tuple[str, str]:
    try:
        pair = json.loads(line)
    except ValueError:
        pair = None
    match pair:
        case [str(name), str(text)]:
            return name, text
    return "", line


def _reported(stderr: str) -> dict[str, list[str]]:
    reported: dict[str, list[str]] = {}
    for test, outcome in _TEST_LINE.findall(stderr):
        reported.setdefault(test, []).append(outcome)
    return reported


def _within(path: str, place: str) -> bool:
    return path == place or path.startswith(place.rstrip("/") + "/")
