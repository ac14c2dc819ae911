"""Attacks on a checker of tool calls, each with its matched control.

An attack aims at one comparison a careless checker leaves out or overdoes. Its control is valid and touches the same
surface (the same argument rewritten as the conventions allow, the same words in the free message), so that a checker
that turns the attack down for the wrong reason turns the control down as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec

from . import attacks_calls, attacks_values
from .control import plain_control
from .scene import Draft, Scene
from .valid import Make

HACKS: dict[str, Make] = {**attacks_values.HACKS, **attacks_calls.HACKS}
"""Operator name → maker; each draft has a control."""


def with_control(make: Make) -> Make:
    """An operator of wrong solutions as one of attacks: the control says the same about a right one."""

    def paired(scene: Scene, rng: Random) -> Iterator[Draft]:
        for number, wrong in enumerate(make(scene, rng), 1):
            text = f"Finished, in {len(wrong.content['turns'][0]['calls'])} steps (plan {number})."
            yield msgspec.structs.replace(_saying(wrong, text), control=plain_control(scene, text))

    return paired


def _saying(draft: Draft, text: str) -> Draft:
    (turn,) = draft.content["turns"]
    return msgspec.structs.replace(draft, content={"turns": [{**turn, "message": text}]})
