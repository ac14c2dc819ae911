"""A plant: one change of a sound task, and what a check must say of it.

Plants are written against what a check promises, by somebody who has not read how it keeps the promise; one that was
fitted to a check's code could only ever confirm it. A defect has exactly one cause, so that the check it is meant for
must see it. A control is sound in the eyes of its check, whatever another might say; an odd one invites a false alarm.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from verifierbench.core import UnknownName

from ..subject import Subject

Change: TypeAlias = Callable[[Subject], Subject]
"""Makes a changed subject of a sound one that has fresh runs (`with_runs`), purely."""


class Plant(msgspec.Struct, frozen=True, kw_only=True):
    """One thing planted for one check."""

    name: str
    """Unique over all checks: `<check>.<what>`."""
    check: str
    task: str
    """Id of the task it is planted in."""
    says: str
    """What was done, in one sentence."""
    change: Change
    expect: Literal["flaw", "silence"]
    where: str = ""
    """Id of the case that a flaw must name; empty where the check may choose what it names."""
    odd: bool = False
    """A control that is odd but right."""


def defect(check: str, task: str, name: str, says: str, *changes: Change, at: str = "") -> Plant:
    """A plant that must be found; `task` without a source is handmade, `at` is a case's id behind the `#`."""
    where = f"{_full(task)}#{at}" if at else ""
    return _plant(check, task, name, says, changes, expect="flaw", where=where)


def control(check: str, task: str, name: str, says: str, *changes: Change) -> Plant:
    """A plant about which nothing must be said."""
    return _plant(check, task, name, says, changes, expect="silence")


def odd(check: str, task: str, name: str, says: str, *changes: Change) -> Plant:
    """A control that invites a false alarm."""
    return _plant(check, task, name, says, changes, expect="silence", odd=True)


def plants(check: str) -> tuple[Plant, ...]:
    """Every plant of a check; raises `UnknownName` for a check that has none."""
    known = tuple(info.name for info in pkgutil.iter_modules([str(Path(__file__).parent)]) if info.name not in _OURS)
    if check not in known:
        raise UnknownName("check with plants", check, known)
    found: tuple[Plant, ...] = importlib.import_module(f"{__package__}.{check}").PLANTS
    return found


_OURS = frozenset({"plant", "claims", "edits", "pointers"})
"""Modules of this folder that are no check's."""


def _full(task: str) -> str:
    return task if "/" in task else f"handmade/{task}"


def _plant(
    check: str,
    task: str,
    name: str,
    says: str,
    changes: tuple[Change, ...],
    *,
    expect: Literal["flaw", "silence"],
    where: str = "",
    odd: bool = False,
) -> Plant:
    return Plant(
        name=f"{check}.{name}",
        check=check,
        task=_full(task),
        says=says,
        change=functools.partial(_in_turn, changes),
        expect=expect,
        where=where,
        odd=odd,
    )


def _in_turn(changes: tuple[Change, ...], subject: Subject) -> Subject:
    for change in changes:
        subject = change(subject)
    return subject
