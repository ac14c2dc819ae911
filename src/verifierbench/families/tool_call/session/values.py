"""How an executable task compares values (E9): text by character, numbers by value, a list of texts in any order."""

from __future__ import annotations

from typing import Any

from ..policies import Exact, ListOf, Number, Policy, SetOf


def infer(value: Any) -> Policy:
    """The policy the conventions give a right value."""
    match value:
        case bool() | None | str() | dict():
            return Exact(value)
        case int() | float():
            return Number(value)
        case list():
            items = tuple(map(infer, value))
            return SetOf(items) if value and all(isinstance(item, str) for item in value) else ListOf(items)
    return Exact(value)
