"""Reading a task's folder: files as they are, and `task.toml` for everything said about them.

`task.toml` names clauses with the words that impose them, atoms with the values their cases must show, and variants
with their grounds. Two clauses and two atoms every task has are added here: what worked still works (the tests as
they were pass), and the tests still tell the truth (the canaries).
"""

from __future__ import annotations

import tomllib
from functools import cache
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
    Material,
    Reference,
    Span,
    Task,
)
from verifierbench.families.code import FAMILY
from verifierbench.families.code.conventions import KEEP, TRUTHFUL
from verifierbench.families.code.draft import Draft, Variant
from verifierbench.families.code.probes import DRIVER_COMMAND, TESTS_COMMAND, canary_outcomes, own_outcomes, probe

TASKS = Path(__file__).parent / "tasks"
SOURCE_VERSION = "1"
TEST_COMMAND = ["python", "-m", "unittest"]
PROBE = "copy"
"""Name of the one probe a reference of ours has."""


class _Clause(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    text: str
    spans: list[tuple[str, str]]


class _Atom(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    clause: str
    check: str = "values"
    expected: dict[str, str] = {}
    parameters: dict[str, Any] = {}


class _Variant(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    kind: CaseKind
    grounds: list[tuple[str, str]]
    on: Literal["repository", "gold"] = "repository"
    control_of: str | None = None
    removes: list[str] = []


class _Description(msgspec.Struct, forbid_unknown_fields=True):
    package: str
    main: str
    operators: list[str]
    clauses: list[_Clause]
    atoms: list[_Atom]
    variants: list[_Variant]
    read: list[str] = []


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


def task_of(folder: Path) -> Task:
    """The task of a folder."""
    said = _described(folder)
    repository = _tree(folder / "repo")
    return Task(
        id=_task_id(folder),
        source="handmade",
        source_version=SOURCE_VERSION,
        family=Family.CODE,
        instruction=_text(folder / "issue.md"),
        materials=(
            Material(name="repository", kind="files", content=repository, inline=False),
            Material(name="test_command", kind="json", content=TEST_COMMAND),
        ),
        conventions=FAMILY.conventions,
        clauses=(*(_clause(clause) for clause in said.clauses), *_COMMON_CLAUSES),
        reference=_reference(folder, said, repository),
        environment="repository",
    )


def draft_of(folder: Path) -> Draft:
    """What the operators make the task's cases from."""
    said = _described(folder)
    return Draft(
        task=_task_id(folder),
        main=said.main,
        package=said.package,
        repository=_tree(folder / "repo"),
        gold=_tree(folder / "gold"),
        variants=tuple(_variant(folder, variant) for variant in said.variants),
        operators=tuple(said.operators),
    )


def _reference(folder: Path, said: _Description, repository: dict[str, str]) -> Reference:
    tests = {"probe": PROBE, "command": TESTS_COMMAND}
    atoms = (
        *(_atom(atom) for atom in said.atoms),
        Atom(
            name="tests_as_they_were",
            clause=KEEP,
            check="tests",
            parameters=tests | {"outcomes": own_outcomes(repository)},
        ),
        Atom(
            name="tests_tell_the_truth",
            clause=TRUTHFUL,
            check="tests",
            parameters=tests | {"outcomes": canary_outcomes(repository), "exit": 1},
        ),
    )
    shown = probe(_text(folder / "cases.py"), repository) | {"read": said.read}
    return Reference(root=All(of=atoms), probes={PROBE: shown}, library=FAMILY.checks_version)


def _atom(atom: _Atom) -> Atom:
    if atom.check == "values":
        parameters: dict[str, Any] = {"probe": PROBE, "command": DRIVER_COMMAND, "expected": atom.expected}
    else:
        parameters = {"probe": PROBE} | atom.parameters
    return Atom(name=atom.name, clause=atom.clause, check=atom.check, parameters=parameters)


def _clause(clause: _Clause) -> Clause:
    spans = tuple(Span(material=material, quote=quote) for material, quote in clause.spans)
    return Clause(id=clause.id, text=clause.text, spans=spans)


def _variant(folder: Path, variant: _Variant) -> Variant:
    files: dict[str, str | None] = dict.fromkeys(variant.removes)
    return Variant(
        name=variant.name,
        kind=variant.kind,
        grounds=tuple(Ground(clause=clause, note=note) for clause, note in variant.grounds),
        files={**files, **_tree(folder / "variants" / variant.name)},
        on=variant.on,
        control_of=variant.control_of,
    )


def _described(folder: Path) -> _Description:
    return msgspec.convert(tomllib.loads(_text(folder / "task.toml")), _Description)


def _task_id(folder: Path) -> str:
    return f"handmade/{folder.name}"


@cache
def _tree(top: Path) -> dict[str, str]:
    """Every file under a folder; what running the package by hand leaves behind is no part of it."""
    files = sorted(path for path in top.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(top).as_posix(): _text(path) for path in files}


def _text(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()
