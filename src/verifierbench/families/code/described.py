"""What a task's `task.toml` says: its repository's tests, clauses with the words that impose them, atoms, variants.

Sources whose tasks are files of a real repository share this: clauses are named with quotations, atoms with what cases
and tests must show, variants as edits. Two clauses and one atom every task has are added here: what worked still works,
and the tests still tell the truth.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from verifierbench.core import All, Atom, CaseKind, Clause, Ground, MalformedInput, Material, Reference, Span

from .content import Tree
from .conventions import KEEP, TRUTHFUL
from .draft import Variant
from .edits import Edit, edited
from .runners import runner
from .suites import DRIVER_COMMAND, HIDDEN_COMMAND, TESTS_COMMAND, Suite, on_python

PROBE = "copy"
"""Name of the one probe a reference of ours has."""


class DescribedClause(msgspec.Struct, forbid_unknown_fields=True):
    """One requirement, and the words that impose it: pairs of material and quotation."""

    id: str
    text: str
    spans: list[tuple[str, str]]


class DescribedAtom(msgspec.Struct, forbid_unknown_fields=True):
    """What must be seen where one clause holds."""

    name: str
    clause: str
    expected: dict[str, str] = {}
    """Case of `cases.py` → text it must show."""
    tests: list[str] = []
    """Ids of hidden tests that must pass."""


class DescribedVariant(msgspec.Struct, forbid_unknown_fields=True):
    """One solution written by hand."""

    name: str
    kind: CaseKind
    grounds: list[tuple[str, str]]
    on: Literal["repository", "gold"] = "repository"
    control_of: str | None = None
    edits: list[Edit] = []
    files: dict[str, str] = {}
    """New files, whole."""


class Description(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What is said of a task, whatever its repository comes from."""

    folder: str
    """Folder of the importable package."""
    keep: list[str]
    """What of a release is the repository: patterns as `sources.sdists.under` takes them."""
    suite: Suite
    """How its own tests are run."""
    hidden: list[str]
    """What of the tests after the repair the reporter needs, as in `keep`."""
    main: str
    operators: list[str]
    clauses: list[DescribedClause]
    atoms: list[DescribedAtom]
    variants: list[DescribedVariant]
    imported_from: list[str] = []
    """Folders of the repository from which Python imports, where that is not its top."""


Said = TypeVar("Said", bound=Description)

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


def description(path: Path, kind: type[Said]) -> Said:
    """Read a `task.toml`; raises `MalformedInput` naming what is wrong with it."""
    try:
        return msgspec.convert(tomllib.loads(text(path)), kind)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise MalformedInput(path, "", str(error)) from error


def materials(said: Description, repository: Tree) -> tuple[Material, ...]:
    """What a solver is given besides the issue."""
    tests = Material(name="test_command", kind="json", content=runner(said.suite).command(said.suite))
    return (tests, Material(name="repository", kind="files", content=repository, inline=False))


def clauses(said: Description) -> tuple[Clause, ...]:
    """The task's own clauses, and those every task has."""
    return (*(_clause(clause) for clause in said.clauses), *_COMMON_CLAUSES)


def reference(
    said: Description,
    cases: str,
    repository: Tree,
    hidden: Tree,
    library: str,
    *,
    python: tuple[int, int] = sys.version_info[:2],
) -> Reference:
    """Behaviour and hidden tests, clause by clause, and the truth of the repository's tests.

    `python` is the version of the interpreter that commands are run with.
    """
    runs, wanted = runner(said.suite), [test for atom in said.atoms for test in atom.tests]
    truth = Atom(
        name="tests_tell_the_truth",
        clause=TRUTHFUL,
        check=runs.OWN_CHECK,
        parameters={
            "probe": PROBE,
            "command": TESTS_COMMAND,
            "outcomes": runs.own_canary_outcomes(repository, said.suite),
            "exit": 1,
        },
    )
    atoms = (*(_atom(atom, said.suite) for atom in said.atoms), truth)
    shown = on_python(runs.probe(cases, repository, said.suite, hidden, wanted), python)
    return Reference(root=All(of=atoms), probes={PROBE: shown}, library=library)


def variants(said: Description, repository: Tree, fixed: Tree) -> tuple[Variant, ...]:
    """The solutions written by hand, each on what it starts from."""
    return tuple(_variant(each, fixed if each.on == "gold" else repository) for each in said.variants)


def text(path: Path) -> str:
    """A file's text, its line ends as they are."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def _atom(atom: DescribedAtom, suite: Suite) -> Atom:
    """Tests count beside canaries alone: a run that reports what must fail as passed has reported nothing."""
    tests = {**dict.fromkeys(atom.tests, "passed"), **runner(suite).canary_outcomes(suite)} if atom.tests else {}
    expected = {**atom.expected, **tests}
    both = [DRIVER_COMMAND, HIDDEN_COMMAND]
    places: Any = both if atom.expected and atom.tests else HIDDEN_COMMAND if atom.tests else DRIVER_COMMAND
    parameters = {"probe": PROBE, "command": places, "expected": expected}
    return Atom(name=atom.name, clause=atom.clause, check="values", parameters=parameters)


def _clause(clause: DescribedClause) -> Clause:
    spans = tuple(Span(material=material, quote=quote) for material, quote in clause.spans)
    return Clause(id=clause.id, text=clause.text, spans=spans)


def _variant(variant: DescribedVariant, tree: Tree) -> Variant:
    return Variant(
        name=variant.name,
        kind=variant.kind,
        grounds=tuple(Ground(clause=clause, note=note) for clause, note in variant.grounds),
        files={**edited(tree, variant.edits), **variant.files},
        on=variant.on,
        control_of=variant.control_of,
    )
