"""SWE-bench Verified: instances of real repositories, each in the environment that this machine can make of it.

Upstream's rows give the issue, the repair and the tests; the repository comes from its container image, from a git
clone, or from a release that contains the repair, whichever the machine has (`ways`). Nothing of it is in this package:
rows and archives are brought by `sources install`, compared with what is pinned, and read at build time. The probes,
the variants and everything said about them are ours.
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
)
from verifierbench.sources.environment import install, is_installed
from verifierbench.sources.home import source_home

__all__ = ["SWEBENCH", "SweBench"]

REQUIREMENTS = Path(__file__).parent / "requirements.txt"
UPSTREAM = Path(__file__).parent / "upstream.txt"
"""Upstream's package, of which the grading alone is used: what it depends on otherwise is not installed."""
VERSION = "1"
COMMAND = "verifierbench sources install swebench"
NEEDS = (
    f"the instances are not here: run `{COMMAND}` (100 MB from a package index and 10 MB from the dataset's page, or "
    "`--from` a file or folder with the rows as `test.jsonl`)"
)


class SweBench:
    """Meets `core.Source`."""

    name = "swebench"

    @property
    def archives(self) -> Path:
        """Where the source distributions lie."""
        return source_home(self.name) / "archives"

    @property
    def packages(self) -> Path:
        """What the commands of every task can import: the test runner, and what the repositories depend on."""
        return source_home(self.name) / "packages"

    @property
    def upstream(self) -> Path:
        """Upstream's package."""
        return source_home(self.name) / "upstream"

    @property
    def rows(self) -> Path:
        """The rows that tasks need."""
        return source_home(self.name) / "rows.jsonl"

    def status(self) -> SourceStatus:
        """Whether rows, archives and packages are here; nothing is downloaded."""
        from .release_way import SDISTS
        from .rows import is_installed as has_rows

        installed = is_installed(self.packages, REQUIREMENTS) and is_installed(self.upstream, UPSTREAM)
        ready = installed and not SDISTS.missing(self.archives) and has_rows(self.rows)
        return SourceStatus(
            name=self.name,
            ready=ready,
            needs="" if ready else NEEDS,
            version=VERSION,
            licence="rows MIT; each repository's own (BSD, Apache-2.0)",
            families=(Family.CODE,),
            note=self._ways() if ready else "",
        )

    def install(self, origin: Path | None) -> None:
        """Bring archives and packages from a package index; the rows from the dataset's page, or from `origin`.

        `origin` may as well be a folder with git clones (`clones`), or one with both.
        """
        from .git_way import Git
        from .release_way import SDISTS
        from .rows import read

        rows_from = self._rows_from(origin)
        install(self.packages, REQUIREMENTS)
        install(self.upstream, UPSTREAM)
        SDISTS.bring(self.archives, None)
        self._bring_rows(rows_from)
        Git().install(list(read(self.rows).values()), source_home(self.name))

    def candidates(self, season: Season) -> Iterator[Candidate]:
        """Every task with its cases; raises `Unavailable` where something is not here."""
        from verifierbench.families.code.operators import cases

        from .reading import readings

        if not self.status().ready:
            raise Unavailable(NEEDS)
        for reading in readings(self.rows, self.archives):
            yield Candidate(task=reading.task, cases=tuple(cases(reading.draft, season)))

    def environment(self, task: Task) -> Environment:
        """Fresh copies of the task's repository, with what it depends on beside it."""
        return _environment(task.id, task.source_version, self.rows, self.archives)

    def checker(self) -> SourceChecker:
        """Upstream's own grading; raises `Unavailable` where something is not here."""
        from .grading import Grading
        from .reading import readings

        if not self.status().ready:
            raise Unavailable(NEEDS)
        by_id = {reading.id: reading for reading in readings(self.rows, self.archives)}
        return Grading(by_id, self.environment, self.upstream)

    def _rows_from(self, origin: Path | None) -> Path | None:
        """Record the clones that a folder has; a folder with clones alone has no rows to give."""
        from .clones import record
        from .rows import FILE

        cloned = origin is not None and record(source_home(self.name), origin)
        return None if origin is None or (cloned and not (origin / FILE).is_file()) else origin

    def _bring_rows(self, origin: Path | None) -> None:
        from .rows import bring
        from .rows import is_installed as has_rows

        if origin is not None or not has_rows(self.rows):
            bring(self.rows, origin)

    def _ways(self) -> str:
        from .rows import read
        from .ways import counted

        counts = counted(list(read(self.rows).values()), source_home(self.name))
        return "repositories by way: " + ", ".join(f"{name} {count}" for name, count in counts.items())

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:
        """The known defect behind a decision of upstream's grading that is not the label."""
        from .explanations import explain

        return explain(task, case, decision)


@cache
def _environment(task_id: str, version: str, rows: Path, archives: Path) -> Environment:
    from verifierbench.families.code.environment import CodeEnvironment

    from .reading import named

    reading = named(task_id, rows, archives).as_in(version)
    return CodeEnvironment(
        reading.repository,
        python=reading.checkout.python,
        packages=reading.checkout.packages,
        imported_from=reading.said.imported_from,
        compiled=True,
    )


SWEBENCH = SweBench()
"""What the registry knows this source by."""
