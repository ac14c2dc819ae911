"""The named parts of a program that serves as a reference: its guards.

A guard is an `if`, a `return` or an `assert` that carries `# clause: ID` on its line; it is named after the line it
begins on. A `return` that can say FAIL and belongs to no guard enforces no clause, and is listed as such: it is a
decision nobody has justified. The program is read here, never run.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from typing import TypeAlias

import msgspec

from verifierbench.core import Atom

Statement: TypeAlias = ast.If | ast.Return | ast.Assert

GUARD = "guard"
"""The name of the check that a guard's atom carries: the program itself."""

_MARK = re.compile(r"#\s*clause:\s*(\S*)\s*(.*)$")


class BadProgram(Exception):
    """A program that cannot be a reference: the line, and why."""

    def __init__(self, line: int, cause: str) -> None:
        super().__init__(f"line {line}: {cause}")
        self.line, self.cause = line, cause


class Guard(msgspec.Struct, frozen=True, kw_only=True):
    """One guard, or one `return` without a clause (then `clause` is empty)."""

    clause: str
    first: int
    last: int
    """Its lines: of an `if`, those of its test and of what it does."""

    @property
    def atom(self) -> Atom:
        """What a decision and a mutant are named by."""
        return Atom(name=f"line{self.first}", clause=self.clause, check=GUARD)


def parse(source: str) -> ast.Module:
    """The program's tree; raises `BadProgram` where it is none, or defines no `verify(solution, env)`."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        raise BadProgram(line, f"not Python: {getattr(error, 'msg', None) or error}") from error
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "verify"]
    if not defined:
        raise BadProgram(1, "defines no function `verify(solution, env)`")
    given = defined[-1].args
    if len([*given.posonlyargs, *given.args]) - len(given.defaults) > 2 or not (given.vararg or _positional(given) > 1):
        raise BadProgram(defined[-1].lineno, "`verify` takes two arguments, `solution` and `env`")
    return tree


def guards(source: str) -> tuple[Guard, ...]:
    """Every guard in the order of their lines, the `return`s without a clause among them; raises `BadProgram`."""
    tree = parse(source)
    found = [_guard(statement, clause) for statement, clause in marked(tree, source)]
    covered = [(guard.first, guard.last) for guard in found]
    found += [
        Guard(clause="", first=node.lineno, last=_end(node))
        for node in _unmarked(tree, {guard.first for guard in found})
        if not any(first <= node.lineno <= last for first, last in covered)
    ]
    return tuple(sorted(found, key=lambda guard: (guard.first, guard.last)))


def marked(tree: ast.Module, source: str) -> list[tuple[Statement, str]]:
    """Each marked statement with its clause; raises `BadProgram` for a mark that stands at no guard."""
    found: dict[int, tuple[Statement, str]] = {}
    for line, clause in _marks(source):
        statement = _statement(tree, line)
        if statement is None:
            raise BadProgram(line, f"`# clause: {clause}` stands at no `if`, `return` or `assert`")
        if statement.lineno in found:
            raise BadProgram(line, "a second `# clause:` for one guard; a guard enforces one clause")
        found[statement.lineno] = statement, clause
    return list(found.values())


def says(node: ast.AST, verdict: str) -> bool:
    """Whether a statement or expression holds this verdict as a constant."""
    return any(isinstance(part, ast.Constant) and part.value == verdict for part in ast.walk(node))


def accepts(statement: ast.If) -> bool:
    """Whether an `if` is one that lets a solution through: what it does ends by returning PASS or True."""
    last = statement.body[-1]
    return isinstance(last, ast.Return) and isinstance(last.value, ast.Constant) and last.value.value in ("PASS", True)


def _positional(given: ast.arguments) -> int:
    return len(given.posonlyargs) + len(given.args)


def _marks(source: str) -> Iterator[tuple[int, str]]:
    for token in _tokens(source):
        if token.type == tokenize.COMMENT and (mark := _MARK.match(token.string)):
            line = token.start[0]
            if not mark[1] or mark[2]:
                raise BadProgram(line, f"`{token.string}` must name one clause and nothing else")
            yield line, mark[1]


def _tokens(source: str) -> list[tokenize.TokenInfo]:
    try:
        return list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError) as error:
        raise BadProgram(1, f"not Python: {error.args[0]}") from error


def _statement(tree: ast.Module, line: int) -> Statement | None:
    """The outermost guard whose head is on this line; for the lone `return "FAIL"` of an `if`, that `if`."""
    for node in ast.walk(tree):
        if isinstance(node, Statement) and node.lineno <= line <= _head_end(node):
            return _owner(tree, node)
    return None


def _owner(tree: ast.Module, node: Statement) -> Statement:
    if not (isinstance(node, ast.Return) and isinstance(node.value, ast.Constant)):
        return node
    owners = [one for one in ast.walk(tree) if isinstance(one, ast.If) and one.body == [node]]
    return owners[0] if owners else node


def _head_end(node: Statement) -> int:
    return _end(node.test) if isinstance(node, ast.If) else _end(node)


def _end(node: ast.stmt | ast.expr) -> int:
    return node.end_lineno or node.lineno


def _guard(statement: Statement, clause: str) -> Guard:
    last = statement.body[-1] if isinstance(statement, ast.If) else statement
    return Guard(clause=clause, first=statement.lineno, last=_end(last))


def _unmarked(tree: ast.Module, guarded: set[int]) -> Iterator[ast.Return]:
    """Every `return` that can say FAIL, but for the one that a guard which accepts leaves over."""
    blocks = (getattr(node, name, None) for node in ast.walk(tree) for name in ("body", "orelse", "finalbody"))
    for block in blocks:
        for before, one in _neighbours(block if isinstance(block, list) else []):
            left_over = isinstance(before, ast.If) and accepts(before) and before.lineno in guarded
            if isinstance(one, ast.Return) and says(one, "FAIL") and not left_over:
                yield one


def _neighbours(block: list[ast.stmt]) -> Iterator[tuple[ast.stmt | None, ast.stmt]]:
    return zip([None, *block], block, strict=False)
