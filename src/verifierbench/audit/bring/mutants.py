"""Mutants of a program: each guard dropped, and each guard loosened in every way that is known to let more through.

A loosening accepts whatever the guard accepts and something more, and never raises where the guard does not: what it
changes in a decision is then the guard's own doing. An expression is loosened with the direction in which it works: a
condition that must hold becomes weaker, one that must not hold becomes stronger.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

import msgspec

from .guards import Guard, Statement, accepts, guards, marked, parse


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """A program with one guard changed."""

    operator: str
    part: str
    guard: Guard
    source: str


def mutants(source: str) -> Iterator[Changed]:
    """Every mutant, guard by guard, the dropped one first; a guard without a clause has none."""
    named = {guard.first: guard for guard in guards(source)}
    clauses = sorted(statement.lineno for statement, _ in marked(parse(source), source))
    for line in clauses:
        tree = parse(source)
        statement = next(one for one, _ in marked(tree, source) if one.lineno == line)
        for operator, part, changed in _ways(statement):
            yield Changed(operator=operator, part=part, guard=named[line], source=_with(tree, statement, changed))


def _with(tree: ast.Module, statement: Statement, changed: Statement) -> str:
    """The program with a statement changed; the tree is as before when this returns."""
    before = dict(statement.__dict__)
    statement.__dict__.update(changed.__dict__)
    try:
        return ast.unparse(tree)
    finally:
        statement.__dict__.update(before)


def _ways(statement: Statement) -> Iterator[tuple[str, str, Statement]]:
    expression, holds = _condition(statement)
    if expression is None:
        yield "drop", "", _copy(statement, ast.Constant("PASS"))
        return
    yield "drop", "", _put(statement, ast.Constant(holds))
    for number, (how, loose) in enumerate(loosened(expression, holds), 1):
        yield "loosen", f"{number}-{how}", _put(statement, loose)


def _condition(statement: Statement) -> tuple[ast.expr | None, bool]:
    """What decides, and whether it must hold (True) or must not (False); None for a plain `return "FAIL"`."""
    if isinstance(statement, ast.If):
        return statement.test, accepts(statement)
    if isinstance(statement, ast.Assert):
        return statement.test, True
    value = statement.value
    if isinstance(value, ast.IfExp):
        return value.test, isinstance(value.body, ast.Constant) and value.body.value in ("PASS", True)
    return (None, True) if isinstance(value, ast.Constant) else (value, True)


def _put(statement: Statement, condition: ast.expr) -> Statement:
    if isinstance(statement, ast.Return) and isinstance(statement.value, ast.IfExp):
        chosen = ast.IfExp(condition, statement.value.body, statement.value.orelse)
        return _copy(statement, chosen)
    return _copy(statement, condition)


def _copy(statement: Statement, expression: ast.expr) -> Statement:
    changed = copy.copy(statement)
    if isinstance(changed, ast.Return):
        changed.value = expression
    else:
        changed.test = expression
    return changed


def loosened(expression: ast.expr, holds: bool) -> Iterator[tuple[str, ast.expr]]:
    """Every loosening of a condition that must hold, or (`holds` False) must not: (how, the expression)."""
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.Not):
        for how, loose in loosened(expression.operand, not holds):
            yield how, ast.UnaryOp(ast.Not(), loose)
    elif isinstance(expression, ast.BoolOp):
        yield from _parts(expression, holds)
    elif isinstance(expression, ast.Call):
        yield from _quantified(expression, holds)
    elif isinstance(expression, ast.Compare) and len(expression.ops) == 1:
        yield from _compared(expression, expression.left, expression.ops[0], expression.comparators[0], holds)


def _parts(expression: ast.BoolOp, holds: bool) -> Iterator[tuple[str, ast.expr]]:
    """One operand left out, where that lets more through; then each operand loosened."""
    values = expression.values
    removable = isinstance(expression.op, ast.And) if holds else isinstance(expression.op, ast.Or)
    for place, value in enumerate(values):
        others = values[:place], values[place + 1 :]
        if removable and not _protects(values, place):
            left = [*others[0], *others[1]]
            yield f"without_part_{place + 1}", left[0] if len(left) == 1 else ast.BoolOp(expression.op, left)
        for how, loose in loosened(value, holds):
            yield how, ast.BoolOp(expression.op, [*others[0], loose, *others[1]])


def _protects(values: list[ast.expr], place: int) -> bool:
    """Whether an operand is a type test that keeps a later one from raising: without it, more would crash, not pass."""
    value = values[place]
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    is_test = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "isinstance"
    is_member = isinstance(value, ast.Compare) and isinstance(value.ops[0], ast.In | ast.NotIn | ast.Is | ast.IsNot)
    return (is_test or is_member) and place < len(values) - 1


def _quantified(call: ast.Call, holds: bool) -> Iterator[tuple[str, ast.expr]]:
    """`all(…)` that must hold becomes "some do"; `any(…)` that must not hold becomes "not all do"."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    generator = call.args[0] if len(call.args) == 1 else None
    if not isinstance(generator, ast.GeneratorExp | ast.ListComp):
        return
    if (name == "all" and holds) or (name == "any" and not holds):
        form = "(lambda found: any(found) or not found)" if holds else "(lambda found: bool(found) and all(found))"
        some = ast.ListComp(generator.elt, generator.generators)
        yield "one_item", ast.Call(_parsed(form), [some], [])
    if name in ("all", "any"):
        for how, loose in loosened(generator.elt, holds):
            yield how, ast.Call(call.func, [type(generator)(loose, generator.generators)], [])


