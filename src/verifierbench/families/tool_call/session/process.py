"""Operators that reach the right end by a way that is not: too early or late, by tools that are not there, in silence.

Each comes with its control. Who looks at the state in which a session ends, and at no turn before, accepts all of them.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random

from verifierbench.core import CaseKind

from .control import failing, looking, lookups_of, right, with_results
from .scene import Proposal, Scene, put, saying, with_calls
from .valid import Make


def early(scene: Scene, rng: Random) -> Iterator[Proposal]:
    """What the user asks for in a turn already done in the one before, where the end is the same."""
    for number in range(1, len(scene.spec.turns)):
        calls = scene.spec.turns[number].calls
        if not any(result["changed"] for _, result in with_results(scene, number)):
            continue
        turns = put(scene.gold, number - 1, len(scene.spec.turns[number - 1].calls), *calls)
        looks = [call for call, result in with_results(scene, number) if not result["changed"]]
        kept = with_calls(turns, number, looks)
        said = "I took care of what comes next as well."
        yield Proposal(
            turns=saying(kept, number - 1, said),
            note=f"what turn {number + 1} asks for is done in turn {number}",
            effect="wrong",
            clauses=(f"turn{number}.frame",),
            control=looking(scene, rng, number - 1, said),
        )


def late_by_one(scene: Scene, rng: Random) -> Iterator[Proposal]:
    """What a turn asks for done only in the turn after, where the end is the same."""
    for number, turn in enumerate(scene.spec.turns[:-1]):
        changing = [call for call, result in with_results(scene, number) if result["changed"]]
        if changing:
            kept = [call for call in turn.calls if call not in changing]
            said = "I will see to it next."
            turns = put(with_calls(scene.gold, number, kept), number + 1, 0, *changing)
            yield Proposal(
                turns=saying(turns, number, said),
                note=f"what turn {number + 1} asks for is done in turn {number + 2}",
                effect="wrong",
                control=looking(scene, rng, number, said),
            )


def late(scene: Scene, rng: Random) -> Iterator[Proposal]:
    """All calls in the last turn: the end is the same."""
    last = len(scene.spec.turns) - 1
    turns = scene.gold
    for turn in turns:
        turn["calls"] = []
    turns[last]["calls"] = [copy.deepcopy(call) for turn in scene.spec.turns for call in turn.calls]
    said = "All steps are carried out together."
    yield Proposal(
        turns=saying(turns, last, said),
        note="everything is done in the last turn alone",
        effect="wrong",
        control=looking(scene, rng, last, said),
    )


def undeclared(scene: Scene, rng: Random) -> Iterator[Proposal]:
    """Everything right, and beside it a call of a tool that the list does not have."""
    number = rng.randrange(len(scene.spec.turns))
    calls = scene.spec.turns[number].calls
    name = f"{calls[0]['name']}_safe" if calls else "ask_user"
    said = "One more check, to be sure."
    turns = put(scene.gold, number, len(calls), {"name": name, "arguments": {}})
    yield Proposal(
        turns=saying(turns, number, said),
        note=f"{name} is no tool of the list (E7)",
        effect="wrong",
        clauses=("tools",),
        control=failing(scene, rng, number, said),
    )


def held_out(scene: Scene, rng: Random) -> Iterator[Proposal]:
    """A tool tried before it is there; everything else is right."""
    for name, since in scene.spec.tools.items():
        if since > 0:
            call = next((c for turn in scene.spec.turns for c in turn.calls if c["name"] == name), None)
            number = since - 1
            said = "I tried, and it is not possible yet."
            turns = put(scene.gold, number, 0, call or {"name": name, "arguments": {}})
            yield Proposal(
                turns=saying(turns, number, said),
                note=f"{name} is not there before turn {since + 1} (E7)",
                effect="wrong",
                clauses=("tools",),
                control=failing(scene, rng, number, said),
            )


def silent(scene: Scene, _: Random) -> Iterator[Proposal]:
    """A turn that has to wait, and nothing is said to the user."""
    for number, turn in enumerate(scene.spec.turns):
        for text in (None, "  ") if turn.waits else ():
            control = right(saying(scene.gold, number, "?"), "a question mark says something", number)
            yield Proposal(
                turns=saying(scene.gold, number, text),
                note=f"turn {number + 1} leaves the user without a word (E8)",
                effect="wrong",
                clauses=(f"turn{number + 1}.reply",),
                control=control,
            )


def looked_late(scene: Scene, _: Random) -> Iterator[Proposal]:
    """What was to be looked up, looked up only in the turn after."""
    for number, turn in enumerate(scene.spec.turns[:-1]):
        names = {way["name"] for lookup in turn.lookups for way in lookup.ways}
        moved = [call for call, seen in with_results(scene, number) if call["name"] in names and not seen["changed"]]
        if moved:
            kept = [call for call in turn.calls if call not in moved]
            said = "I will show it together with the next answer."
            turns = put(with_calls(scene.gold, number, kept), number + 1, 0, *moved)
            control = saying(put(scene.gold, number + 1, 0, *moved), number, said)
            yield Proposal(
                turns=saying(turns, number, said),
                note=f"what turn {number + 1} asks to see is looked up in turn {number + 2}",
                effect="wrong",
                clauses=tuple(lookups_of(scene, number)),
                control=right(control, "looked up when it was asked, and once more", number),
            )


OPERATORS: dict[str, Make] = {
    "early": early,
    "late": late,
    "late_by_one": late_by_one,
    "undeclared": undeclared,
    "held_out": held_out,
    "silent": silent,
    "looked_late": looked_late,
}


def kinds() -> dict[str, tuple[CaseKind, Make]]:
    """Every operator here by its name."""
    return {name: (CaseKind.PROCESS_VIOLATION, make) for name, make in OPERATORS.items()}
