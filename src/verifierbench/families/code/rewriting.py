"""The same program in other words: remarks, and local variables under other names.

Both keep behaviour by construction. Renaming edits names where the parser found them and leaves everything else,
comments and layout included; a name it could miss somewhere is left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from random import Random

REMARKS = ("See the issue.", "Kept in one place on purpose.", "The order matters here.", "Both ends are looked at.")

_SCOPES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


def add_remarks(source: str, random: Random) -> str:
    """Put a comment above every function, none of which says anything new."""
    heads = {_first_line(node) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)}
    lines = []
    for number, line in enumerate(source.splitlines(keepends=True), 1):
        if number in heads:
            lines.append(f"{line[: len(line) - len(line.lstrip())]}# {random.choice(REMARKS)}\n")
        lines.append(line)
    return "".join(lines)


def rename_locals(source: str, random: Random) -> str:
    """Rename the plain local variables of functions and methods."""
    edits: dict[tuple[int, int], tuple[str, str]] = {}
    for function in _functions(ast.parse(source)):
        new = {name: f"{name}_{random.choice('abcdefgh')}" for name in sorted(_plain_locals(function))}
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id in new:
                edits[node.lineno, node.col_offset] = (node.id, new[node.id])
    return _edited(source, edits)


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _functions(module: ast.Module) -> Iterator[ast.FunctionDef]:
    """Functions and methods; what is nested in them is renamed with them."""
    for node in module.body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        yield from (part for part in inner if isinstance(part, ast.FunctionDef))


def _plain_locals(function: ast.FunctionDef) -> set[str]:
    """Names bound by plain assignment in the function's own body alone, and nowhere that an edit by position misses.

    A name that a nested scope (a function, a comprehension) binds as well may mean something else there, or outside.
    """
    if any(_tells_names(node) for node in ast.walk(function)):
        return set()
    nested = [node for node in ast.walk(function) if isinstance(node, _SCOPES) and node is not function]
    inner = {id(part) for scope in nested for part in ast.walk(scope)}
    bound = [node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    own = {node.id for node in bound if id(node) not in inner}
    elsewhere = {node.id for node in bound if id(node) in inner}
    return own - elsewhere - {name for node in ast.walk(function) for name in _barred(node)}


def _tells_names(node: ast.AST) -> bool:
    """Whether a function's names can be seen from outside it: an attribute of a class in it, or by asking for them."""
    called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    return isinstance(node, ast.ClassDef) or called in ("locals", "vars", "dir", "eval", "exec")


def _barred(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.arg(arg=name) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.alias(asname=str(name)):
            yield name
        case ast.alias(name=name):
            yield name.partition(".")[0]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names
        case ast.JoinedStr():
            # Before Python 3.12 names in an f-string have no position of their own.
            yield from (part.id for part in ast.walk(node) if isinstance(part, ast.Name))
        case _:
            return


def _edited(source: str, edits: Mapping[tuple[int, int], tuple[str, str]]) -> str:
    """Replace names at (line, byte column), from the end so that columns stay right."""
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    for (number, column), (old, new) in sorted(edits.items(), reverse=True):
        line = lines[number - 1]
        lines[number - 1] = line[:column] + new.encode() + line[column + len(old.encode()) :]
    return b"".join(lines).decode()
