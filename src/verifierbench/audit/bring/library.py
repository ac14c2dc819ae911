"""A family as a brought suite has it: its schema and conventions, and its own checks beside the family's.

`checks.py` is the suite author's own code on the author's own machine: it runs in this process, as a test file would.
Its names are read before it is run, so that a suite with an error in it is refused without running anything. What
a check raises, other than `Absent`, is its author's mistake and is told as one, with the file it stands in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from verifierbench.audit.judges import TreeJudge
from verifierbench.audit.subject import Mutant
from verifierbench.core import (
    Absent,
    Atom,
    Check,
    Convention,
    Family,
    FamilyDefinition,
    MalformedInput,
    Node,
    Weakening,
    sha256,
)

CHECKS = "checks.py"


class CheckRaised(MalformedInput, ValueError):
    """A check that cannot take a view: its author's mistake, and a `ValueError` to who makes up views to try."""


class OwnFamily:
    """Meets `core.FamilyDefinition`."""

    def __init__(
        self,
        base: FamilyDefinition,
        *,
        schema: Mapping[str, Any] | None = None,
        conventions: tuple[Convention, ...] | None = None,
        own: str = "",
        checks: Mapping[str, Check] | None = None,
    ) -> None:
        """What is None is the family's own; `own` is the source of the suite's `checks.py`."""
        self._base, self._own = base, frozenset(checks or {})
        self.family: Family = base.family
        self.solution_schema: Mapping[str, Any] = base.solution_schema if schema is None else schema
        self.conventions: tuple[Convention, ...] = base.conventions if conventions is None else conventions
        self.checks: Mapping[str, Check] = {**base.checks, **(checks or {})}
        self.checks_version: str = library_version(base, own)

    def request(self, solution: Any, probe: Mapping[str, Any]) -> Any:
        """The family's own."""
        return self._base.request(solution, probe)

    def weaken(self, atom: Atom) -> Iterable[Weakening]:
        """The family's own; of a check of the suite's nothing is known but that it can be dropped."""
        return () if atom.check in self._own else self._base.weaken(atom)

    def canonical(self, view: Any) -> Any:
        """The family's own."""
        return self._base.canonical(view)


class LibraryJudge(TreeJudge):
    """A tree whose checks are partly the suite's own, and which carries their source in its `spec`."""

    def __init__(self, root: Node, family: FamilyDefinition, version: str, library: str) -> None:
        super().__init__(root, family, version)
        self._library = library

    def spec(self, view: Any) -> dict[str, Any]:
        """The tree, its family, and the source of `checks.py`."""
        return {**super().spec(view), "library": self._library}

    def mutants(self) -> Iterator[Mutant]:
        """The tree's, each with the source as well."""
        for mutant in super().mutants():
            judge = mutant.judge
            assert isinstance(judge, TreeJudge)
            own = LibraryJudge(judge.root, self._family, judge.version, self._library)
            yield msgspec.structs.replace(mutant, judge=own)


def library_version(base: FamilyDefinition, own: str) -> str:
    """The family's, or with checks of the suite's own a hash of both."""
    return sha256(f"{base.checks_version}\0{own}".encode()) if own else base.checks_version


def names(source: str, path: Path) -> dict[str, int]:
    """The checks a file defines, each with its line, without running it; raises `MalformedInput`."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        raise MalformedInput(
            path, f"line {line}" if line else "", f"not Python: {getattr(error, 'msg', None) or error}"
        ) from error
    found: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            if len([*node.args.posonlyargs, *node.args.args]) != 2:
                raise MalformedInput(path, f"line {node.lineno}", f"check {node.name!r} takes (view, parameters)")
            found[node.name] = node.lineno
    return found


def run(source: str, path: Path) -> dict[str, Check]:
    """Run the file and return its checks; raises `MalformedInput` for what it raises."""
    module = ModuleType("checks")
    try:
        exec(compile(source, str(path), "exec"), module.__dict__)  # noqa: S102  # the author's own code, as documented
    except Exception as error:
        raise MalformedInput(path, _line(error, str(path)), f"raised {type(error).__name__}: {error}") from error
    return {name: _own(vars(module)[name], name, path) for name in names(source, path)}


def careful(definition: FamilyDefinition, reference: Path, own: Iterable[str]) -> dict[str, Check]:
    """The family's checks, with a wrong parameter told as a mistake in the reference that gave it."""
    return {
        name: check if name in set(own) else _given(check, name, reference) for name, check in definition.checks.items()
    }


def tree_judge(root: Node, definition: FamilyDefinition, version: str, library: str) -> TreeJudge:
    """The judge of a tree; `library` is the source of `checks.py`, empty where there is none."""
    return LibraryJudge(root, definition, version, library) if library else TreeJudge(root, definition, version)


def _own(check: Check, name: str, path: Path) -> Check:
    def checked(view: Any, parameters: Mapping[str, Any]) -> bool:
        try:
            found: object = check(view, parameters)
        except Absent:
            raise
        except Exception as error:
            place = _line(error, str(path)) or f"check {name}"
            raise CheckRaised(path, place, f"check {name!r} raised {type(error).__name__}: {error}") from error
        if not isinstance(found, bool):
            raise MalformedInput(path, f"check {name}", f"must return True or False, not {type(found).__name__}")
        return found

    return checked


def _given(check: Check, name: str, reference: Path) -> Check:
    def checked(view: Any, parameters: Mapping[str, Any]) -> bool:
        try:
            return check(view, parameters)
        except Absent:
            raise
        except Exception as error:
            what = f"cannot be used with the parameters {sorted(parameters)}: {type(error).__name__}: {error}"
            raise CheckRaised(reference, f"check {name}", what) from error

    return checked


def _line(error: BaseException, path: str) -> str:
    lines = []
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == path:
            lines.append(step.tb_lineno)
        step = step.tb_next
    return f"line {lines[-1]}" if lines else ""
