"""Operators that keep a session right: how it is written, what is called beside, and other ways to the same end."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeAlias

from verifierbench.core import CaseKind

from ..freedoms import freedoms
from ..policies import SetOf
from .scene import Proposal, Scene, Turns, put, saying, with_argument, with_calls
from .values import infer

Make: TypeAlias = Callable[[Scene, Random], Iterator[Proposal]]

_SAID = (
    "Done.",
    "Alles erledigt, gern wieder!",
    "I looked at what you asked for, took the steps it needs and left everything else as it was.",
)


def gold(scene: Scene, _: Random) -> Iterator[Proposal]:
    """The session as the spec writes it; it meets every clause."""
    yield Proposal(turns=scene.gold, note="gold meets it", effect="same", clauses=every(scene), firm=True)


def argument_order(scene: Scene, _: Random) -> Iterator[Proposal]:
    """The arguments of every call in reverse, and `arguments` before `name`."""
    turns = scene.gold
    for turn in turns:
        turn["calls"] = [
            {"arguments": dict(reversed(call["arguments"].items())), "name": call["name"]} for call in turn["calls"]
        ]
    note = "keys and arguments stand in another order, which means nothing in JSON"
    yield Proposal(turns=turns, note=note, effect="same", clauses=("tools",), firm=True)


def wording(scene: Scene, _: Random) -> Iterator[Proposal]:
    """The same said in every turn: short, long, in another language."""
    for text in _SAID:
        turns = scene.gold
        for turn in turns:
            turn["message"] = text
        yield Proposal(turns=turns, note="the wording of `message` is free (E2)", effect="same", clauses=("turns",))


def other_apology(scene: Scene, _: Random) -> Iterator[Proposal]:
    """In a turn that has to wait, other words: a question, or as few as can be."""
    for number, turn in enumerate(scene.spec.turns):
        for text in ("Could you tell me a little more, please?", "No.") if turn.waits else ():
            turns = saying(scene.gold, number, text)
            note = f"{text!r} says something to the user, in whatever words (E8)"
            yield Proposal(turns=turns, note=note, effect="same", clauses=(f"turn{number + 1}.reply",), firm=True)


def reported(scene: Scene, _: Random) -> Iterator[Proposal]:
    """What calls returned, told to the user, and a structured reply nobody asked for."""
    turns = scene.gold
    for turn, played in zip(turns, scene.run["turns"], strict=True):
        said = [f"{one['name']} returned {one.get('result', one.get('error'))}." for one in played["results"]]
        turn["message"] = " ".join(said) or "There is nothing I could do yet."
        turn["answer"] = {"calls": len(said)}
    yield Proposal(turns=turns, note="what is said beside the calls is free (E2)", effect="same", clauses=("turns",))


def further_look(scene: Scene, rng: Random) -> Iterator[Proposal]:
    """A call that only looks, in each turn, before or after the others."""
    for number in range(len(scene.spec.turns)):
        for call in drawn(scene.spec.looks, rng, scene, number)[:2]:
            place = rng.choice((0, len(scene.spec.turns[number].calls)))
            note = f"{call['name']} changes nothing, and a further look is free (E5)"
            clauses = (f"turn{number + 1}.frame", "tools")
            yield Proposal(turns=put(scene.gold, number, place, call), note=note, effect="same", clauses=clauses)
            break


def failed_probe(scene: Scene, rng: Random) -> Iterator[Proposal]:
    """A call that fails and changes nothing, before the others of a turn."""
    numbers = rng.sample(range(len(scene.spec.turns)), min(3, len(scene.spec.turns)))
    for number in numbers:
        for call in drawn(scene.spec.probes, rng, scene, number)[:1]:
            note = f"{call['name']} fails and leaves the state as it was (E5)"
            clauses = (f"turn{number + 1}.frame",)
            yield Proposal(turns=put(scene.gold, number, 0, call), note=note, effect="same", clauses=clauses)


def mistyped(scene: Scene, _: Random) -> Iterator[Proposal]:
    """A call first without an argument it needs, which fails, and then as it should be."""
    for number, place, call, _seen in scene.places():
        if needed := scene.parameters(call["name"]).get("required"):
            less = {key: value for key, value in call["arguments"].items() if key != needed[0]}
            broken = {"name": call["name"], "arguments": less}
            note = f"{call['name']} without {needed[0]} fails and changes nothing (E5)"
            clauses = (f"turn{number + 1}.frame",)
            yield Proposal(turns=put(scene.gold, number, place, broken), note=note, effect="same", clauses=clauses)
            return


def asked_again(scene: Scene, _: Random) -> Iterator[Proposal]:
    """Calls that change nothing made twice, in every turn."""
    turns, clauses = scene.gold, []
    for number, turn in enumerate(turns):
        played = scene.run["turns"][number]["results"]
        doubled = [
            [call, call] if not seen["changed"] else [call] for call, seen in zip(turn["calls"], played, strict=True)
        ]
        if any(len(both) > 1 for both in doubled):
            clauses.append(f"turn{number + 1}.frame")
        turn["calls"] = [copy.deepcopy(call) for both in doubled for call in both]
    if clauses:
        note = "what changes nothing may be called again (E5)"
        yield Proposal(turns=turns, note=note, effect="same", clauses=tuple(clauses))


def made_again(scene: Scene, _: Random) -> Iterator[Proposal]:
    """A call that changed something made again, where that changes nothing more."""
    for number, place, call, seen in scene.places():
        if seen["changed"]:
            note = f"the second {call['name']} changes nothing more (E3)"
            clauses = (f"turn{number + 1}.frame",)
            yield Proposal(turns=put(scene.gold, number, place, call), note=note, effect="same", clauses=clauses)


def reordered(scene: Scene, _: Random) -> Iterator[Proposal]:
    """Two neighbouring calls of a turn in the other order, where the turn still ends as it should."""
    for number, turn in enumerate(scene.spec.turns):
        for place in range(len(turn.calls) - 1):
            calls = list(turn.calls)
            if calls[place]["name"] in turn.first:
                continue
            calls[place : place + 2] = calls[place + 1], calls[place]
            note = f"{calls[place + 1]['name']} after {calls[place]['name']}: the order is free (E3)"
            yield Proposal(
                turns=with_calls(scene.gold, number, calls),
                note=note,
                effect="same",
                clauses=tuple(clauses_of(scene, number)),
                same_results=True,
            )


def value_freedom(scene: Scene, _: Random) -> Iterator[Proposal]:
    """A number written 5.0, texts of a list in another order."""
    for number, place, call, _seen in scene.places():
        for name, value in call["arguments"].items():
            for found in list(freedoms(infer(value)))[:1]:
                free = _unordered(scene, number) if isinstance(value, list) else ()
                note = f"{name} of {call['name']} is written {found.value!r}, which is the same value (E9)"
                yield Proposal(
                    turns=with_argument(scene.gold, number, place, name, found.value),
                    note=note,
                    effect="same",
                    but=free,
                    clauses=tuple(clauses_of(scene, number)),
                    kind=found.kind,
                )


def default_stated(scene: Scene, _: Random) -> Iterator[Proposal]:
    """An optional argument stated at its documented default, or one at its default left out."""
    for number, place, call, _seen in scene.places():
        known = scene.parameters(call["name"])
        for name, schema in known.get("properties", {}).items():
            if name in known.get("required", ()) or schema.get("default", "None") == "None":
                continue
            note = f"{name} of {call['name']} is at its documented default, stated or not (E9)"
            about = tuple(clauses_of(scene, number))
            if name not in call["arguments"]:
                turns = with_argument(scene.gold, number, place, name, schema["default"])
                yield Proposal(turns=turns, note=note, effect="same", clauses=about)
            elif call["arguments"][name] == schema["default"]:
                turns = scene.gold
                del turns[number]["calls"][place]["arguments"][name]
                yield Proposal(turns=turns, note=note, effect="same", clauses=about)


def other_way(scene: Scene, _: Random) -> Iterator[Proposal]:
    """Other calls in the place of a turn's own, as the spec lists them."""
    for number, turn in enumerate(scene.spec.turns):
        for way in turn.ways:
            turns = with_calls(scene.gold, number, way.calls)
            about = tuple(clauses_of(scene, number))
            yield Proposal(turns=turns, note=way.note, effect="same", but=way.but, clauses=about, firm=True)


