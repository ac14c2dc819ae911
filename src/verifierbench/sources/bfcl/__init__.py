"""The Berkeley Function Calling Leaderboard: single-turn tool calls, from the package that publishes them.

Upstream is installed pinned, in a folder of its own (`verifierbench sources install bfcl`); its data are read as JSON
and its checker runs in a guarded worker. Nothing of upstream is in this package: `tasks.toml` and `defects.toml` hold
ids, argument names, values and the few words by which a clause finds its place.
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

from .data import COMMAND, SOURCE_VERSION, load

__all__ = ["BFCL", "Bfcl"]

_HERE = Path(__file__).parent
REQUIREMENTS = _HERE / "requirements.txt"
NEEDS = f"{SOURCE_VERSION} is not installed: run `{COMMAND}` (2 MB from a package index, or `--from` its wheel)"


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
        return candidates(load(self.packages, (task.id for task in tables.task)), tables, season)

    def environment(self, task: Task) -> Environment | None:  # noqa: ARG002  # the protocol's
        """None: a single turn is judged by what was called, and nothing executes."""
        return None

    def checker(self) -> SourceChecker | None:
        """Upstream's own checker; None where upstream is not installed."""
        from .checker import AstChecker
        from .curation import curation

        if not self.status().ready:
            return None
        return AstChecker(self.packages, load(self.packages, (task.id for task in curation().task)))

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:
        """The entry of `defects.toml` that holds of a decision; upstream need not be installed."""
        from .explanations import explain

        return explain(task, case, decision)

    def _require(self) -> None:
        if not self.status().ready:
            raise Unavailable(NEEDS)


BFCL = Bfcl()
"""What the registry knows this source by."""
