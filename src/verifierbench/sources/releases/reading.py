"""Reading a task's folder: `issue.md`, `cases.py`, and `task.toml` for everything said about them.

The repository is the older release; gold is a part of what the newer one changed (`gold`); hidden tests are files of
the newer release, run by our reporter. `task.toml` names clauses with the words that impose them, atoms with what cases
and tests must show, and variants as edits. Two clauses and one atom every task has are added here: what worked still
works, and the tests still tell the truth.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from verifierbench.core import All, Atom, CaseKind, Clause, Family, Ground, Material, Reference, Span, Task
from verifierbench.families.code import FAMILY
from verifierbench.families.code.conventions import KEEP, TRUTHFUL
from verifierbench.families.code.draft import Draft, Variant
from verifierbench.families.code.pytest_runs import (
    DRIVER_COMMAND,
    HIDDEN_COMMAND,
    TESTS_COMMAND,
    Suite,
    canary_outcomes,
    command,
    own_canary_outcomes,
    probe,
)

from .archives import archive, files, under
from .edits import Edit, edited
from .gold import repaired

TASKS = Path(__file__).parent / "tasks"
PROBE = "copy"
"""Name of the one probe a reference of ours has."""


class _Clause(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    text: str
    spans: list[tuple[str, str]]


class _Atom(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    clause: str
    expected: dict[str, str] = {}
    """Case of `cases.py` → text it must show."""
    tests: list[str] = []
    """Ids of hidden tests that must pass."""


class _Variant(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    kind: CaseKind
    grounds: list[tuple[str, str]]
    on: Literal["repository", "gold"] = "repository"
    control_of: str | None = None
    edits: list[Edit] = []
    files: dict[str, str] = {}
    """New files, whole."""


class _Description(msgspec.Struct, forbid_unknown_fields=True):
    package: str
    old: str
    new: str
    folder: str
    """Folder of the importable package."""
    keep: list[str]
    """What of the older release is the repository: files and folders."""
    suite: Suite
    """How its own tests are run."""
    hidden: list[str]
    """What of the newer release's tests the reporter needs: files and folders."""
    gold: dict[str, list[int]]
    main: str
    operators: list[str]
    clauses: list[_Clause]
    atoms: list[_Atom]
    variants: list[_Variant]
    imported_from: list[str] = []
    """Folders of the repository from which Python imports, where that is not its top."""


_COMMON_CLAUSES = (
    Clause(
        id=KEEP,
        text="What worked and is no part of the issue still works.",
        spans=(Span(material="conventions", quote=KEEP),),
    ),
    Clause(
        id=TRUTHFUL,
        text="A test that fails is still found, run and reported.",
        spans=(Span(material="conventions", quote=TRUTHFUL),),
    ),
)


class Reading:
    """One task's folder together with the archives it is made from."""

    def __init__(self, folder: Path, archives: Path) -> None:
        self.folder, self._archives = folder, archives
        self.said = msgspec.convert(tomllib.loads(_text(folder / "task.toml")), _Description)

    @property
    def id(self) -> str:
        """The task's id."""
        return f"releases/{self.folder.name}"

    @property
    def task(self) -> Task:
        """The task."""
        tests = Material(name="test_command", kind="json", content=command(self.said.suite))
        return Task(
            id=self.id,
            source="releases",
            source_version=f"{self.said.package} {self.said.old} to {self.said.new}",
            family=Family.CODE,
            instruction=_text(self.folder / "issue.md"),
            materials=(tests, Material(name="repository", kind="files", content=self.repository, inline=False)),
            conventions=FAMILY.conventions,
            clauses=(*(_clause(clause) for clause in self.said.clauses), *_COMMON_CLAUSES),
            reference=self.reference,
            environment="repository",
        )

    @property
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
        repository = self.repository
        gold = repaired(repository, self._release(self.said.new), self.said.gold)
        fixed = {**repository, **{path: text for path, text in gold.items() if text is not None}}
        return Draft(
            task=self.id,
            main=self.said.main,
            package=self.said.folder,
            repository=repository,
            gold=gold,
            variants=tuple(_variant(each, fixed if each.on == "gold" else repository) for each in self.said.variants),
            operators=tuple(self.said.operators),
            suite=self.said.suite,
        )

    @property
    def reference(self) -> Reference:
        """Behaviour and upstream's tests, clause by clause, and the truth of the repository's tests."""
        suite, wanted = self.said.suite, [test for atom in self.said.atoms for test in atom.tests]
        truth = Atom(
            name="tests_tell_the_truth",
            clause=TRUTHFUL,
            check="reported",
            parameters={
                "probe": PROBE,
                "command": TESTS_COMMAND,
                "outcomes": own_canary_outcomes(self.repository, suite),
                "exit": 1,
            },
        )
        shown = probe(_text(self.folder / "cases.py"), self.repository, suite, self.hidden, wanted)
        atoms = (*(_atom(atom, suite) for atom in self.said.atoms), truth)
        return Reference(root=All(of=atoms), probes={PROBE: shown}, library=FAMILY.checks_version)

    def _release(self, version: str) -> dict[str, str]:
        return files(self._archives / archive(self.said.package, version).file)


@cache
def readings(archives: Path) -> tuple[Reading, ...]:
    """Every task's folder, in the order of their names."""
    folders = sorted(path for path in TASKS.iterdir() if (path / "task.toml").exists())
    return tuple(Reading(folder, archives) for folder in folders)


def _atom(atom: _Atom, suite: Suite) -> Atom:
    """Tests count beside canaries alone: a run that reports what must fail as passed has reported nothing."""
    tests = {**dict.fromkeys(atom.tests, "passed"), **canary_outcomes(suite)} if atom.tests else {}
    expected = {**atom.expected, **tests}
    both = [DRIVER_COMMAND, HIDDEN_COMMAND]
    places: Any = both if atom.expected and atom.tests else HIDDEN_COMMAND if atom.tests else DRIVER_COMMAND
    parameters = {"probe": PROBE, "command": places, "expected": expected}
    return Atom(name=atom.name, clause=atom.clause, check="values", parameters=parameters)


def _clause(clause: _Clause) -> Clause:
    spans = tuple(Span(material=material, quote=quote) for material, quote in clause.spans)
    return Clause(id=clause.id, text=clause.text, spans=spans)


def _variant(variant: _Variant, tree: dict[str, str]) -> Variant:
    return Variant(
        name=variant.name,
        kind=variant.kind,
        grounds=tuple(Ground(clause=clause, note=note) for clause, note in variant.grounds),
        files={**edited(tree, variant.edits), **variant.files},
        on=variant.on,
        control_of=variant.control_of,
    )


def _text(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()
