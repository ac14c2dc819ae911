"""Reading a task's folder: `cases.py`, and `task.toml` for everything said about an instance.

The issue is the row's. The repository, and what its commands run with, come by the first way that this machine has and
that what is said of the task fits (`ways`); gold is upstream's patch as it is there, hidden tests are those after it.
What is said of them is as `families.code.described` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path

from verifierbench.core import Family, Task, UnknownName
from verifierbench.families.code import FAMILY
from verifierbench.families.code.content import Tree, touched
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
from verifierbench.sources.sdists import under

from .checkout import Checkout, Wanted
from .fitting import objection
from .rows import Row, read
from .ways import Choice, choose, recorded

TASKS = Path(__file__).parent / "tasks"


class Instance(Description, forbid_unknown_fields=True, kw_only=True):
    """What is said of one instance; its folder has its name."""

    package: str
    release: str
    """The release that contains the repair."""
    beside: tuple[str, ...] = ()
    """What only upstream's tests need of the release, beside their own folders; a binary file is left empty there."""
    asked: tuple[str, ...] = ()
    """Where upstream's test files have more than one command has time and room for: what of them is run instead."""
    laid: tuple[str, ...] = ()
    """Packages that upstream's tests find at the root alone: they start Python with a path of their own."""


class Reading:
    """One task's folder, its row, and its repository.

    `archives` is the folder of releases in the source's own, where the other ways keep theirs. `checkout` is what the
    repository is, where that is settled.
    """

    def __init__(self, folder: Path, row: Row, archives: Path, checkout: Checkout | None = None) -> None:
        self.folder, self.row, self._archives, self._settled = folder, row, archives, checkout
        self.said = description(folder / "task.toml", Instance)

    @property
    def id(self) -> str:
        """The task's id."""
        return f"swebench/{self.row.instance_id}"

    @cached_property
    def choice(self) -> Choice:
        """The way that was taken, and those that did not fit."""
        if self._settled:
            return Choice(self._settled, {})
        return choose(self._wanted, lambda checkout: objection(self._with(checkout)))

    @property
    def checkout(self) -> Checkout:
        """The repository before and after, and what runs its commands."""
        return self.choice.checkout

    def as_in(self, version: str) -> Reading:
        """The reading with the repository of a task's `source_version`; raises `Unavailable` where it is not here."""
        return self._with(recorded(self._wanted, version))

    @property
    def _wanted(self) -> Wanted:
        said = self.said
        places = (tuple(said.keep), tuple(said.hidden), said.beside)
        return Wanted(self.row, said.package, said.release, self._archives, places)

    def _with(self, checkout: Checkout) -> Reading:
        return Reading(self.folder, self.row, self._archives, checkout)

    @property
    def task(self) -> Task:
        """The task."""
        return Task(
            id=self.id,
            source="swebench",
            source_version=self.checkout.version,
            family=Family.CODE,
            instruction=self.row.problem_statement,
            materials=materials(self.said, self.repository),
            conventions=FAMILY.conventions,
            clauses=clauses(self.said),
            reference=reference(
                self.said,
                self.cases,
                self.repository,
                self.hidden,
                FAMILY.checks_version,
                python=self.checkout.python_version,
            ),
            environment="repository",
        )

    @property
    def cases(self) -> str:
        """The source of the file of cases."""
        return text(self.folder / "cases.py")

    @property
    def release(self) -> Tree:
        """Every text file of the repository after the repair."""
        return self.checkout.after

    @cached_property
    def repository(self) -> dict[str, str]:
        """What a solver finds: the repository without the repair, and without its tests."""
        return {**under(self.checkout.before, self.said.keep), **runner(self.said.suite).SETTINGS}

    @property
    def hidden(self) -> dict[str, str]:
        """The test files after the repair."""
        return under(self.release, self.said.hidden)

    @property
    def gold(self) -> Mapping[str, str | None]:
        """What upstream's patch changes, as it is in this repository."""
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


def named(task_id: str, rows: Path, archives: Path) -> Reading:
    """The reading of one task, of whatever its repository comes from; raises `UnknownName`."""
    name = task_id.removeprefix("swebench/")
    found = read(rows)
    if name not in found or not (TASKS / name / "task.toml").exists():
        raise UnknownName("SWE-bench instance", task_id)
    return Reading(TASKS / name, found[name], archives)


@cache
def readings(rows: Path, archives: Path) -> tuple[Reading, ...]:
    """Every task's folder, in the order of their names."""
    found = read(rows)
    folders = sorted(path for path in TASKS.iterdir() if (path / "task.toml").exists())
    return tuple(Reading(folder, found[folder.name], archives) for folder in folders)
