"""τ²-bench: customers of a shop, an airline and a telephone company, served by a written policy.

Data from one commit of upstream's repository, the simulators' code from the package that publishes it; both are
installed pinned, in a folder of their own (`verifierbench sources install tau2`). Nothing of upstream is in this
package: the tables hold ids, names, values, sentences of ours and the few words by which a clause finds its place.
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
from verifierbench.sources.bringing import bring, is_here
from verifierbench.sources.environment import install, is_installed
from verifierbench.sources.home import source_home

from .data import COMMAND, DOMAINS, FILES, SOURCE_VERSION, UPSTREAM, load, policy

__all__ = ["TAU2", "Tau2"]

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
NEEDS = (
    f"{SOURCE_VERSION} is not installed: run `{COMMAND}` (24 MB of data and 52 MB of packages, or `--from` a folder"
    " that has upstream's domains)"
)


class Tau2:
    """Meets `core.Source`."""

    name = "tau2"

    @property
    def packages(self) -> Path:
        """Where the simulators' code is installed; for a worker's search path only."""
        return source_home(self.name) / "packages"

    @property
    def folder(self) -> Path:
        """Where upstream's data are."""
        return source_home(self.name) / "upstream"

    def status(self) -> SourceStatus:
        """Whether upstream is here; nothing is downloaded."""
        ready = is_installed(self.packages, REQUIREMENTS) and is_here(self.folder, FILES)
        return SourceStatus(
            name=self.name,
            ready=ready,
            needs="" if ready else NEEDS,
            version=SOURCE_VERSION,
            licence="MIT",
            families=(Family.STATE,),
        )

    def install(self, origin: Path | None) -> None:
        """Bring upstream's data and its code.

        `origin` is a folder with upstream's domains or a clone; wheels in it are taken too, and without any the
        packages come from a package index.
        """
        bring(self.folder, origin, UPSTREAM)
        install(self.packages, REQUIREMENTS, origin if origin is not None and any(origin.glob("*.whl")) else None)

    def candidates(self, season: Season) -> Iterator[Candidate]:
        """The curated tasks; raises `Unavailable` where upstream is not installed."""
        self._require()
        for domain in DOMAINS:
            yield from self._domain(domain, season)

    def environment(self, task: Task) -> Environment | None:
        """Upstream's domain in the task's initial state."""
        from .environment import environment

        return environment(task, self.packages, self.folder)

    def checker(self) -> SourceChecker | None:
        """Upstream's own evaluator; None where upstream is not installed."""
        from .checker import Evaluator

        return Evaluator(self.packages, self.folder) if self.status().ready else None

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:
        """The entry of `defects.toml` that holds of a decision; upstream need not be installed."""
        from .explanations import explain

        return explain(task, case, decision)

    def _domain(self, domain: str, season: Season) -> Iterator[Candidate]:
        from .curation import curation
        from .environment import simulators
        from .tasks import Kit, candidates

        rows = curation(domain).task
        if rows:
            kit = Kit(domain, simulators(self.packages, self.folder, domain), policy(self.folder, domain))
            entries = load(self.folder, [row.id for row in rows])
            yield from candidates(kit, {row.id: (row, entries[row.id]) for row in rows}, season)

    def _require(self) -> None:
        if not self.status().ready:
            raise Unavailable(NEEDS)


TAU2 = Tau2()
"""What the registry knows this source by."""
