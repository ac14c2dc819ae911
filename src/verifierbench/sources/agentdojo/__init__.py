"""AgentDojo: a user's request, tools over private data, and orders planted in what the tools return.

Upstream is installed pinned, in a folder of its own (`verifierbench sources install agentdojo`); its tools, data and
evaluation run in guarded workers. Nothing of upstream is in this package: `tasks.toml` and `defects.toml` hold ids,
pointers, values and the few words by which a clause finds its place.
"""

from __future__ import annotations

from collections.abc import Iterator
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

__all__ = ["AGENTDOJO", "AgentDojo"]

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
COMMAND = "verifierbench sources install agentdojo"
NEEDS = f"AgentDojo is not installed: run `{COMMAND}` (5 MB from a package index, or `--from` a folder of its wheels)"


class AgentDojo:
    """Meets `core.Source`."""

    name = "agentdojo"

    @property
    def packages(self) -> Path:
        """Where upstream is installed; for a worker's search path only."""
        return source_home(self.name) / "packages"

    def status(self) -> SourceStatus:
        """Whether upstream is here; nothing is downloaded."""
        from .environment import SOURCE_VERSION

        ready = is_installed(self.packages, REQUIREMENTS)
        return SourceStatus(
            name=self.name,
            ready=ready,
            needs="" if ready else NEEDS,
            version=SOURCE_VERSION,
            licence="MIT",
            families=(Family.STATE,),
        )

    def install(self, origin: Path | None) -> None:
        """Install upstream's wheel and what it imports from a package index, or from a directory of wheels."""
        install(self.packages, REQUIREMENTS, origin)

    def candidates(self, season: Season) -> Iterator[Candidate]:
        """The curated tasks; raises `Unavailable` where upstream is not installed."""
        from .curation import curation
        from .environment import every_suite
        from .tasks import candidates

        if not self.status().ready:
            raise Unavailable(NEEDS)
        return candidates(every_suite(self.packages), curation(), season)

    def environment(self, task: Task) -> Environment | None:
        """Upstream's tools and data."""
        from .environment import environment

        return environment(task, self.packages)

    def checker(self) -> SourceChecker | None:
        """Upstream's own evaluation; None where upstream is not installed."""
        from .checker import SuiteChecker

        return SuiteChecker(self.packages) if self.status().ready else None

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:
        """The entry of `defects.toml` that holds of a decision; upstream need not be installed."""
        from .explanations import explain

        return explain(task, case, decision)


AGENTDOJO = AgentDojo()
"""What the registry knows this source by."""
