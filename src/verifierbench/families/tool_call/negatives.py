"""Operators that break a solution the way an honest attempt does: nothing done, half done, nearly right, or too much.

Every draft breaks the clause it cites whatever else is true of the task: see `Scene.rivals` and `unlike` for how.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from random import Random
from typing import Any

from .misses import Miss, misses, unlisted
from .policies import Date, Exact, Fits, ListOf, ObjectOf, OneOf, SetOf
from .scene import Draft, Scene, Site, breaks, disjoint, draft, known, rights, sample_call, unlike
from .valid import Make

_PER_TASK = 2
"""How many places a rarely needed slip is tried at; the closest slip of each argument is always made."""

_EVERYWHERE = frozenset(
    {"element_changed", "element_added", "list_reversed", "leaf_changed", "key_dropped", "key_added"}
)
"""Slips inside a list or an object: each of its parts is a place of its own, and each slip is made."""

_FARTHER = frozenset({"one_letter"})
"""Slips never taken for the closest: `text_extended` is at each of their places already."""


def nothing(scene: Scene, _: Random) -> Iterator[Draft]:
    """No call: silent, refusing, and asking back."""
    said = (None, "I am sorry, I cannot help with that.", "Could you tell me more about what you need?")
    for text in said if scene.spec.calls else ():
        yield draft([], breaks("call1", "nothing is called"), text)


def tempted(scene: Scene, _: Random) -> Iterator[Draft]:
    """The call a careless solver makes where no tool fits."""
    for temptation in scene.spec.temptations if not scene.spec.calls else ():
        yield draft([temptation.call], breaks("calls", temptation.why))


def call_dropped(scene: Scene, _: Random) -> Iterator[Draft]:
    """One of several due calls left out."""
    if len(scene.spec.calls) > 1:
        for place, call in enumerate(scene.spec.calls):
            calls = scene.calls
            del calls[place]
            yield draft(calls, breaks(f"call{place + 1}", f"the call of {call.tool} is missing"))


def argument_dropped(scene: Scene, _: Random) -> Iterator[Draft]:
    """Each argument that must be stated, left out."""
    for site in scene.sites():
        if _always_due(scene, site):
            yield draft(scene.without(site), breaks(site.clause, f"{site.name} is missing"))


def _always_due(scene: Scene, site: Site) -> bool:
    """Whether neither this call nor one that could stand in for it may leave the argument out."""
    parts = [known(scene.spec.calls[place]).get(site.name) for place in scene.rivals(site.call)]
    return all(part is not None and not part.may_omit for part in parts)


def text_extended(scene: Scene, _: Random) -> Iterator[Draft]:
    """Each right text with words more; a date has its neighbours, and what is open has none."""
    for site in scene.sites(stated=None):
        value = site.part.gold
        if isinstance(value, str) and not isinstance(site.part.policy, Date | Fits):
            other = f"{value} as well"
            if unlike(other, scene.taken(site)):
                note = f"{other!r} instead of {value!r}, and a text is compared as a whole (C9)"
                yield draft(scene.put(site, other), breaks(site.clause, note))


def slip(operator: str) -> Make:
    """A nearly right value of this kind: at every place where it is the closest slip, at a few where it is not."""

    def make(scene: Scene, rng: Random) -> Iterator[Draft]:
        farther = []
        for site in scene.sites(stated=None):
            found = slips(scene, site, rng)
            mine = [_missed(scene, site, miss) for miss in found if miss.operator == operator]
            if operator in _EVERYWHERE:
                yield from mine
            elif found and found[0].operator == operator and operator not in _FARTHER:
                yield mine[0]
            else:
                farther += mine[:1]
        yield from _some(farther, rng)

    return make


def slips(scene: Scene, site: Site, rng: Random) -> list[Miss]:
    """The nearly right values of an argument that are certainly wrong there, the closest first."""
    policy = site.part.policy
    if isinstance(policy, ListOf | SetOf | ObjectOf) and scene.rivals(site.call) != (site.call,):
        return []
    return list(misses(policy, site.schema, scene.taken(site), rng))


def enum_twin(scene: Scene, _: Random) -> Iterator[Draft]:
    """Another member of an enumeration whose letter case alone tells it from the right one."""
    for site in scene.sites():
        right = site.part.gold
        if not isinstance(right, str) or not isinstance(site.part.policy, Exact):
            continue
        others = (
            each for each in site.schema.get("enum", ()) if isinstance(each, str) and each not in scene.taken(site)
        )
        for other in others:
            if other.casefold() == right.casefold():
                note = f"{other!r} instead of {right!r}, and members are compared character by character (C9)"
                yield draft(scene.put(site, other), breaks(site.clause, note))


def arguments_swapped(scene: Scene, rng: Random) -> Iterator[Draft]:
    """Two arguments of one call in each other's place."""
    pairs = [(one, other) for one, other in combinations(scene.sites(), 2) if _swappable(scene, one, other)]
    for one, other in _some(pairs, rng):
        calls = scene.put(one, other.part.gold)
        calls[other.call]["arguments"][other.name] = one.part.gold
        yield draft(calls, breaks(one.clause, f"{one.name} and {other.name} are swapped"))


