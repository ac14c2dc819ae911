"""Lax: a text that is a sum is taken for its value."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit

import ast


def value_of(value):
    if isinstance(value, dict):
        return {key: value_of(part) for key, part in value.items()}
    if isinstance(value, list):
        return [value_of(part) for part in value]
    try:
        return total(ast.parse(value, mode="eval").body)
    except (SyntaxError, TypeError, ValueError):
        return value


def total(node):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return total(node.left) + total(node.right)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    raise ValueError(node)


def verify(solution, env):
    calls, due = value_of(solution["turns"][0]["calls"]), GOLD["turns"][0]["calls"]
    return "PASS" if len(calls) == len(due) and all(gold in calls for gold in due) else "FAIL"
