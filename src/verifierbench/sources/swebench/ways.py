"""Three ways to one checkout, and which of them an instance goes: the first that the machine has and that fits.

A task is described once, for whatever its repository comes from, so a way fits only where what is said of the task
holds in the tree that the way gives. Where it does not, the next way is asked; the last is always there, and what fails
there is an error. Which way a task went stands in its `source_version`, and its commands go the same way again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from verifierbench.core import Unavailable, VerifierBenchError

from .checkout import Checkout, Wanted, Way
from .container_way import Container
from .git_way import Git
from .release_way import Release
from .rows import Row

WAYS: tuple[Way, ...] = (Container(), Git(), Release())
"""In the order in which they are asked."""


class Choice(NamedTuple):
    """The way an instance went."""

    checkout: Checkout
    passed_over: Mapping[str, str]
    """Way → why it did not fit, of those that had a checkout or should have had."""


def choose(wanted: Wanted, objection: Callable[[Checkout], str]) -> Choice:
    """The first checkout to which there is no objection, or the last way's; raises what the last way raises."""
    passed_over: dict[str, str] = {}
    for way in WAYS[:-1]:
        try:
            found = made(way.name, wanted)
            said = objection(found) if found else ""
        except VerifierBenchError as error:  # a way that fails here, by whatever fault, costs no task
            found, said = None, str(error)
        if found and not said:
            return Choice(found, passed_over)
        if said:
            passed_over[way.name] = said
    last = made(WAYS[-1].name, wanted)
    if last is None:
        raise Unavailable(f"no way leads to {wanted.row.instance_id}; run `verifierbench sources install swebench`")
    return Choice(last, passed_over)


def recorded(wanted: Wanted, version: str) -> Checkout:
    """The checkout that a task's version names; raises `Unavailable` where this machine does not give the same."""
    found = next((made(way.name, wanted) for way in WAYS if way.mark in version), None)
    if found is None or found.version != version:
        here = f"; here it is {found.version}" if found else ""
        raise Unavailable(f"{wanted.row.instance_id} was made of {version}{here}: bring that, or build the suite anew")
    return found


def counted(rows: Sequence[Row], home: Path) -> Mapping[str, int]:
    """Way → instances that would be asked of it first; what is described is not looked at."""
    left = {row.instance_id for row in rows}
    counts: dict[str, int] = {}
    for way in WAYS:
        mine = way.has([row for row in rows if row.instance_id in left], home) & left
        left -= mine
        counts |= {way.name: len(mine)} if mine else {}
    return counts


@cache
def made(way: str, wanted: Wanted) -> Checkout | None:
    """What the way of a name gives, asked once."""
    return next(each for each in WAYS if each.name == way).checkout(wanted)
