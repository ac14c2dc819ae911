"""From drafts to cases: quotes filled in, effects confirmed by execution, ids given.

What a draft says its execution shows is tried here and must hold: a "valid" case that ends elsewhere than gold, or a
"regression" that changes nothing, stops the build. No checker and no reference takes part.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from verifierbench.core import Case, Inconsistent, Season

from .described import Described, Draft, end_state
from .script import render

Operator = Callable[[Described], Iterator[Draft]]


def cases(described: Described, season: Season, operators: Mapping[str, Operator]) -> tuple[Case, ...]:
    """Every case the operators make of a task; raises `Inconsistent` where one is not what its operator says."""
    goal = end_state(described, described.gold)
    numbers: Counter[str] = Counter()
    made: list[Case] = []

    def add(draft: Draft, control_of: str | None) -> Case:
        case = _case(described, draft, season, numbers, control_of)
        _confirm(described, draft, case.id, goal)
        made.append(case)
        return case

    for operator in operators.values():
        for draft in operator(described):
            attack = add(draft, None)
            if draft.control is not None:
                add(draft.control, attack.id)
    _distinct(made)
    return tuple(made)


def _case(described: Described, draft: Draft, season: Season, numbers: Counter[str], control_of: str | None) -> Case:
    number = numbers[draft.operator]
    numbers[draft.operator] += 1
    drawn = f"{draft.operator}.{number}"
    rng = season.random(described.task, drawn)
    invent = (lambda: _invented(described, rng)) if draft.invents else None
    events = render(draft.script, described.execute, invent)
    return Case(
        id=f"{described.task}#{drawn}",
        task=described.task,
        kind=draft.kind,
        content={"events": events, "answer": draft.answer},
        operator=draft.operator,
        grounds=draft.grounds,
        control_of=control_of,
        seed=season.seed(described.task, drawn) if draft.invents else None,
    )


def _invented(described: Described, rng: random.Random) -> str:
    if described.receipt is None:
        raise Inconsistent(f"{described.task} does not say what a receipt looks like")
    return described.receipt.format(rng.randrange(10000, 100000))


def _confirm(described: Described, draft: Draft, case: str, goal: object) -> None:
    if draft.effect != "free" and (end_state(described, draft.script) == goal) != (draft.effect == "same"):
        raise Inconsistent(f"{case}: its end state was to be {draft.effect}, and is not")


def _distinct(made: list[Case]) -> None:
    owner: dict[str, str] = {}
    for case in made:
        other = owner.setdefault(case.content_hash, case.id)
        if other != case.id:
            raise Inconsistent(f"{other} and {case.id} have the same content")
