"""Reading a task's folder: `cases.py`, and `task.toml` for everything said about an instance.

The issue is the row's. The repository is a release that contains the repair, without it (`trees`); gold is upstream's
patch, as the release has it; hidden tests are the release's. What is said of them is as `families.code.described` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path

from verifierbench.core import Family, Task
from verifierbench.families.code import FAMILY
from verifierbench.families.code.content import touched
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
from verifierbench.families.code.runners import runner
from verifierbench.sources.sdists import Sdists, files, under

from .rows import Row, read
from .trees import without

TASKS = Path(__file__).parent / "tasks"
SDISTS = Sdists(Path(__file__).parent / "archives.toml")


class Instance(Description, forbid_unknown_fields=True, kw_only=True):
    """What is said of one instance; its folder has its name."""

    package: str
    release: str
    """The release that contains the repair."""


class Reading:
    """One task's folder, its row, and the archive it is made from."""

    def __init__(self, folder: Path, row: Row, archives: Path) -> None:
        self.folder, self.row, self._archives = folder, row, archives
        self.said = description(folder / "task.toml", Instance)

    @property
    def id(self) -> str:
        """The task's id."""
        return f"swebench/{self.row.instance_id}"

    @property
    def task(self) -> Task:
        """The task."""
        cases = text(self.folder / "cases.py")
        return Task(
            id=self.id,
            source="swebench",
            source_version=f"{self.row.repo} as in {self.said.package} {self.said.release}, the repair taken back",
            family=Family.CODE,
            instruction=self.row.problem_statement,
            materials=materials(self.said, self.repository),
            conventions=FAMILY.conventions,
            clauses=clauses(self.said),
            reference=reference(self.said, cases, self.repository, self.hidden, FAMILY.checks_version),
            environment="repository",
        )

    @cached_property
    def release(self) -> dict[str, str]:
        """Every text file of the release."""
        return files(self._archives / SDISTS.named(self.said.package, self.said.release).file)

    @cached_property
    def repository(self) -> dict[str, str]:
        """What a solver finds: the release without the repair, and without its tests."""
        before = without(without(self.release, self.row.test_patch), self.row.patch)
        return {**under(before, self.said.keep), **runner(self.said.suite).SETTINGS}

    @property
    def hidden(self) -> dict[str, str]:
        """The release's test files."""
        return under(self.release, self.said.hidden)

    @property
    def gold(self) -> Mapping[str, str | None]:
        """What upstream's patch changes, as the release has it."""
        after = under(self.release, self.said.keep)
        return {path: after.get(path) for path in touched(self.row.patch) if path in after or path in self.repository}

    @property
    def draft(self) -> Draft:
        """What the operators make the task's cases from."""
        fixed = {**self.repository, **{path: text for path, text in self.gold.items() if text is not None}}
        return Draft(
            task=self.id,
            main=self.said.main,
            package=self.said.folder,
            repository=self.repository,
            gold=self.gold,
            variants=variants(self.said, self.repository, fixed),
            operators=tuple(self.said.operators),
            suite=self.said.suite,
        )


@cache
def readings(rows: Path, archives: Path) -> tuple[Reading, ...]:
    """Every task's folder, in the order of their names."""
    found = read(rows)
    folders = sorted(path for path in TASKS.iterdir() if (path / "task.toml").exists())
    return tuple(Reading(folder, found[folder.name], archives) for folder in folders)
