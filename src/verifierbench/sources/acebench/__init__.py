"""ACEBench: calls in one turn, after a conversation or with a profile, requests no call can answer, and agents.

English and Chinese, from one commit of upstream's repository; its checker and its simulators come from the package that
publishes a port of them. Both are installed pinned, in a folder of their own (`verifierbench sources install
acebench`). Nothing of upstream is in this package: `tasks.toml` and `defects.toml` hold ids, names, values and the few
words by which a clause finds its place.
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

from .bring import bring, is_here
from .data import COMMAND, SOURCE_VERSION, load

__all__ = ["ACEBENCH", "Acebench"]

_HERE = Path(__file__).parent
REQUIREMENTS = _HERE / "requirements.txt"
NEEDS = (
    f"{SOURCE_VERSION} is not installed: run `{COMMAND}` (a clone of 10 MB and a package of 5 MB, or `--from` a folder "
    "that has data_all)"
)


class Acebench:
    """Meets `core.Source`."""

    name = "acebench"

    @property
    def packages(self) -> Path:
        """Where upstream's checker is installed; for a worker's search path only."""
        return source_home(self.name) / "packages"

    @property
    def folder(self) -> Path:
        """Where upstream's data are."""
        return source_home(self.name) / "upstream"

    def status(self) -> SourceStatus:
        """Whether upstream is here; nothing is downloaded."""
        ready = is_installed(self.packages, REQUIREMENTS) and is_here(self.folder)
        return SourceStatus(
            name=self.name,
            ready=ready,
            needs="" if ready else NEEDS,
            version=SOURCE_VERSION,
            licence="MIT",
            families=(Family.TOOL_CALL,),
        )

    def install(self, origin: Path | None) -> None:
        """Bring upstream's data and its checker.

        `origin` is a folder with upstream's layout; a wheel of the checker's package in it is taken too, and without
        one the package comes from a package index.
        """
        bring(self.folder, origin)
        install(self.packages, REQUIREMENTS, origin if origin is not None and any(origin.glob("*.whl")) else None)

    def candidates(self, season: Season) -> Iterator[Candidate]:
        """The curated tasks; raises `Unavailable` where upstream is not installed."""
        from .curation import curation
        from .tasks import candidates

        self._require()
        tables = curation()
        single = candidates(load(self.folder, (task.id for task in tables.task)), tables, season)
        return chain(single, self._agent(season))

    @property
    def executed(self) -> tuple[str, ...]:
        """Ids of its tasks that are played in upstream's simulators."""
        from .agent.curation import curation

        return tuple(f"{self.name}/{task.id}" for task in curation().task)

    def environment(self, task: Task) -> Environment | None:
        """Upstream's simulators for an agent's task; a single turn is judged by what was called or said."""
        if task.environment is None:
            return None
        from .agent.environment import environment

        return environment(task, self.packages, self.folder)

    def checker(self) -> SourceChecker | None:
        """Upstream's own checker; None where upstream is not installed."""
        from .agent import curation as agent
        from .agent import data
        from .agent.checker import AgentChecker, BothCheckers
        from .checker import AceChecker
        from .curation import curation

        if not self.status().ready:
            return None
        tables = agent.curation()
        entries = data.load(self.folder, (task.id for task in tables.task), tables.mended)
        return BothCheckers(
            AceChecker(self.packages, load(self.folder, (task.id for task in curation().task))),
            AgentChecker(self.packages, entries),
        )

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:
        """The entry of `defects.toml` that holds of a decision; upstream need not be installed."""
        from .agent import explanations as agent
        from .explanations import explain

        return (agent.explain if task.environment else explain)(task, case, decision)

    def _agent(self, season: Season) -> Iterator[Candidate]:
        from .agent import data
        from .agent.curation import curation
        from .agent.environment import simulators
        from .agent.tasks import candidates

        tables = curation()
        entries = data.load(self.folder, (task.id for task in tables.task), tables.mended)
        return candidates(entries, tables, simulators(self.packages, self.folder), season)

    def _require(self) -> None:
        if not self.status().ready:
            raise Unavailable(NEEDS)


ACEBENCH = Acebench()
"""What the registry knows this source by."""
