"""The test runners by the names that suites have."""

from __future__ import annotations

from collections.abc import Mapping

from . import pytest_runs, runtests_runs
from .suites import Runner, Suite

RUNNERS: Mapping[str, Runner] = {"pytest": pytest_runs, "runtests": runtests_runs}


def runner(suite: Suite) -> Runner:
    """What runs a suite's tests."""
    return RUNNERS[suite.runner]
