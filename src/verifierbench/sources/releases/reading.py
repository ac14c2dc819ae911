"""Reading a task's folder: `issue.md`, `cases.py`, and `task.toml` for everything said about them.

The repository is the older release; gold is a part of what the newer one changed (`gold`); hidden tests are files of
the newer release, run by our reporter. The rest is as `families.code.described` says.
"""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path

from verifierbench.core import Family, Task
from verifierbench.families.code import FAMILY
from verifierbench.families.code.described import (
    Description,
    clauses,
    description,
    materials,
    reference,
    text,
    variants,
)
from verifierbench.families.code.draft import Draft
from verifierbench.sources.sdists import Sdists, files, under

from .gold import repaired

TASKS = Path(__file__).parent / "tasks"
SDISTS = Sdists(Path(__file__).parent / "archives.toml")


class ReleasePair(Description, forbid_unknown_fields=True, kw_only=True):
    """What is said of a task whose bug one release repairs."""

    package: str
    old: str
    new: str
    gold: dict[str, list[int]]
    """File → numbers of the changed runs that are the repair; [] takes the newer file whole."""


class Reading:
    """One task's folder together with the archives it is made from."""

    def __init__(self, folder: Path, archives: Path) -> None:
        self.folder, self._archives = folder, archives
        self.said = description(folder / "task.toml", ReleasePair)

    @property
    def id(self) -> str:
        """The task's id."""
        return f"releases/{self.folder.name}"

    @property
    def task(self) -> Task:
        """The task."""
        cases = text(self.folder / "cases.py")
        return Task(
            id=self.id,
            source="releases",
            source_version=f"{self.said.package} {self.said.old} to {self.said.new}",
            family=Family.CODE,
            instruction=text(self.folder / "issue.md"),
            materials=materials(self.said, self.repository),
            conventions=FAMILY.conventions,
            clauses=clauses(self.said),
            reference=reference(self.said, cases, self.repository, self.hidden, FAMILY.checks_version),
            environment="repository",
        )

    @cached_property
    def repository(self) -> dict[str, str]:
        """What a solver finds: the older release."""
        return under(self._release(self.said.old), self.said.keep)

    @property
    def hidden(self) -> dict[str, str]:
        """The newer release's test files."""
        return under(self._release(self.said.new), self.said.hidden)

    @property
    def draft(self) -> Draft:
        """What the operators make the task's cases from."""
        gold = repaired(self.repository, self._release(self.said.new), self.said.gold)
        fixed = {**self.repository, **{path: text for path, text in gold.items() if text is not None}}
        return Draft(
            task=self.id,
            main=self.said.main,
            package=self.said.folder,
            repository=self.repository,
            gold=gold,
            variants=variants(self.said, self.repository, fixed),
            operators=tuple(self.said.operators),
            suite=self.said.suite,
        )

    def _release(self, version: str) -> dict[str, str]:
        return files(self._archives / SDISTS.named(self.said.package, version).file)


@cache
def readings(archives: Path) -> tuple[Reading, ...]:
    """Every task's folder, in the order of their names."""
    folders = sorted(path for path in TASKS.iterdir() if (path / "task.toml").exists())
    return tuple(Reading(folder, archives) for folder in folders)
