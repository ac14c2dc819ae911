"""A copy of a value with one place changed, the place named by a JSON pointer (RFC 6901).

The pointer is read as `core.at` reads it, so that what is set at a pointer is found there. A member that an object
lacks is added; a list grows only by its end, `-`.
"""

from __future__ import annotations

import copy
import re
from typing import Any

from verifierbench.core import Absent

__all__ = ["changed"]

_INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
_BAD_ESCAPE = re.compile(r"~(?![01])")


def changed(whole: Any, pointer: str, value: Any) -> Any:
    """A deep copy with `value` at the pointer, "" being the whole; raises `Absent` where no value can stand."""
    head, *tokens = pointer.split("/")
    if head or _BAD_ESCAPE.search(pointer):
        raise Absent(pointer)
    if not tokens:
        return copy.deepcopy(value)
    result = copy.deepcopy(whole)
    *way, last = (token.replace("~1", "/").replace("~0", "~") for token in tokens)
    parent = result
    for key in way:
        parent = _step(parent, key, pointer)
    _put(parent, last, copy.deepcopy(value), pointer)
    return result


def _step(parent: Any, key: str, pointer: str) -> Any:
    if isinstance(parent, dict) and key in parent:
        return parent[key]
    if isinstance(parent, list) and _within(parent, key):
        return parent[int(key)]
    raise Absent(pointer)


def _put(parent: Any, key: str, value: Any, pointer: str) -> None:
    if isinstance(parent, dict):
        parent[key] = value
    elif isinstance(parent, list) and _within(parent, key):
        parent[int(key)] = value
    elif isinstance(parent, list) and key == "-":
        parent.append(value)
    else:
        raise Absent(pointer)


def _within(items: list[Any], key: str) -> bool:
    return bool(_INDEX.fullmatch(key)) and int(key) < len(items)
