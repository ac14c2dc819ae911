"""Operators that keep a reply right: what the form leaves free."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from verifierbench.core import Ground

from ..scene import Draft, uses
from .scene import ReplyScene, replied
from .spec import NOTE

_SAID = (
    "I cannot do this yet; see the answer.",
    "Das geht so leider nicht.",
    "I looked at every tool of the list and called none of them. Tell me if you want to go on in another way.",
    "",
    "OK",
)
_NOTES = ("I called nothing.", "Bitte prüfen und noch einmal fragen.")


def gold(scene: ReplyScene, _: Random) -> Iterator[Draft]:
    """The reply as the spec writes it."""
    yield Draft(content=replied(scene.answer), grounds=scene.every("gold meets it"))


def wording(scene: ReplyScene, _: Random) -> Iterator[Draft]:
    """Another message: a short one, a long one, another language."""
    for text in _SAID:
        yield Draft(content=replied(scene.answer, text), grounds=uses("calls", "the wording of `message` is free (C2)"))


def named(scene: ReplyScene, _: Random) -> Iterator[Draft]:
    """A message that names the tools and makes no call."""
    text = "I did not call " + ", ".join(tool["name"] for tool in scene.brief.tools) + "."
    yield Draft(content=replied(scene.answer, text), grounds=uses("calls", "what the message says makes no call (C2)"))


def key_order(scene: ReplyScene, _: Random) -> Iterator[Draft]:
    """The keys of the answer in reverse."""
    answer = dict(reversed(scene.answer.items()))
    if len(answer) > 1:
        yield Draft(content=replied(answer), grounds=uses("answer", "the order of keys is free (C6)"))


def noted(scene: ReplyScene, _: Random) -> Iterator[Draft]:
    """A note beside the keys of the form."""
    for text in _NOTES:
        content = replied(scene.put(NOTE, text))
        yield Draft(content=content, grounds=uses("answer", "a note of the solver's own may stand beside the others"))


def name_order(scene: ReplyScene, _: Random) -> Iterator[Draft]:
    """The names, or the values by name, in another order."""
    for key, turned in _turned(scene):
        note = f"the order of {key} is free"
        yield Draft(content=replied(scene.put(key, turned)), grounds=uses(f"answer.{key}", note))


def all_freedoms(scene: ReplyScene, _: Random) -> Iterator[Draft]:
    """Everything that is free, used at once."""
    answer = scene.put(NOTE, "As far as I can see.")
    for key, turned in _turned(scene):
        answer[key] = turned
    grounds = tuple(Ground(clause=clause, note="every freedom at once") for clause in ("calls", "answer"))
    yield Draft(content=replied(dict(reversed(answer.items())), "Here is why."), grounds=grounds)


def _turned(scene: ReplyScene) -> Iterator[tuple[str, object]]:
    if len(scene.reply.parameters) > 1:
        yield "parameters", list(reversed(scene.reply.parameters))
    if len(scene.reply.values) > 1:
        yield "values", dict(reversed(list(scene.reply.values.items())))
