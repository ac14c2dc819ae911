"""Every case of an executable task: a table of operators, what they propose played together, what holds made a case.

A content that exists already is left out, an attack along with its control. Of the hacks a season draws some; those
without which a clause would not be tried stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from verifierbench.core import Case, CaseKind, Ground, Inconsistent, Season, content_hash

from ..content import validate
from . import attacks, invalid, process, valid
from .scene import Proposal, Scene

HACKS_PER_TASK = 7
_BOUNDS = {
    "argument_missed": 2,
    "call_dropped": 1,
    "made_again": 1,
    "reordered": 2,
    "value_freedom": 2,
    "text_extended": 2,
    "other_selected": 2,
    "intruded": 1,
    "also_elsewhere": 1,
}
"""How many cases of an operator may break, or use the freedom of, exactly the same clauses; others are not bounded."""
_ALWAYS = frozenset({"made_twice", "merged", "split", "unlooked"})


class _Named(NamedTuple):
    operator: str
    kind: CaseKind
    proposal: Proposal


def cases(task: str, scene: Scene, season: Season) -> tuple[Case, ...]:
    """Every case; raises `Inconsistent` where a firm proposal does not play as it says."""
    named = list(_proposed(task, scene, season))
    flat = [one.proposal for one in named] + [one.proposal.control for one in named if one.proposal.control]
    confirmed = iter(scene.confirmed(flat))
    own = [next(confirmed) for _ in named]
    controls = {id(one.proposal): next(confirmed) for one in named if one.proposal.control}
    maker = _Maker(task, season)
    for one, found in zip(named, own, strict=True):
        if found is not None:
            maker.add(one, found[1], controls.get(id(one.proposal)))
    return tuple(maker.made)


def _proposed(task: str, scene: Scene, season: Season) -> Iterator[_Named]:
    hacks = sorted(attacks.HACKS, key=lambda name: (name not in _ALWAYS, season.seed(task, name)))
    drawn = {*hacks[:HACKS_PER_TASK], *process.OPERATORS}
    table = {**valid.kinds(), **invalid.OPERATORS, **attacks.kinds(), **process.kinds()}
    for name, (kind, make) in table.items():
        if not kind.is_attack or name in drawn:
            for proposal in make(scene, season.random(task, name)):
                yield _Named(name, proposal.kind or kind, proposal)


class _Maker:
    """Turns what was confirmed into cases with ids, once each."""

    def __init__(self, task: str, season: Season) -> None:
        self.task, self.season, self.made = task, season, list[Case]()
        self._seen: set[str] = set()
        self._numbers: Counter[str] = Counter()
        self._alike: Counter[tuple[str, tuple[str, ...]]] = Counter()

    def add(
        self, one: _Named, grounds: tuple[Ground, ...], control: tuple[Proposal, tuple[Ground, ...]] | None
    ) -> None:
        """A case, with its control where it is an attack; nothing where there are enough like it."""
        contents = [one.proposal.turns, *([one.proposal.control.turns] if one.proposal.control else [])]
        hashes = {content_hash({"turns": turns}) for turns in contents}
        about = (one.operator, tuple(ground.clause for ground in grounds))
        if hashes & self._seen or len(hashes) < len(contents):
            return
        if self._alike[about] >= _BOUNDS.get(one.operator, len(self.made) + 1):
            return
        if one.kind.is_attack and control is None:
            return
        self._seen |= hashes
        self._alike[about] += 1
        case = self._case(one.operator, one.kind, one.proposal, grounds)
        if control is not None:
            self._case(f"{one.operator}_control", CaseKind.ALTERNATIVE, *control, control_of=case.id)

    def _case(
        self,
        operator: str,
        kind: CaseKind,
        proposal: Proposal,
        grounds: tuple[Ground, ...],
        control_of: str | None = None,
    ) -> Case:
        content = {"turns": proposal.turns}
        validate(content)
        if not grounds:
            raise Inconsistent(f"{operator} on {self.task}: {proposal.note}: no clause is named")
        number = self._numbers[operator]
        self._numbers[operator] += 1
        case = Case(
            id=f"{self.task}#{operator}.{number}",
            task=self.task,
            kind=kind,
            content=content,
            operator=operator,
            grounds=grounds,
            control_of=control_of,
            seed=self.season.seed(self.task, operator.removesuffix("_control")),
        )
        self.made.append(case)
        return case
