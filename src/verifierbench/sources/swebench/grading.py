"""Upstream's grading, measured like any verifier: the tests that came with the repair, its reading of their log.

In a fresh copy the test files of upstream's patch are put in place after the solution, the repository's test command
runs them, and upstream's own code reads the log with the exit status, as its evaluation does. Which tests have to pass
is derived anew on the task's tree, because the published list may be of another commit: what passes with the repair and
not without it, what passes with and without. Two things are gentler than there: sympy's cache stays on, and requests'
tests leave out their tracebacks, which without a network are longer than what is kept of a command's output.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from verifierbench.core import (
    Decision,
    Environment,
    EnvironmentRefusal,
    Inconsistent,
    InfrastructureError,
    Task,
    UnknownName,
    Verdict,
)
from verifierbench.families.code.content import make_patch, touched
from verifierbench.families.code.runtests_runs import label
from verifierbench.sandbox.tiers import choose_tier
from verifierbench.sandbox.worker import GuardedWorker
from verifierbench.sources.sdists import under

from .reading import Reading
from .trees import touched_tests

SCRIPT = Path(__file__).with_name("grading_worker.py")
VERSION = "swebench 5.0.2 grading, adapter 1"
_SECONDS = 60.0
_LOG = ">>>>> Start Test Output\n{}\n>>>>> End Test Output\n>>>>> Test Exit Code: {}\n"
_SYMPY = (
    "import sys; from sympy.testing.runtests import test; sys.exit(not test(*sys.argv[1:], verbose=True, colors=False))"
)


class Habits(NamedTuple):
    """How upstream tests a repository."""

    command: tuple[str, ...]
    parser: str


REPOSITORIES = {
    "django/django": Habits(
        ("python", "tests/runtests.py", "--verbosity", "2", "--settings=test_uncompiled", "--parallel", "1"),
        "parse_log_django",
    ),
    "sympy/sympy": Habits(("python", "-c", _SYMPY), "parse_log_sympy"),
    "sphinx-doc/sphinx": Habits(
        ("python", "-X", "dev", "-m", "pytest", "-rA", "--durations", "25"), "parse_log_pytest_v2"
    ),
    "psf/requests": Habits(("python", "-m", "pytest", "-rA", "--tb=no"), "parse_log_pytest_options"),
    "pallets/flask": Habits(("python", "-m", "pytest", "-rA"), "parse_log_pytest"),
}


class Grading:
    """Meets `core.SourceChecker`; `readings` are tasks by id, `environments` gives a task's."""

    version = VERSION

    def __init__(
        self, readings: Mapping[str, Reading], environments: Callable[[Task], Environment], upstream: Path
    ) -> None:
        self._readings, self._environments = readings, environments
        self._upstream = upstream
        self._worker: GuardedWorker | None = None
        self._made: dict[str, Reading] = {}
        self._wanted: dict[str, tuple[list[str], list[str]]] = {}

    def decide(self, task: Task, solution: Any) -> Decision:
        """Upstream's decision; raises `UnknownName` for a task that is not an instance."""
        if task.id not in self._readings:
            raise UnknownName("SWE-bench instance", task.id)
        start = time.perf_counter()
        reading = self._reading(task)
        try:
            log = self._log(task, reading, solution["patch"])
        except EnvironmentRefusal as refused:
            return _decided(ok=False, why=str(refused), seconds=time.perf_counter() - start)
        if log is None:
            return _decided(ok=False, why="the patch does not apply", seconds=time.perf_counter() - start)
        fail_to_pass, pass_to_pass = self._tests(task, reading)
        answer = self._asked(reading, log, fail_to_pass=fail_to_pass, pass_to_pass=pass_to_pass)
        return _decided(ok=answer["valid"], why=answer["why"], seconds=time.perf_counter() - start)

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def _reading(self, task: Task) -> Reading:
        """As the task was made, whatever way this machine would go now."""
        if task.id not in self._made:
            self._made[task.id] = self._readings[task.id].as_in(task.source_version)
        return self._made[task.id]

    def _log(self, task: Task, reading: Reading, patch: str) -> str | None:
        """What upstream would have logged; None where the patch does not apply."""
        request = {"patch": patch, "files": _files(reading), "commands": [_command(reading)], "read": []}
        answer = self._environments(task).execute(request)
        if not answer["applied"]:
            return None
        ran = answer["commands"][0]
        if ran["ended"] == "timeout":
            raise InfrastructureError(f"{task.id}: upstream's tests took longer than a command may")
        return _LOG.format(ran["stdout"] + ran["stderr"], ran["exit"] if ran["exit"] is not None else 1)

    def _tests(self, task: Task, reading: Reading) -> tuple[list[str], list[str]]:
        """The tests that have to pass: those the repair makes pass, and those that pass anyway."""
        if task.id not in self._wanted:
            gold = make_patch(reading.repository, reading.draft.fixed)
            after, before = (self._statuses(task, reading, patch) for patch in (gold, ""))
            passed = [name for name, status in after.items() if status == "PASSED"]
            fixed = [name for name in passed if before.get(name) != "PASSED"]
            if not fixed:
                raise Inconsistent(f"{task.id}: no test of upstream's tells the repair from its lack")
            self._wanted[task.id] = fixed, [name for name in passed if name not in fixed]
        return self._wanted[task.id]

    def _statuses(self, task: Task, reading: Reading, patch: str) -> dict[str, str]:
        log = self._log(task, reading, patch)
        if log is None:
            raise Inconsistent(f"{task.id}: gold does not apply")
        return dict(self._asked(reading, log)["statuses"])

    def _asked(self, reading: Reading, log: str, **more: Any) -> dict[str, Any]:
        if self._worker is None:
            self._worker = GuardedWorker(SCRIPT, search_path=[self._upstream], tier=choose_tier())
        request = {"parser": REPOSITORIES[reading.row.repo].parser, "log": log, **more}
        answer: Any = self._worker.request(request, _SECONDS)
        if "exception" in answer:
            raise Inconsistent(f"upstream's grading failed on a log: {answer['exception']}")
        return dict(answer)


