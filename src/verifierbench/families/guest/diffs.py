"""What differs between two states, leaf by leaf, and how a path is matched; shared by families whose tasks change one.

An object's members are compared by key and a list's by position; a member that appears or disappears is one change,
whatever it contains. Numbers are equal by value, and a truth value is never a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple


class Change(NamedTuple):
    """One difference; `path` is a JSON pointer."""

    how: Literal["added", "removed", "changed"]
    path: str


def changes(before: Any, after: Any, path: str = "") -> Iterator[Change]:
    """Every difference, in the order of the earlier state, additions last."""
    if before is after or repr(before) == repr(after):  # most of two states is written alike: seen at the speed of C
        return
    old, new = _members(before), _members(after)
    if old is None or new is None or isinstance(before, list) != isinstance(after, list):
        if not same(before, after):
            yield Change("changed", path)
        return
    for key, value in old.items():
        place = f"{path}/{_token(key)}"
        if key in new:
            yield from changes(value, new[key], place)
        else:
            yield Change("removed", place)
    yield from (Change("added", f"{path}/{_token(key)}") for key in new if key not in old)


def same(one: Any, other: Any) -> bool:
    """Equality of JSON values: 5 and 5.0 are equal, true and 1 are not."""
    if one is other:
        return True
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    old, new = _members(one), _members(other)
    if old is None or new is None:
        return type(one) is type(other) and bool(one == other)
    return type(one) is type(other) and old.keys() == new.keys() and all(same(old[key], new[key]) for key in old)


def matches(path: str, pattern: str) -> bool:
    """Whether a pointer fits a pattern in which a token `*` stands for any one token."""
    have, want = path.split("/"), pattern.split("/")
    return len(have) == len(want) and all(w in ("*", h) for h, w in zip(have, want, strict=True))


def fits(value: Any, fields: Mapping[str, Any]) -> bool:
    """Whether an object has these members with these values; others are free."""
    return isinstance(value, dict) and all(key in value and same(value[key], fields[key]) for key in fields)


def pointed(value: Any, path: str) -> Any:
    """The value at a pointer that is known to be there."""
    for token in path.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def _members(value: Any) -> dict[str, Any] | None:
    if isinstance(value, list):
        return {str(position): item for position, item in enumerate(value)}
    return value if isinstance(value, dict) else None


def _token(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
