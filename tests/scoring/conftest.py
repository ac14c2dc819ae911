"""Fixtures around the small suite; the sandbox and the worker processes are the real ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from verifierbench.core import Run
from verifierbench.core.files import encode, write_atomically
from verifierbench.execution import Job, Ledger, Unit
from verifierbench.execution.worker import open_worker
from verifierbench.scoring import RunFolder
from verifierbench.suite import Suite

from .small_suite import PLUGIN, make_candidate, submit, write_suite


@pytest.fixture
def executions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How often the public environment was executed so far, by any process."""
    log = tmp_path / "executions.log"
    monkeypatch.setenv("COUNTING_LOG", str(log))
    monkeypatch.syspath_prepend(str(PLUGIN))
    return lambda: Counter(log.read_text().split("\n"))["executed"] if log.exists() else 0


@pytest.fixture
def suite(tmp_path: Path, executions: Any) -> Suite:
    return write_suite(tmp_path / "suite", [make_candidate(1), make_candidate(2), make_candidate(3, None)])


@pytest.fixture
def make_run(tmp_path: Path, suite: Suite) -> Callable[..., RunFolder]:
    """A run folder with one verifier (or None) per task of the suite, in its order."""

    def make(*verifiers: bytes | None, name: str = "run", **fields: Any) -> RunFolder:
        path = tmp_path / name
        described = {"name": name, "harness": "h", "model": "m", "tier": None, "suite": "../suite"}
        run = Run(**{**described, "suite_hash": suite.hash, **fields})
        write_atomically(path / "run.json", encode(run))
        for task, source in zip(suite.tasks, verifiers, strict=False):
            submit(path, task, source)
        return RunFolder(path)

    return make


class Here:
    """An executor without processes of its own, for tests that are not about processes."""

    def run(self, job: Job, units: Sequence[Unit], ledger: Path, progress: Any) -> None:
        worker = open_worker(job)
        with Ledger(ledger) as opened:
            for unit in units:
                if opened.result(unit.key) is None:
                    opened.record(unit.key, worker.compute(unit.payload))
        worker.close()


@pytest.fixture
def here() -> Here:
    return Here()
