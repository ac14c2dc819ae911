"""Operators that keep a solution right: presentation (cosmetic) and another way to the same answer (alternative).

Each draft names the freedom it uses and the clause around which that freedom lies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeAlias

from verifierbench.core import Ground

from .content import solution
from .freedoms import freedoms
from .scene import Draft, Scene, draft, uses, written

Make: TypeAlias = Callable[[Scene, Random], Iterator[Draft]]

_SAID = (
    "Done.",
    "Alles erledigt, gern wieder!",
    "I read your request, picked what fits from the list and made no other change. Tell me if something should differ.",
)
_DECLINED = (
    "I cannot do that with the tools I have.",
    "Das geht mit den vorhandenen Werkzeugen leider nicht.",
    "None of the available tools covers this, so I have called nothing. If you tell me another way to help, I will.",
    "",
    "OK",
)


def gold(scene: Scene, _: Random) -> Iterator[Draft]:
    """The answer as the spec writes it."""
    yield draft(scene.calls, scene.every("gold meets it"))


def by_value(operator: str) -> Make:
    """Every rewriting of a stated argument's value that goes by this name."""

    def make(scene: Scene, _: Random) -> Iterator[Draft]:
        for site in scene.sites():
            for found in freedoms(site.part.policy):
                if found.operator == operator:
                    yield draft(scene.put(site, found.value), uses(site.clause, found.note))

    return make


def argument_order(scene: Scene, _: Random) -> Iterator[Draft]:
    """The arguments of every call in reverse."""
    calls = [{**call, "arguments": dict(reversed(call["arguments"].items()))} for call in scene.calls]
    if any(len(call["arguments"]) > 1 for call in calls):
        note = "arguments stand in another order, which is free (C6)"
        yield draft(calls, tuple(Ground(clause=site.clause, note=note) for site in scene.sites()))


def member_order(scene: Scene, _: Random) -> Iterator[Draft]:
    """`arguments` before `name` in every call."""
    if calls := [{"arguments": call["arguments"], "name": call["name"]} for call in scene.calls]:
        yield draft(calls, uses("call1", "the keys of an object stand in any order (C6)"))


def wording(scene: Scene, _: Random) -> Iterator[Draft]:
    """Another message: a short one, a long one, another language."""
    for text in _SAID if scene.spec.calls else _DECLINED:
        yield draft(scene.calls, uses("calls", "the wording of `message` is free (C2)"), text)


def narrated(scene: Scene, _: Random) -> Iterator[Draft]:
    """A message that repeats the calls it makes, or names the tools it did not use."""
    names = ", ".join(tool["name"] for tool in scene.brief.tools)
    made, seen = f"I made these calls:\n{written(scene.calls)}", f"I looked at {names}; none of them fits."
    text = made if scene.spec.calls else seen
    yield draft(scene.calls, uses("calls", "what the message says makes no call (C2)"), text)


def answered(scene: Scene, _: Random) -> Iterator[Draft]:
    """A structured reply nobody asked for; it is not judged."""
    content = solution(scene.calls, "See below.", {"status": "finished", "calls": len(scene.calls)})
    yield Draft(content=content, grounds=uses("calls", "the wording of `answer` is free (C2)"))


def call_order(scene: Scene, rng: Random) -> Iterator[Draft]:
    """The calls in other orders than gold's that keep every stated order: from the back, and at random."""
    seen = [list(range(len(scene.spec.calls)))]
    shuffled = seen[0][:]
    rng.shuffle(shuffled)
    for wish in (seen[0][::-1], shuffled):
        order = _keeping(wish, scene.orders())
        if order not in seen:
            seen.append(order)
            note = "the order of these calls is free (C6)"
            grounds = tuple(Ground(clause=f"call{place + 1}", note=note) for place in order)
            yield draft([scene.calls[place] for place in order], grounds)


def default_stated(scene: Scene, _: Random) -> Iterator[Draft]:
    """Every optional argument left open, stated at its documented default; one by one, then all at once."""
    sites = list(scene.sites(stated=False))
    for site in sites:
        yield draft(scene.put(site, site.part.gold), uses(site.clause, "stated at its documented default (C8)"))
    calls = scene.calls
    for site in sites:
        calls[site.call]["arguments"] |= {site.name: site.part.gold}
    if len(sites) > 1:
        note = "all optional arguments stated at their defaults (C8)"
        yield draft(calls, tuple(Ground(clause=site.clause, note=note) for site in sites))


def default_omitted(scene: Scene, _: Random) -> Iterator[Draft]:
    """An argument whose right value is its documented default, left out."""
    for site in scene.sites():
        if site.part.may_omit:
            yield draft(scene.without(site), uses(site.clause, "left out at its documented default (C8)"))


def all_freedoms(scene: Scene, _: Random) -> Iterator[Draft]:
    """Everything that is free, used at once: calls and arguments turned round, values rewritten, defaults stated."""
    calls, grounds = scene.calls, []
    for site in scene.sites(stated=None):
        found = next(freedoms(site.part.policy), None)
        if found is not None or not site.stated:
            calls[site.call]["arguments"][site.name] = found.value if found is not None else site.part.gold
            grounds.append(Ground(clause=site.clause, note=found.note if found is not None else "default stated (C8)"))
    order = _keeping(list(range(len(calls)))[::-1], scene.orders())
    turned = [_turned(calls[place]) for place in order]
    if grounds:
        yield draft(turned, tuple(grounds), "All taken care of.")


def _turned(call: dict[str, Any]) -> dict[str, Any]:
    return {"name": call["name"], "arguments": dict(reversed(call["arguments"].items()))}


def _keeping(wish: list[int], orders: list[tuple[int, int]]) -> list[int]:
    """The wished order as far as the stated orders allow: again and again the first that waits for nothing."""
    left, done = list(wish), []
    while left:
        ready = (place for place in left if not any(then == place and first in left for first, then in orders))
        place = next(ready, left[0])
        left.remove(place)
        done.append(place)
    return done
