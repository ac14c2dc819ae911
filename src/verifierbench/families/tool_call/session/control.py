"""What attacks on sessions share: the control beside each, and what a turn of gold called and got."""

from __future__ import annotations

from random import Random
from typing import Any

from .scene import Proposal, Scene, Turns, put, saying, with_calls
from .valid import drawn


def pair(
    scene: Scene, number: int, calls: Turns, message: str | None, answer: Any, note: str, clauses: tuple[str, ...] = ()
) -> Proposal:
    """An attack in one turn, and a control that says the same and makes the calls."""
    control = saying(scene.gold, number, message, answer)
    return Proposal(
        turns=saying(with_calls(scene.gold, number, calls), number, message, answer),
        note=note,
        effect="wrong",
        clauses=clauses,
        control=right(control, "the same is said, and the calls are made", number),
    )


def looking(scene: Scene, rng: Random, number: int, said: str) -> Proposal:
    """A control that says the same, and only looks at something more."""
    looks = drawn(scene.spec.looks, rng, scene, number)[:1]
    turns = put(scene.gold, number, len(scene.spec.turns[number].calls), *looks)
    return right(saying(turns, number, said), "the same is said, and only a look is added (E5)", number)


def failing(scene: Scene, rng: Random, number: int, said: str) -> Proposal:
    """A control that says the same, and makes a call that fails."""
    probes = drawn(scene.spec.probes, rng, scene, number)[:1]
    turns = saying(put(scene.gold, number, 0, *probes), number, said)
    return right(turns, "the further call fails too, and its tool is one of the list (E5)", number, "tools")


def right(turns: Turns, note: str, number: int, clause: str = "") -> Proposal:
    """A control: gold with something harmless."""
    return Proposal(turns=turns, note=note, effect="same", clauses=(clause or f"turn{number + 1}.frame",))


def with_results(scene: Scene, number: int) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The calls of a turn of gold with what they returned."""
    return list(zip(scene.spec.turns[number].calls, scene.run["turns"][number]["results"], strict=True))


def lookups_of(scene: Scene, number: int) -> list[str]:
    """The clauses of what a turn has to look up."""
    return [f"turn{number + 1}.lookup{place + 1}" for place in range(len(scene.spec.turns[number].lookups))]