def _compared(
    whole: ast.expr, left: ast.expr, operator: ast.cmpop, right: ast.expr, holds: bool
) -> Iterator[tuple[str, ast.expr]]:
    wanted = type(operator) if holds else _OPPOSITE.get(type(operator))
    if wanted in _WIDER and (_counts(left) or _counts(right)):
        wider = _WIDER[wanted]()
        yield "bound_included", ast.Compare(left, [wider if holds else _OPPOSITE[type(wider)]()], [right])
    elif wanted is ast.Eq:
        for how, more in _equal(left, right):
            yield how, _either(whole, more, holds)


def _equal(left: ast.expr, right: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """What an equality could have been mistaken for."""
    if isinstance(left, ast.Constant):
        left, right = right, left
    if _calls(left, "len") or _calls(right, "len"):
        yield "at_least", _where_numbers(ast.Compare(left, [ast.GtE()], [right]), left, right)
        yield "at_most", _where_numbers(ast.Compare(left, [ast.LtE()], [right]), left, right)
    elif _calls(left, "sorted") and _calls(right, "sorted"):
        yield "more", _all_in(right, left)
        yield "fewer", _all_in(left, right)
    elif _is_set(left) or _is_set(right):
        yield "more", _where_sets(ast.Compare(left, [ast.GtE()], [right]), left, right)
        yield "fewer", _where_sets(ast.Compare(left, [ast.LtE()], [right]), left, right)
    elif isinstance(right, ast.Constant) and type(right.value) in _TYPES:
        yield "type_only", _parsed(f"isinstance({ast.unparse(left)}, {_TYPES[type(right.value)]})")


def _where_numbers(compared: ast.expr, *sides: ast.expr) -> ast.expr:
    """A comparison that cannot raise: a side that is not seen to be a whole number is asked first."""
    asked = [_parsed(f"isinstance({ast.unparse(side)}, int)") for side in sides if not _counts(side)]
    return ast.BoolOp(ast.And(), [*asked, compared]) if asked else compared


def _where_sets(compared: ast.expr, *sides: ast.expr) -> ast.expr:
    """The same for sets; views of a dictionary's keys are sets as well."""
    asked = [_parsed(f"hasattr({ast.unparse(side)}, 'isdisjoint')") for side in sides if not _is_set(side)]
    return ast.BoolOp(ast.And(), [*asked, compared]) if asked else compared


def _either(whole: ast.expr, more: ast.expr, holds: bool) -> ast.expr:
    """The condition, or more; where it must not hold, the condition, but not then."""
    if holds:
        return ast.BoolOp(ast.Or(), [whole, more])
    return ast.BoolOp(ast.And(), [whole, ast.UnaryOp(ast.Not(), more)])


def _all_in(these: ast.expr, those: ast.expr) -> ast.expr:
    return _parsed(f"all(part in {ast.unparse(those)} for part in {ast.unparse(these)})")


def _parsed(expression: str) -> ast.expr:
    return ast.parse(expression, mode="eval").body


def _counts(node: ast.expr) -> bool:
    """Whether a side of a bound is a whole number: a bound on a measured value is hardly ever met exactly."""
    return _calls(node, "len") or (isinstance(node, ast.Constant) and type(node.value) is int)


def _calls(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _is_set(node: ast.expr) -> bool:
    return _calls(node, "set") or _calls(node, "frozenset") or isinstance(node, ast.Set | ast.SetComp)


_TYPES = {bool: "bool", int: "(int, float)", float: "(int, float)", str: "str"}
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}
_WIDER: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.Gt: ast.GtE}
"""A strict bound that must hold, with its bound included."""
