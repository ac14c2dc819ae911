"""What gold changes, call by call, from executing it: the goals of the reference, and how far the state may differ.

A tool's table says which of the fields it writes are asked for (`Goal`); the others follow from them and are only
allowed to change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any, NamedTuple

from verifierbench.core import Absent, Inconsistent, at
from verifierbench.families.guest.diffs import matches


class Goal(NamedTuple):
    """The fields that a tool writes because they are asked for: pattern of the path → argument that gives the value.

    A pattern names arguments in braces, and `*` stands for one token; the argument's name is empty where
    the value follows from the tool alone.
    """

    fields: Mapping[str, str]


class Played(NamedTuple):
    """Gold's writes with what each of them changed."""

    calls: tuple[dict[str, Any], ...]
    changes: tuple[tuple[dict[str, Any], ...], ...]
    """Per write: its differences from the state before it."""
    end: tuple[dict[str, Any], ...]
    """All differences at the end."""


def played(prefixes: Sequence[Mapping[str, Any]], calls: Sequence[dict[str, Any]]) -> Played:
    """From the answers to gold's first n writes, n from 0 to all of them."""
    steps = []
    for before, after in pairwise(prefixes):
        known = [(change["path"], change.get("new")) for change in before["changes"]]
        steps.append(tuple(c for c in after["changes"] if (c["path"], c.get("new")) not in known))
    return Played(tuple(calls), tuple(steps), tuple(prefixes[-1]["changes"]))


def goal_values(
    call: Mapping[str, Any], changes: Sequence[Mapping[str, Any]], goal: Goal, also: Mapping[str, Sequence[Any]]
) -> dict[str, list[Any]]:
    """Path → right values, of the fields that a write was made for; raises `Inconsistent` where it wrote none."""
    found: dict[str, list[Any]] = {}
    for pattern, argument in goal.fields.items():
        filled = pattern.format(**{key: value for key, value in call["arguments"].items() if isinstance(value, str)})
        for path, value in (place for change in changes for place in _places(change, filled)):
            name = argument.replace("*", path.rpartition("/")[2])
            found[path] = [value, *also.get(name, ())]
    if not found:
        raise Inconsistent(f"{call['name']} of gold changes nothing that was asked for")
    return found


def _places(change: Mapping[str, Any], pattern: str) -> Iterator[tuple[str, Any]]:
    """Where a pattern meets a difference: at its path, or inside the record that is new there."""
    parts, depth = pattern.split("/"), change["path"].count("/") + 1
    if change["how"] != "removed" and matches(change["path"], "/".join(parts[:depth])):
        rest = "".join(f"/{part}" for part in parts[depth:])
        with suppress(Absent):
            yield f"{change['path']}{rest}", at(change["new"], rest)


def licence(end: Sequence[Mapping[str, Any]], may: Sequence[str] = ()) -> dict[str, Any]:
    """The parameters of `only_changed`: what gold changes, and what else may."""
    added: dict[str, int] = {}
    for change in end:
        if change["how"] == "added":
            parent = change["path"].rpartition("/")[0]
            added[parent] = added.get(parent, 0) + 1
    licensed: dict[str, Any] = {
        "changed": [*(change["path"] for change in end if change["how"] == "changed"), *may],
        "added": added,
        "removed": [change["path"] for change in end if change["how"] == "removed"],
    }
    return {part: what for part, what in licensed.items() if what}
