"""The Berkeley Function Calling Leaderboard: tool calls in one turn and in several.

Upstream is installed pinned, in a folder of its own (`verifierbench sources install bfcl`); its data are read as JSON
and its checker runs in a guarded worker. Nothing of upstream is in this package: `tasks.toml` and `defects.toml` hold
ids, argument names, values and the few words by which a clause finds its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from verifierbench.core import (
    Candidate,
    Case,
    Decision,
    Environment,
    Explanation,
    Family,
    Season,
    SourceChecker,
    SourceStatus,
    Task,
    Unavailable,
)
from verifierbench.sources.environment import install, is_installed
from verifierbench.sources.home import source_home

from .data import COMMAND, SOURCE_VERSION, load

__all__ = ["BFCL", "Bfcl"]

_HERE = Path(__file__).parent
REQUIREMENTS = _HERE / "requirements.txt"
NEEDS = (
    f"{SOURCE_VERSION} is not installed: run `{COMMAND}` "
    "(3 MB from a package index, or `--from` the folder with its wheels)"
)


class Bfcl:
    """Meets `core.Source`."""

    name = "bfcl"

    @property
    def packages(self) -> Path:
        """Where upstream is installed; for a worker's search path only."""
        return source_home(self.name) / "packages"

    def status(self) -> SourceStatus:
        """Whether upstream is here; nothing is downloaded."""
        ready = is_installed(self.packages, REQUIREMENTS)
        return SourceStatus(
            name=self.name,
            ready=ready,
            needs="" if ready else NEEDS,
            version=SOURCE_VERSION,
            licence="Apache-2.0",
            families=(Family.TOOL_CALL,),
        )

    def install(self, origin: Path | None) -> None:
        """Install upstream's wheel from a package index, or from a wheel or a directory of wheels."""
        install(self.packages, REQUIREMENTS, origin)

    def candidates(self, season: Season) -> Iterator[Candidate]:
        """The curated tasks; raises `Unavailable` where upstream is not installed."""
        from .curation import curation
        from .tasks import candidates

        self._require()
        tables = curation()
        single = candidates(load(self.packages, (task.id for task in tables.task)), tables, season)
        return chain(single, self._multi_turn(season))

    @property
    def executed(self) -> tuple[str, ...]:
        """Ids of its tasks that are played in upstream's simulators."""
        from .multi_turn.curation import curation

        return tuple(f"{self.name}/{task.id}" for task in curation().task)

    @property
    def lengthy(self) -> tuple[str, ...]:
        """Ids of its tasks of one turn in which four calls or more are due: they have the most cases."""
        from .curation import curation

        return tuple(f"{self.name}/{task.id}" for task in curation().task if len(task.call) >= 4)

    def environment(self, task: Task) -> Environment | None:
        """Upstream's simulators for a task of several turns; a single turn is judged by what was called."""
        if task.environment is None:
            return None
        from .multi_turn.environment import environment

        return environment(task, self.packages)

    def checker(self) -> SourceChecker | None:
        """Upstream's own checker; None where upstream is not installed."""
        from .checker import AstChecker
        from .curation import curation
        from .multi_turn import curation as several
        from .multi_turn import data
        from .multi_turn.checker import BfclChecker, MultiTurnChecker

        if not self.status().ready:
            return None
        entries = data.load(self.packages, [task.id for task in several.curation().task])
        return BfclChecker(
            AstChecker(self.packages, load(self.packages, (task.id for task in curation().task))),
            MultiTurnChecker(self.packages, entries),
        )

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:
        """The entry of `defects.toml` that holds of a decision; upstream need not be installed."""
        from .explanations import explain
        from .multi_turn import explanations as several

        return (several.explain if task.environment else explain)(task, case, decision)

    def _multi_turn(self, season: Season) -> Iterator[Candidate]:
        from .multi_turn import data
        from .multi_turn.curation import curation
        from .multi_turn.environment import simulators
        from .multi_turn.tasks import candidates

        tables = curation()
        entries = data.load(self.packages, [task.id for task in tables.task])
        return candidates(entries, tables, simulators(self.packages), season)

    def _require(self) -> None:
        if not self.status().ready:
            raise Unavailable(NEEDS)


BFCL = Bfcl()
"""What the registry knows this source by."""
