"""A static look at task folders: by which paths a test would count as passed that has not passed.

Nothing is executed, so a path that is found is one that exists, not one that is taken. Upstream's parser takes what was
skipped and what was expected to fail for passed, does not know the lines of subtests, and reads a printed summary
whoever printed it; what each of these looks like in a test file is a row of a table. A folder that another of
upstream's parsers reads is named as such and not looked into.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import MalformedInput, UserError

from .folder import PYTEST, TaskFolder, task_folders

DEFECTS: Mapping[str, str] = {
    "skip": "a test that is skipped counts as passed",
    "module_skip": "a test file that is skipped as a whole counts as passed",
    "xfail": "a test that is expected to fail, and fails, counts as passed",
    "subtests": "a subtest that fails leaves its test passed",
    "forged": "code under test runs in the process that prints the summary, and can print one and end it",
}
"""Every defect, in a few words."""

_CALLS: Mapping[str, tuple[str, str]] = {
    "pytest.skip": ("skip", "pytest.skip"),
    "pytest.skip.Exception": ("skip", "pytest.skip.Exception"),
    "pytest.importorskip": ("skip", "pytest.importorskip"),
    "pytest.xfail": ("xfail", "pytest.xfail"),
    "pytest.mark.skip": ("skip", "pytest.mark.skip"),
    "pytest.mark.skipif": ("skip", "pytest.mark.skipif"),
    "pytest.mark.xfail": ("xfail", "pytest.mark.xfail"),
    "unittest.skip": ("skip", "unittest.skip"),
    "unittest.skipIf": ("skip", "unittest.skipIf"),
    "unittest.skipUnless": ("skip", "unittest.skipUnless"),
    "unittest.SkipTest": ("skip", "unittest.SkipTest"),
    "unittest.expectedFailure": ("xfail", "unittest.expectedFailure"),
    "*.skipTest": ("skip", "skipTest"),
    "*.subTest": ("subtests", "subTest"),
    "subtests.test": ("subtests", "the subtests fixture"),
    "runpy.run_path": ("forged", "runpy.run_path"),
    "runpy.run_module": ("forged", "runpy.run_module"),
    "importlib.import_module": ("forged", "importlib.import_module"),
    "sys.path.append": ("forged", "sys.path.append"),
    "sys.path.insert": ("forged", "sys.path.insert"),
    "importlib.util.spec_from_file_location": ("forged", "importlib.util.spec_from_file_location"),
    "exec": ("forged", "exec"),
}
"""Dotted name → defect, and how it is called in a report; `*` is a name of any kind."""
_OF_A_MODULE = ("pytest.skip", "pytest.importorskip", "unittest.SkipTest")
"""What skips the whole file where it stands outside every function."""


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """One place at which a test can count as passed without having passed."""

    file: str
    """Path under the task's folder."""
    line: int
    defect: str
    """A key of `DEFECTS`."""
    by: str
    """What stands there."""


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """What is seen of one folder."""

    folder: str
    parser: str = ""
    """Which of upstream's parsers reads its output; empty where the folder cannot be used."""
    ways: tuple[Way, ...] = ()
    wrong: str = ""
    """Why the folder cannot be looked at, in one sentence."""


def looks(folder: Path) -> tuple[Look, ...]:
    """A look at every task folder in a folder, or at the folder itself; raises `MalformedInput` where there is none."""
    found = task_folders(folder)
    if not found:
        raise MalformedInput(folder, "", "there is no task.yaml in it, nor in a folder in it")
    return tuple(look(each) for each in found)


def look(folder: Path) -> Look:
    """What is seen of one task folder; what is wrong with it is said, not raised."""
    try:
        task = TaskFolder(folder)
        read = task.said.parser_name == PYTEST
        modules = {path: held for path, held in task.tests.items() if path.endswith(".py")} if read else {}
        ways = [way for path, held in modules.items() for way in _ways(path, held, _importable(task), folder)]
    except UserError as error:
        return Look(folder=folder.name, wrong=str(error))
    return Look(folder=folder.name, parser=task.said.parser_name, ways=tuple(ways))