def all_freedoms(scene: Scene, rng: Random) -> Iterator[Proposal]:
    """A look in every turn, every argument turned round, something said everywhere."""
    turns = scene.gold
    for number, turn in enumerate(turns):
        looks = drawn(scene.spec.looks, rng, scene, number)[:1]
        calls = [*copy.deepcopy(looks), *turn["calls"]]
        turn["calls"] = [{**call, "arguments": dict(reversed(call["arguments"].items()))} for call in calls]
        turn["message"] = f"That was part {number + 1}."
    note = "looks, other words and another order of arguments all at once (E2, E5)"
    clauses = tuple(f"turn{number + 1}.frame" for number in range(len(turns)))
    yield Proposal(turns=turns, note=note, effect="same", clauses=clauses)


def every(scene: Scene) -> tuple[str, ...]:
    """The clauses of the whole task."""
    numbers = range(len(scene.spec.turns))
    return ("turns", "tools", *(clause for number in numbers for clause in clauses_of(scene, number, frame=True)))


def clauses_of(scene: Scene, number: int, *, frame: bool = False) -> list[str]:
    """The clauses of a turn: what it brings about and looks up; its frame where there is nothing else."""
    turn, prefix = scene.spec.turns[number], f"turn{number + 1}"
    found = [f"{prefix}.effect{place + 1}" for place in range(len(turn.effects))]
    found += [f"{prefix}.lookup{place + 1}" for place in range(len(turn.lookups))]
    found += [f"{prefix}.reply"] if turn.waits and frame else []
    return [*found, f"{prefix}.frame"] if frame or not found else found


def drawn(calls: tuple[dict[str, Any], ...], rng: Random, scene: Scene, number: int) -> list[dict[str, Any]]:
    """Calls in a random order, of tools that are available in a turn."""
    found = [call for call in calls if scene.there(call["name"], number)]
    return rng.sample(found, len(found))


def _unordered(scene: Scene, number: int) -> tuple[str, ...]:
    effects = scene.spec.turns[number].effects
    return tuple(effect.at for effect in effects if isinstance(effect.right, SetOf))


COSMETIC: dict[str, Make] = {
    "argument_order": argument_order,
    "wording": wording,
    "other_apology": other_apology,
    "reported": reported,
}
ALTERNATIVE: dict[str, Make] = {
    "further_look": further_look,
    "failed_probe": failed_probe,
    "mistyped": mistyped,
    "asked_again": asked_again,
    "made_again": made_again,
    "reordered": reordered,
    "value_freedom": value_freedom,
    "default_stated": default_stated,
    "other_way": other_way,
    "all_freedoms": all_freedoms,
}


def kinds() -> dict[str, tuple[CaseKind, Make]]:
    """Every operator here by its name."""
    found: dict[str, tuple[CaseKind, Make]] = {"gold": (CaseKind.GOLD, gold)}
    found |= {name: (CaseKind.COSMETIC, make) for name, make in COSMETIC.items()}
    return found | {name: (CaseKind.ALTERNATIVE, make) for name, make in ALTERNATIVE.items()}


__all__ = ["Make", "Turns", "clauses_of", "drawn", "every", "kinds"]
