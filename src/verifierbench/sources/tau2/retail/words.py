"""What is said at the shop beside what all domains say: who changes items is reminded to have named all of them."""

from __future__ import annotations

from collections.abc import Iterator

from verifierbench.families.state.operators import Variant

from .. import talking
from ..scene import Scene
from ..wording import plain
from .rules import ITEMS

REMINDER = "Please also make sure that these are all the items you want to change."


def asking(scene: Scene) -> str:
    """The question for consent, its names marked."""
    return talking.asking(scene.row, _remind(scene))


def question(scene: Scene) -> str:
    """The question in other words."""
    return talking.question(scene.row, _remind(scene))


def vague(ask: str) -> Iterator[Variant]:
    """The question with one name left out, and without the reminder."""
    yield from talking.vague(ask)
    if REMINDER in ask:
        yield Variant("ask", plain(ask).replace(f"{REMINDER} ", ""), "reminded", "no word about all items")


def other_words(scene: Scene) -> Iterator[Variant]:
    """Messages in other words, from all tasks and from this one."""
    yield from talking.other_words(scene.row, _remind(scene))


def _remind(scene: Scene) -> str:
    return f"{REMINDER} " if any(each["name"] in ITEMS for each in scene.played.calls) else ""