def ways_in(path: str, source: str, importable: frozenset[str] = frozenset()) -> tuple[Way, ...]:
    """The ways in one test file, by line; `importable` are modules a solver writes. Raises `SyntaxError`."""
    found = _Finder(importable)
    found.visit(ast.parse(source))
    ways = (Way(file=path, line=line, defect=defect, by=by) for line, defect, by in found.seen)
    return tuple(sorted(dict.fromkeys(ways), key=lambda way: (way.line, way.defect)))


def _ways(path: str, source: str, importable: frozenset[str], folder: Path) -> tuple[Way, ...]:
    try:
        return ways_in(path, source, importable)
    except SyntaxError as error:
        raise MalformedInput(folder / path, f"line {error.lineno}", f"not Python: {error.msg}") from error
    except RecursionError as error:
        raise MalformedInput(folder / path, "", "nested too deeply to be looked at") from error


def _importable(task: TaskFolder) -> frozenset[str]:
    """Top-level modules among what a solver finds; a folder without a Dockerfile is none the worse for this look."""
    try:
        return frozenset(path.partition("/")[0].removesuffix(".py") for path in task.copied if path.endswith(".py"))
    except MalformedInput:
        return frozenset()


class _Finder(ast.NodeVisitor):
    """Collects line, defect and words; names are followed through imports and plain assignments of a module."""

    def __init__(self, importable: frozenset[str]) -> None:
        self.seen: list[tuple[int, str, str]] = []
        self._importable = importable
        self._names: dict[str, str] = {}
        self._depth = 0

    def visit_Import(self, node: ast.Import) -> None:
        for each in node.names:
            local = each.asname or each.name.partition(".")[0]
            self._names[local] = each.name if each.asname else local
            self._imported(each.name, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for each in node.names:
            self._names[each.asname or each.name] = f"{node.module}.{each.name}"
        if not node.level:
            self._imported(node.module or "", node.lineno)

    def visit_Assign(self, node: ast.Assign) -> None:
        """What is kept under a name counts where the name is used, not where it is made; `pytestmark` is in use."""
        called = isinstance(node.value, ast.Call)
        made = self._dotted(node.value.func if isinstance(node.value, ast.Call) else node.value)
        plain = [target.id for target in node.targets if isinstance(target, ast.Name)]
        kept = made in _CALLS and (made.startswith("pytest.mark.") or not called)
        if kept and plain and "pytestmark" not in plain:
            self._names |= dict.fromkeys(plain, made)
            return
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """A module may be imported by a call as well."""
        if self._dotted(node.func) == "pytest.importorskip" and node.args and isinstance(node.args[0], ast.Constant):
            self._imported(str(node.args[0].value), node.lineno)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._inside(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._named(node)

    def visit_Name(self, node: ast.Name) -> None:
        self._named(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self.visit(decorator)
        self._depth += 1
        for part in node.body:
            self.visit(part)
        self._depth -= 1

    def _inside(self, node: ast.AST) -> None:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1

    def _named(self, node: ast.Name | ast.Attribute) -> None:
        name = self._dotted(node)
        found = _CALLS.get(name) or (_CALLS.get(f"*.{node.attr}") if isinstance(node, ast.Attribute) else None)
        if found is None:
            self.generic_visit(node)
            return
        defect, by = found
        whole = not self._depth and name in _OF_A_MODULE
        self.seen.append((node.lineno, "module_skip" if whole else defect, by))

    def _imported(self, module: str, line: int) -> None:
        if module.partition(".")[0] in self._importable - sys.stdlib_module_names:
            self.seen.append((line, "forged", f"import of {module}"))

    def _dotted(self, node: Any) -> str:
        """A name as it would be written without any import of our own; empty for what is no name."""
        if isinstance(node, ast.Name):
            return self._names.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            return f"{inner}.{node.attr}" if (inner := self._dotted(node.value)) else ""
        return ""