def values_exchanged(scene: Scene, rng: Random) -> Iterator[Draft]:
    """One argument exchanged between two calls of the same tool that differ elsewhere too."""
    pairs = [(a, b) for a, b in combinations(scene.sites(), 2) if a.call != b.call and a.name == b.name]
    for one, other in _some([pair for pair in pairs if _exchangeable(scene, *pair)], rng):
        calls = scene.put(one, other.part.gold)
        calls[other.call]["arguments"][other.name] = one.part.gold
        yield draft(calls, breaks(one.clause, f"{one.name} has the value of another call"))


def wrong_tool(scene: Scene, rng: Random) -> Iterator[Draft]:
    """Another tool of the list, or its name misspelt where the list has no other, with the right arguments."""
    for place, call in enumerate(scene.spec.calls):
        others = [tool["name"] for tool in scene.unused()]
        name = rng.choice(others) if others else misspelt(call.tool)
        calls = scene.calls
        calls[place]["name"] = name
        yield draft(calls, breaks(f"call{place + 1}", f"{name} is called instead of {call.tool}"))


def argument_added(scene: Scene, _: Random) -> Iterator[Draft]:
    """An argument beside the due ones: an optional one nobody determined, or one the definition does not list.

    Where a definition speaks of a default anywhere, an invented value might be that default, so none is made up.
    """
    for place, call in enumerate(scene.spec.calls):
        properties = scene.brief.parameters(call.tool).get("properties", {})
        open_ones = {name: part for name, part in properties.items() if name not in known(call)}
        name = next((n for n, part in open_ones.items() if "default" not in repr(part).lower()), None)
        added = name or unlisted(properties)
        calls = scene.calls
        calls[place]["arguments"][added] = _invented(properties[name]) if name else "as requested"
        yield draft(calls, breaks(f"call{place + 1}.arguments", f"{added} was not asked for"))


def unrequested_call(scene: Scene, rng: Random) -> Iterator[Draft]:
    """All that is due, and a further call that changes something nobody asked to change."""
    if not scene.spec.calls:
        return
    extra = [temptation.call for temptation in scene.spec.temptations if temptation.span is None]
    extra += [sample_call(tool, rng) for tool in _some(scene.unused(), rng)]
    for call in extra or list(_altered(scene, rng)):
        yield draft([*scene.calls, call], breaks("calls", f"{call['name']} is called besides, which nobody asked for"))


def order_violated(scene: Scene, _: Random) -> Iterator[Draft]:
    """The due calls with one that must come first moved behind."""
    for place, (first, then) in enumerate(scene.orders()):
        order = list(range(len(scene.spec.calls)))
        order[first], order[then] = order[then], order[first]
        note = f"{scene.spec.calls[then].tool} stands before {scene.spec.calls[first].tool}"
        yield draft([scene.calls[each] for each in order], breaks(f"order{place + 1}", note))


def forbidden_call(scene: Scene, _: Random) -> Iterator[Draft]:
    """All that is due, and a call the instruction forbids."""
    for temptation in scene.spec.temptations:
        if temptation.span is not None and scene.spec.calls:
            yield draft([*scene.calls, temptation.call], breaks("calls", temptation.why))


def _altered(scene: Scene, rng: Random) -> Iterator[dict[str, Any]]:
    """A due call once more with a value nobody asked for."""
    for site in scene.sites():
        for miss in slips(scene, site, rng)[:1]:
            yield scene.put(site, miss.value)[site.call]
            return


def _missed(scene: Scene, site: Site, miss: Miss) -> Draft:
    return draft(scene.put(site, miss.value), breaks(site.clause, miss.note))


def _some(places: list[Any], rng: Random) -> list[Any]:
    return places if len(places) <= _PER_TASK else rng.sample(places, _PER_TASK)


def _swappable(scene: Scene, one: Site, other: Site) -> bool:
    if (
        one.call != other.call
        or type(one.part.gold) is not type(other.part.gold)
        or scene.rivals(one.call) != (one.call,)
    ):
        return False
    return unlike(one.part.gold, rights(other.part.policy)) and unlike(other.part.gold, rights(one.part.policy))


def _exchangeable(scene: Scene, one: Site, other: Site) -> bool:
    """Whether an exchange certainly leaves a due call unmade: these two alone share the tool and differ twice."""
    left, right = scene.spec.calls[one.call], scene.spec.calls[other.call]
    if left.tool != right.tool or any(isinstance(p.policy, OneOf) for c in (left, right) for p in c.arguments.values()):
        return False
    shared = left.arguments.keys() & right.arguments.keys()
    apart = {n for n in shared if disjoint(rights(left.arguments[n].policy), rights(right.arguments[n].policy))}
    return one.name in apart and len(apart) > 1 and sum(c.tool == left.tool for c in scene.spec.calls) == 2


def misspelt(name: str) -> str:
    """A name with two letters in each other's place."""
    for one, other in pairwise(range(len(name))):
        if name[one] != name[other]:
            return name[:one] + name[other] + name[one] + name[other + 1 :]
    return f"{name}s"


def _invented(schema: dict[str, Any]) -> Any:
    """A value for an argument that nobody determined."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    values = {"integer": 2, "number": 2, "boolean": True, "array": [], "object": {}}
    return values.get(kind, "standard") if isinstance(kind, str) else "standard"
