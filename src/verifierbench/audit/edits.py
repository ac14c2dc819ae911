"""Small changes to JSON that leave the original alone: only what lies on the way to the change is copied."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Keys and indices from the root."""


class _Absent:
    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = _Absent()
"""Stands for a value that is not there."""

_NUMBER = re.compile(r"\d+")
_FEW, _MANY, _TELLING = 6, 24, 0.8
"""Words that are added to a text; changes of a long one; how often they are made in a line that says something."""


class Edit(NamedTuple):
    """One change: `gone`, `repeated` (an element set before this one), `moved` (to an index) or `put`."""

    path: Path
    how: str
    now: Any
    """The new value or index; `ABSENT` for what is taken away."""


def apply(view: Any, edit: Edit) -> Any:
    """The view with one change; the view itself where it cannot be made."""
    match edit.how:
        case "gone":
            return delete(view, edit.path)
        case "repeated":
            return insert(view, edit.path, edit.now)
        case "moved":
            return _move(view, edit.path, edit.now)
    return view if edit.now is ABSENT else put(view, edit.path, edit.now)


def put(value: Any, path: Path, new: Any) -> Any:
    """The value with something else at a place; a key may be new. Unchanged where there is no such place."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, dict) and isinstance(step, str) and (step in value or not rest):
        part = put(value[step], rest, new) if step in value else new
        return value if step in value and part is value[step] else {**value, step: part}
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        part = put(value[step], rest, new)
        return value if part is value[step] else [*value[:step], part, *value[step + 1 :]]
    return value


def delete(value: Any, path: Path) -> Any:
    """The value without what stands at a place; unchanged where there is nothing."""
    *way, last = path
    holder = at_path(value, way)
    if isinstance(holder, dict) and last in holder:
        return put(value, tuple(way), {key: part for key, part in holder.items() if key != last})
    if isinstance(holder, list) and isinstance(last, int) and last < len(holder):
        return put(value, tuple(way), [*holder[:last], *holder[last + 1 :]])
    return value


def insert(value: Any, path: Path, new: Any) -> Any:
    """The value with an element more in a list, before the place; unchanged where there is no list."""
    *way, last = path
    holder = at_path(value, way)
    if isinstance(holder, list) and isinstance(last, int):
        return put(value, tuple(way), [*holder[:last], new, *holder[last:]])
    return value


def has(value: Any, path: Path) -> bool:
    """Whether something stands at a place."""
    *way, last = path
    holder = at_path(value, way)
    if isinstance(holder, dict):
        return last in holder
    return isinstance(holder, list) and isinstance(last, int) and last < len(holder)


def near(value: Any) -> list[Any]:
    """Values close to a scalar, of its type or nearly."""
    if isinstance(value, bool):
        return [not value, str(value).lower(), int(value), None]
    if isinstance(value, int | float):
        return [value + 1, value - 1, -value, value * 2, value + 0.5, str(value), None]
    if isinstance(value, str):
        texts = [f"{value} more", f"more {value}", value.swapcase(), value[:-1], f"{value[:-1]}x", ""]
        return [text for text in texts if text != value] + ([int(value[:18])] if value.isdecimal() else [])
    return ["", 0, False] if value is None else []


def reworded(text: str, words: Sequence[str], random: Random) -> list[str]:
    """Texts like this one: a word or line less, more, elsewhere or another one, often one of `words`."""
    lines = text.split("\n")
    if len(lines) > 3:
        elsewhere = [_elsewhere(lines, word, random) for word in words if "/" in word for _ in range(_FEW)]
        return ["\n".join(changed) for changed in (*elsewhere, *(_relined(lines, words, random) for _ in range(_MANY)))]
    said = [word for word in words if word.lower() in text.lower()]
    less = [re.sub(re.escape(word), "", text, flags=re.I) for word in said]
    more = [f"{text} {word}." for word in random.sample(list(words), min(len(words), _FEW))]
    return [*less, *more, _word_less(text, random), _other_number(text, random), _other_letter(text, random)]


def _relined(lines: list[str], words: Sequence[str], random: Random) -> list[str]:
    """One line gone, twice, elsewhere, or changed: often one that says one of the words."""
    telling = [n for n, line in enumerate(lines) if any(word in line for word in words)]
    place = random.choice(telling) if telling and random.random() < _TELLING else random.randrange(len(lines))
    line, before, after = lines[place], lines[:place], lines[place + 1 :]
    other = random.choice(lines).split(" ")
    swapped = " ".join([*line.split(" ")[:-1], other[-1]])
    changed: list[list[str]] = [
        [],
        [line, line],
        [swapped],
        [_other_letter(line, random)],
        [_other_number(line, random)],
    ]
    return [*before, *random.choice(changed), *after]


def _word_less(text: str, random: Random) -> str:
    words = text.split(" ")
    gone = random.randrange(len(words))
    return " ".join([*words[:gone], *words[gone + 1 :]])


def _elsewhere(lines: list[str], name: str, random: Random) -> list[str]:
    """One of the paths that stand in some lines leads somewhere else."""
    places = [n for n, line in enumerate(lines) if "/" in line]
    if not places:
        return [*lines, name]
    place = random.choice(places)
    tokens = lines[place].split(" ")
    paths = [n for n, token in enumerate(tokens) if "/" in token]
    one = random.choice(paths)
    tokens[one] = f"{tokens[one].partition('/')[0]}/{name}"
    return [*lines[:place], " ".join(tokens), *lines[place + 1 :]]


def _other_number(text: str, random: Random) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return f"{text} 1"
    one = random.choice(found)
    return f"{text[: one.start()]}{int(one[0][:18]) + random.choice((1, 2, 10))}{text[one.end() :]}"


def _other_letter(text: str, random: Random) -> str:
    place = random.randrange(len(text) or 1)
    return f"{text[:place]}x{text[place + 1 :]}"


def _move(view: Any, path: Path, place: int) -> Any:
    if not has(view, path) or path[-1] == place:
        return view
    return insert(delete(view, path), (*path[:-1], place), at_path(view, path))


def at_path(value: Any, path: Sequence[str | int]) -> Any:
    """What stands at a place; None where there is no such place."""
    for step in path:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return None
    return value
