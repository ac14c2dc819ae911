"""Release pairs: real bugs of small packages, repaired from one release to the next; a package index is all they need.

The repository is the older release, gold the part of the newer one that repairs one bug, both from their source
distributions at build time. The issue, the probes, the variants and everything said about them are ours; upstream's
files are in no folder of this package.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
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
    sha256,
)
from verifierbench.core.files import read_bytes
from verifierbench.sources.environment import install, is_installed
from verifierbench.sources.home import source_home

__all__ = ["RELEASES", "Releases"]

REQUIREMENTS = Path(__file__).parent / "requirements.txt"
VERSION = "1"
COMMAND = "verifierbench sources install releases"
NEEDS = f"the releases are not here: run `{COMMAND}` (10 MB from a package index, or `--from` a folder with the files)"


class Releases:
    """Meets `core.Source`."""

    name = "releases"

    @property
    def archives(self) -> Path:
        """Where the source distributions lie."""
        return source_home(self.name) / "archives"

    @property
    def packages(self) -> Path:
        """What the commands of every task can import: pytest, and what the packages depend on."""
        return source_home(self.name) / "packages"

    def status(self) -> SourceStatus:
        """Whether archives and packages are here; nothing is downloaded."""
        from .reading import SDISTS

        ready = is_installed(self.packages, REQUIREMENTS) and not SDISTS.missing(self.archives)
        return SourceStatus(
            name=self.name,
            ready=ready,
            needs="" if ready else NEEDS,
            version=VERSION,
            licence="each package's own (BSD, MIT, Apache-2.0)",
            families=(Family.CODE,),
        )

    def install(self, origin: Path | None) -> None:
        """Bring the archives and the packages, from a package index or a folder."""
        from .reading import SDISTS

        SDISTS.bring(self.archives, origin)
        install(self.packages, REQUIREMENTS, origin)

    def candidates(self, season: Season) -> Iterator[Candidate]:
        """Every task with its cases; raises `Unavailable` where something is not here."""
        from verifierbench.families.code.operators import cases

        from .reading import readings

        if not self.status().ready:
            raise Unavailable(NEEDS)
        for reading in readings(self.archives):
            yield Candidate(task=reading.task, cases=tuple(cases(reading.draft, season)))

    def environment(self, task: Task) -> Environment | None:
        """Fresh copies of the task's repository, with pytest and what the package depends on beside it."""
        return _environment(task.id, self.archives, self.packages)

    def checker(self) -> SourceChecker | None:
        """Return None: no checker comes with a release but its tests, which are part of the reference."""
        return None

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:  # noqa: ARG002  # the protocol's
        """Return None: without an upstream checker there is nothing to explain."""
        return None


@cache
def _environment(task_id: str, archives: Path, packages: Path) -> Environment:
    from verifierbench.families.code.environment import CodeEnvironment, Packages

    from .reading import TASKS, Reading

    reading = Reading(TASKS / task_id.rpartition("/")[2], archives)
    return CodeEnvironment(
        reading.repository,
        packages=Packages(folder=packages, version=sha256(read_bytes(REQUIREMENTS))),
        imported_from=reading.said.imported_from,
    )


RELEASES = Releases()
"""What the registry knows this source by."""
