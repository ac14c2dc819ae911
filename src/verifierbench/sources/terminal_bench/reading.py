"""Our own folders under `tasks` as tasks: each is a Terminal-Bench folder, with labelled solutions beside it.

`cases.toml` says what is required, with the words that impose it, which outcome each test must have, and why each
solution has its label; `gold` holds the files of the author's solution. Of every folder two tasks are made. They have
the same words and solutions made in the same way, and differ in who reads what the tests did:

* `…-parser` as upstream does: `run-tests.sh` runs the tests, upstream's parser reads what was printed;
* `…-strict` with the reporter of the code family: every named test must have had exactly its outcome, so that a test
  that was skipped, expected to fail, broken or missing has not passed, and canaries show whether failures are seen.
"""

from __future__ import annotations

import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from verifierbench.core import (
    All,
    Atom,
    CaseKind,
    Clause,
    Family,
    Ground,
    MalformedInput,
    Material,
    Reference,
    Span,
    Task,
)
from verifierbench.families.code import FAMILY
from verifierbench.families.code.content import patched
from verifierbench.families.code.conventions import KEEP
from verifierbench.families.code.described import PROBE, DescribedClause
from verifierbench.families.code.draft import Draft, Variant
from verifierbench.families.code.edits import Edit, edited
from verifierbench.families.code.pytest_runs import canary_outcomes, reporter_command, reporter_files
from verifierbench.families.code.suites import FOLDER, Suite

from .folder import RUN_TESTS, TESTS, TaskFolder, text, tree
from .upstream import ASK, RESOLVED, VERSION

TASKS = Path(__file__).with_name("tasks")
SOURCE = "terminal-bench"
OWN_VERSION = "1"
"""Version of the folders."""
READERS = ("parser", "strict")
ENVIRONMENTS = {"parser": "repository and upstream's parser", "strict": "repository"}

Defect = Literal["skip", "module_skip", "xfail", "subtests", "forged", "none"]

_MODULE = "tests/test_outputs.py"
_SUITE = Suite(folder=TESTS, files=(_MODULE,), known=_MODULE)
_SETTINGS = "[pytest]\n"
"""Ends the search for settings and `conftest.py` where upstream's test folder, outside the solver's, would end it."""


