"""Ways to make an atom of this family less strict: one test instead of many, half of what a run reports.

Several tests of one clause are witnesses of one fact, and that the others can spare any one of them is no flaw. What a
suite has to show is that no single one would have done: so each stands alone once. Tests with different outcomes are
canaries, which together say whether a run tells the truth; they are taken with the exit status, or it without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from verifierbench.core import Atom, Weakening

LOOSEN, PER_TEST = "loosen", "per_test"


def weaken(atom: Atom) -> Iterator[Weakening]:
    """What takes an atom's place, part by part; nothing for a check that is as lax as the library can say it."""
    return _CHECKS.get(atom.check, _none)(atom)


def _none(_atom: Atom) -> Iterator[Weakening]:
    return iter(())


def _values(atom: Atom) -> Iterator[Weakening]:
    yield from _each_alone(atom, "expected")


def _tests(atom: Atom) -> Iterator[Weakening]:
    outcomes = atom.parameters["outcomes"]
    if len(set(outcomes.values())) == 1:
        yield from _each_alone(atom, "outcomes")
    if "exit" in atom.parameters:
        reports = {key: part for key, part in atom.parameters.items() if key != "exit"}
        yield Weakening(operator=LOOSEN, part="no exit status", node=replace(atom, parameters=reports))
        yield Weakening(operator=LOOSEN, part="exit status alone", node=_but(atom, "outcomes", {}))


def _unchanged(atom: Atom) -> Iterator[Weakening]:
    yield from _each_freed(atom, "files")


def _untouched(atom: Atom) -> Iterator[Weakening]:
    yield from _each_freed(atom, "paths")


_CHECKS: dict[str, Callable[[Atom], Iterator[Weakening]]] = {
    "values": _values,
    "tests": _tests,
    "reported": _tests,
    "unchanged": _unchanged,
    "untouched": _untouched,
}


def _each_alone(atom: Atom, parameter: str) -> Iterator[Weakening]:
    many = atom.parameters[parameter]
    if len(many) > 1:
        for name, text in many.items():
            yield Weakening(operator=PER_TEST, part=f"only {name}", node=_but(atom, parameter, {name: text}))


def _each_freed(atom: Atom, parameter: str) -> Iterator[Weakening]:
    """Files and folders are requirements of their own: each must not change, whatever the others do."""
    many = atom.parameters[parameter]
    if len(many) > 1:
        for gone in many:
            rest = {p: many[p] for p in many if p != gone} if isinstance(many, dict) else [p for p in many if p != gone]
            yield Weakening(operator=PER_TEST, part=gone, node=_but(atom, parameter, rest))


def _but(atom: Atom, parameter: str, value: Any) -> Atom:
    return replace(atom, parameters={**atom.parameters, parameter: value})
