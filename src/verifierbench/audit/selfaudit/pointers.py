"""Pure edits of JSON: what stands at a pointer becomes something else, and everything around it stays.

Key order is kept, because a solution's identity is its bytes; `keys_reversed` is for those who want it changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Edit: TypeAlias = Callable[[Any], Any]
"""Makes a JSON value of a JSON value, purely."""


def turned(pointer: str, edit: Edit) -> Edit:
    """Edit what stands at a JSON pointer; key order stays, and an object's new key comes last."""
    tokens = [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]
    return lambda value: _turned(value, tokens, edit)


def put(pointer: str, value: Any) -> Edit:
    """Set what stands at a JSON pointer."""
    return turned(pointer, lambda _: value)


def keys_reversed(value: Any) -> Any:
    """The same JSON with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: keys_reversed(part) for key, part in reversed(value.items())}
    return [keys_reversed(part) for part in value] if isinstance(value, list) else value


def same(value: Any) -> Any:
    """The value as it is."""
    return value


def _turned(value: Any, tokens: Sequence[str], edit: Edit) -> Any:
    if not tokens:
        return edit(value)
    head, rest = tokens[0], tokens[1:]
    if isinstance(value, list):
        place = int(head)
        return [*value[:place], _turned(value[place], rest, edit), *value[place + 1 :]]
    return {**value, head: _turned(value[head] if rest else value.get(head), rest, edit)}