class _Atom(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    clause: str
    outcomes: dict[str, str]
    """Test → what the reporter must say of it."""


class _Variant(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    kind: CaseKind
    grounds: list[tuple[str, str]]
    on: Literal["repository", "gold"]
    control_of: str | None = None
    edits: list[Edit] = []
    files: dict[str, str] = {}
    removes: list[str] = []


class Cases(msgspec.Struct, forbid_unknown_fields=True):
    """What `cases.toml` says."""

    defect: Defect
    """The path by which a test of the folder counts as passed without having passed."""
    exhibits: list[str]
    """The operators whose cases show it."""
    main: str
    operators: list[str]
    clauses: list[DescribedClause]
    atoms: list[_Atom]
    variants: list[_Variant]


class OwnFolder(TaskFolder):
    """One of our folders, with its cases."""

    @cached_property
    def cases(self) -> Cases:
        """What `cases.toml` says; raises `MalformedInput`."""
        path = self.folder / "cases.toml"
        try:
            return msgspec.convert(tomllib.loads(text(path)), Cases)
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise MalformedInput(path, "", str(error)) from error

    @cached_property
    def gold(self) -> dict[str, str]:
        """The files of the author's solution."""
        return tree(self.folder / "gold")

    def id(self, reader: str) -> str:
        """The id of the task with that reader."""
        return f"{SOURCE}/{self.name}-{reader}"

    def task(self, reader: str) -> Task:
        """The task with that reader."""
        return Task(
            id=self.id(reader),
            source=SOURCE,
            source_version=f"{VERSION}, folders {OWN_VERSION}",
            family=Family.CODE,
            instruction=self.said.instruction,
            materials=(Material(name="repository", kind="files", content=self.copied, inline=False),),
            conventions=FAMILY.conventions,
            clauses=(*(_clause(clause) for clause in self.cases.clauses), _KEEP),
            reference=self.reference(reader),
            environment=ENVIRONMENTS[reader],
        )

    def reference(self, reader: str) -> Reference:
        """What decides with that reader."""
        atoms = (self._resolved,) if reader == "parser" else tuple(self._strict(atom) for atom in self.cases.atoms)
        return Reference(root=All(of=atoms), probes={PROBE: self.probe(reader)}, library=FAMILY.checks_version)

    def probe(self, reader: str) -> dict[str, Any]:
        """The request's part beside the patch."""
        if reader == "strict":
            files = reporter_files(_SUITE, self.tests, self.wanted)
            return {"files": files, "commands": [reporter_command()], "read": []}
        files = {f"{FOLDER}/{path}": held for path, held in self.tests.items()}
        files |= {f"{FOLDER}/{RUN_TESTS}": self.run_tests, f"{FOLDER}/pytest.ini": _SETTINGS}
        ran = ["env", f"TEST_DIR={FOLDER}/{TESTS}", "bash", f"{FOLDER}/{RUN_TESTS}"]
        return {"files": files, "commands": [ran, ASK], "read": []}

    @property
    def wanted(self) -> dict[str, str]:
        """Every test's id with the outcome it must have."""
        return {_id(test): outcome for atom in self.cases.atoms for test, outcome in atom.outcomes.items()}

    def draft(self, reader: str) -> Draft:
        """What the operators make the cases of the task with that reader from."""
        fixed = patched(self.copied, self.gold)
        return Draft(
            task=self.id(reader),
            main=self.cases.main,
            package="",
            repository=self.copied,
            gold=self.gold,
            variants=tuple(_variant(each, fixed if each.on == "gold" else self.copied) for each in self.cases.variants),
            operators=tuple(self.cases.operators),
        )

    @property
    def _resolved(self) -> Atom:
        parameters = {"probe": PROBE, "command": 1, "expected": {RESOLVED: "True"}}
        return Atom(name="upstream_says_resolved", clause=self.cases.main, check="values", parameters=parameters)

    def _strict(self, atom: _Atom) -> Atom:
        """Tests count beside canaries alone: a run that reports what must fail as passed has reported nothing."""
        expected = {_id(test): outcome for test, outcome in atom.outcomes.items()} | canaries()
        parameters = {"probe": PROBE, "command": 0, "expected": expected}
        return Atom(name=atom.name, clause=atom.clause, check="values", parameters=parameters)


def own_folders() -> tuple[OwnFolder, ...]:
    """Our folders, in the order of their names."""
    return tuple(OwnFolder(path) for path in sorted(TASKS.iterdir()) if (path / "cases.toml").is_file())


def canaries() -> dict[str, str]:
    """Tests of ours among those of every folder, with what the strict reader must be told of them."""
    return canary_outcomes(_SUITE)


def own_folder(task_id: str) -> tuple[OwnFolder, str]:
    """The folder and the reader of a task of ours."""
    name, _, reader = task_id.rpartition("/")[2].rpartition("-")
    return OwnFolder(TASKS / name), reader


_KEEP = Clause(
    id=KEEP,
    text="What worked and is no part of the instruction still works.",
    spans=(Span(material="conventions", quote=KEEP),),
)


def _id(test: str) -> str:
    return f"{_MODULE}::{test}"


def _clause(clause: DescribedClause) -> Clause:
    spans = tuple(Span(material=material, quote=quote) for material, quote in clause.spans)
    return Clause(id=clause.id, text=clause.text, spans=spans)


def _variant(variant: _Variant, start: dict[str, str]) -> Variant:
    """A variant with all its files, so that it does not matter any more what it starts from."""
    return Variant(
        name=variant.name,
        kind=variant.kind,
        grounds=tuple(Ground(clause=clause, note=note) for clause, note in variant.grounds),
        files={**dict.fromkeys(variant.removes), **edited(start, variant.edits), **variant.files},
        on=variant.on,
        control_of=variant.control_of,
    )