@cache
def _tests(reading: Reading) -> tuple[str, ...]:
    """The test files of upstream's patch that are there after the repair."""
    return tuple(path for path in touched_tests(reading.row.test_patch) if path in reading.release)


def _files(reading: Reading) -> dict[str, str]:
    """Upstream's test files after the repair, and what they need that the task's repository leaves out."""
    named = touched(reading.row.test_patch)
    folders = {path.rpartition("/")[0] for path in named}
    beside = under(reading.release, [*folders, *reading.said.beside])
    binary = {place: "" for place in reading.said.beside if not under(beside, [place])}
    left_out = {path: text for path, text in beside.items() if path in named or path not in reading.repository}
    return {**binary, **left_out, **_laid(reading)}


def _laid(reading: Reading) -> dict[str, str]:
    """Packages' modules, as files at the root."""
    packages = reading.checkout.packages.folder
    modules = (path for name in reading.said.laid for path in sorted((packages / name).rglob("*.py")))
    return {path.relative_to(packages).as_posix(): path.read_text("utf-8") for path in modules}


def _command(reading: Reading) -> list[str]:
    if reading.said.asked:
        return [*REPOSITORIES[reading.row.repo].command, *reading.said.asked]
    modules = [path for path in _tests(reading) if path.rpartition("/")[2].startswith("test")]
    asked = [label(path) for path in modules] if reading.said.suite.runner == "runtests" else modules
    return [*REPOSITORIES[reading.row.repo].command, *asked]


def _decided(*, ok: bool, why: str, seconds: float) -> Decision:
    return Decision(verdict=Verdict.PASS if ok else Verdict.FAIL, detail=why, wall_seconds=seconds)
