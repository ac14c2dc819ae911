"""Operators that break a reply the way an honest attempt does: nothing, half of it, nearly right, or a call too many.

Each draft breaks the clause it cites by the public form alone: another verdict, another name, a key that is not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from ..misses import misses
from ..negatives import misspelt
from ..policies import Exact
from ..scene import Draft, sample_call
from .form import Why
from .scene import ReplyScene, wrong
from .spec import NOTE

_SAID = (None, "I am sorry, I cannot help with that.", "Could you tell me more about what you need?")


def nothing(_scene: ReplyScene, _: Random) -> Iterator[Draft]:
    """No answer: silent, refusing, asking back."""
    for text in _SAID:
        yield wrong("answer.verdict", "`answer` gives no verdict", None, text)


def guessed(scene: ReplyScene, rng: Random) -> Iterator[Draft]:
    """The call of somebody who fills in, repairs or makes do, and no reply."""
    yield wrong("calls", "a call is made where none can be", None, None, [scene.guess(rng)])


def key_dropped(scene: ReplyScene, _: Random) -> Iterator[Draft]:
    """One key of the answer left out."""
    for key in scene.answer:
        yield wrong(f"answer.{key}", f"{key} is missing", scene.without(key))


def name_dropped(scene: ReplyScene, _: Random) -> Iterator[Draft]:
    """One name left out."""
    for key, some in _details(scene):
        for name in some:
            yield wrong(f"answer.{key}", f"{name} is missing", scene.put(key, _less(some, name)))


def other_verdict(scene: ReplyScene, _: Random) -> Iterator[Draft]:
    """Another verdict, alone and in the place of the right one; the right one misspelt."""
    for why in Why:
        if why is not scene.reply.why:
            note = f"{why.value} instead of {scene.reply.why.value}"
            yield wrong("answer.verdict", note, {"verdict": why.value}, "This is why.")
            yield wrong("answer.verdict", note, scene.put("verdict", why.value))
    text = scene.reply.why.value
    for other in (text.replace("_", " "), text.upper()):
        yield wrong("answer.verdict", f"{other!r} is no verdict of the form", scene.put("verdict", other))


def other_tool(scene: ReplyScene, rng: Random) -> Iterator[Draft]:
    """Another tool of the list, and the right one misspelt."""
    if scene.reply.tool is not None:
        others = scene.other_tools()
        spoilt = (misspelt(scene.reply.tool), f"{scene.reply.tool}_v2")
        for name in [*rng.sample(others, min(2, len(others))), *spoilt]:
            yield wrong("answer.tool", f"{name} instead of {scene.reply.tool}", scene.put("tool", name))


def name_added(scene: ReplyScene, rng: Random) -> Iterator[Draft]:
    """A name more than is concerned: another parameter, and a right one misspelt beside itself."""
    for key, some in _details(scene):
        others = scene.other_names()
        for other in ([rng.choice(others)] if others else []) + [misspelt(next(iter(some)))]:
            yield wrong(f"answer.{key}", f"{other} is not concerned", scene.put(key, _more(some, other)))


def other_name(scene: ReplyScene, rng: Random) -> Iterator[Draft]:
    """Another parameter in the place of a right one, or the right one misspelt."""
    for key, some in _details(scene):
        for name in some:
            others = scene.other_names()
            for other in ([rng.choice(others)] if others else []) + [misspelt(name)]:
                yield wrong(f"answer.{key}", f"{other} instead of {name}", scene.put(key, _renamed(some, name, other)))


def other_value(scene: ReplyScene, rng: Random) -> Iterator[Draft]:
    """A value that is not what the user wrote."""
    for name, value in scene.reply.values.items():
        for miss in list(misses(Exact(value), {}, [value], rng))[:2]:
            values = {**scene.reply.values, name: miss.value}
            yield wrong("answer.values", f"{name}: {miss.note}", scene.put("values", values))


def flat_detail(scene: ReplyScene, _: Random) -> Iterator[Draft]:
    """The names as one text instead of the form's list or object."""
    for key, some in _details(scene):
        yield wrong(f"answer.{key}", f"{key} is a text", scene.put(key, ", ".join(some)))


def unlisted_key(scene: ReplyScene, _: Random) -> Iterator[Draft]:
    """A key the form does not have, and a note that is no text."""
    yield wrong("answer", "the form has no key `reason`", scene.put("reason", "see the conversation"))
    yield wrong("answer", "a note is a text", scene.put(NOTE, ["see the conversation"]))


def also_called(scene: ReplyScene, rng: Random) -> Iterator[Draft]:
    """The right reply, and a call."""
    calls = [sample_call(tool, rng) for tool in rng.sample(scene.brief.tools, min(2, len(scene.brief.tools)))]
    for call in [scene.guess(rng), *calls]:
        yield wrong("calls", f"{call['name']} is called besides", scene.answer, None, [call])


def _details(scene: ReplyScene) -> Iterator[tuple[str, Any]]:
    if scene.reply.parameters:
        yield "parameters", list(scene.reply.parameters)
    if scene.reply.values:
        yield "values", dict(scene.reply.values)


def _less(some: Any, name: str) -> Any:
    if isinstance(some, dict):
        return {key: value for key, value in some.items() if key != name}
    return [each for each in some if each != name]


def _more(some: Any, name: str) -> Any:
    return {**some, name: next(iter(some.values()))} if isinstance(some, dict) else [*some, name]


def _renamed(some: Any, name: str, other: str) -> Any:
    if isinstance(some, dict):
        return {other if key == name else key: value for key, value in some.items()}
    return [other if each == name else each for each in some]
