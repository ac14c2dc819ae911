"""Views nobody recorded: the views of a task's own cases, changed a little, to find where two judges part.

A view is JSON, and the generator knows nothing more of it. It deletes, repeats and moves the elements of lists, takes
keys away and adds them, puts a near value or one seen elsewhere in a value's place, edits the lines and words of a
text, and sets a part of one view into another. Where an element of one list repeats what an element of another says (a
call, and what the environment reports of it), both are changed alike (`echoes`), since a view in which they differ is
of little interest. Most changes are made where the judges look: at the values, keys and pointers that their parameters
name. What occurs in one view only is chosen as often as what occurs in all of them.

Everything is drawn from a seed, so the same task and mutant always meet the same views. What an environment would
really have returned is not known here: a generated view shows that two judges are different, not that a solution exists
which shows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

from .echoes import Echoes
from .edits import ABSENT, Edit, Path, apply, at_path, near, reworded

_ALONE, _ROUNDS, _AIMED = 0.1, 60, 0.7
"""How often only one of two lists that repeat each other is changed; how many fruitless draws end a generation; the
share of views with one change where the judges look."""
_UP, _FEW = 3, 4
"""How far up from a place its holders are changed; how many of many values are tried."""
_HOW_MANY = (1, 1, 1, 1, 2, 2, 3)
_LARGE, _LONG = 400, 4_000
"""Characters past which a repeated value is not gone through again, and past which a value is no spare part."""


Sites: TypeAlias = frozenset[tuple[int, Path]]
"""Parts of views: the number of a view and a path in it."""


class Made(NamedTuple):
    """A generated view and where it comes from."""

    view: Any
    base: str
    """The case whose view was changed."""
    edits: tuple[Edit, ...]


class Place(NamedTuple):
    """Somewhere in some recorded view."""

    base: int
    path: Path


class Group(NamedTuple):
    """All places of one kind that have one value."""

    pattern: Path
    """The path, with `*` for every index."""
    value: Any
    places: list[Place]


class Material:
    """The recorded views of a task taken apart: what stands where, and what could stand there instead."""

    def __init__(self, views: Sequence[tuple[str, Any]], *, near: bool = False) -> None:
        """`near` says that these are views of valid cases, to which the sites of a focus refer."""
        self.views, self.near = views, near
        self.echoes = Echoes([view for _, view in views])
        groups: dict[tuple[Path, str], Group] = {}
        for number, (_, view) in enumerate(views):
            _take(groups, Place(number, ()), (), view)
        groups = {key: group for key, group in groups.items() if group.pattern}
        self.groups = list(groups.values())
        self.prose = [group for group in self.groups if group.pattern[0] == "solution" and _is_prose(group.value)]
        self.elements = [group for group in self.groups if group.pattern[0] == "solution" and group.pattern[-1] == "*"]
        self.values: dict[Hashable, list[Any]] = {}
        self.keys: dict[Hashable, list[tuple[str, Any]]] = {}
        for (pattern, text), group in groups.items():
            if len(text) <= _LONG:
                self.values.setdefault(kind(pattern), []).append(group.value)
                self.keys.setdefault(kind(pattern[:-1]), []).append((str(pattern[-1]), group.value))


def _take(groups: dict[tuple[Path, str], Group], place: Place, pattern: Path, value: Any) -> None:
    """Note a value and all below it; what is large and was met before is not gone through again."""
    text = repr(value)
    known = groups.get((pattern, text))
    group = known or groups.setdefault((pattern, text), Group(pattern, value, []))
    group.places.append(place)
    if known is not None and len(text) > _LARGE:
        return
    if isinstance(value, dict):
        for key, part in value.items():
            _take(groups, place._replace(path=(*place.path, key)), (*pattern, key), part)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            _take(groups, place._replace(path=(*place.path, index)), (*pattern, "*"), part)


def kind(path: Path) -> Hashable:
    """Places of one kind, wherever they stand: the last key, and whether it is an element below it."""
    names = [step for step in path if isinstance(step, str) and step != "*"]
    return names[-1] if names else "", isinstance(path[-1], int) or path[-1] == "*" if path else False


def within(tier: list[Group], sites: Sites) -> list[Group]:
    """The places of some groups that lie in one of these parts; all of them where no part is named."""
    if not sites:
        return tier
    lengths = {len(path) for _, path in sites}
    inside = (
        group._replace(places=[p for p in group.places if any((p.base, p.path[:n]) in sites for n in lengths)])
        for group in tier
    )
    return [group for group in inside if group.places]


class Focus:
    """Where a judge looks, told from the parameters of an atom and of what took its place."""

    def __init__(self, parameters: Sequence[Any], scopes: Sequence[str], sites: Sites) -> None:
        """`sites` are the parts of valid views that an atom inside a matching is satisfied by; empty for any other."""
        self.sites = sites
        leaves = [leaf for each in parameters for leaf in _leaves(each)]
        self.pairs = [pair for each in parameters for pair in _pairs(each)]
        self.texts = sorted({leaf for leaf in leaves if isinstance(leaf, str) and leaf and leaf[0] != "/"})
        self.numbers = {leaf for leaf in leaves if isinstance(leaf, int | float) and not isinstance(leaf, bool)}
        pointers = {leaf for leaf in leaves if isinstance(leaf, str) and leaf[:1] == "/"} | set(scopes)
        self.pointers = [tuple(pointer.split("/")[1:]) for pointer in sorted(pointers)]
        self._lower = [text.lower() for text in self.texts]
        self._keys = {key for key, _ in self.pairs} | set(self.texts)

    def tiers(self, material: Material) -> list[list[Group]]:
        """Groups by how surely the judge looks there: by pointer, by key, where a word or number occurs."""
        tiers: list[list[Group]] = [[], [], []]
        for group in material.groups:
            tier = self._tier(group)
            if tier is not None:
                tiers[tier].append(group)
        return [kept for tier in tiers if (kept := within(tier, self.sites if material.near else frozenset()))]

    def _tier(self, group: Group) -> int | None:
        if any(_ends(group.pattern, pointer) for pointer in self.pointers):
            return 0
        if group.pattern[-1] in self._keys:
            return 1
        value = group.value
        if isinstance(value, str):
            low = value.lower()
            return 2 if any(text in low for text in self._lower) else None
        return 2 if isinstance(value, int | float) and not isinstance(value, bool) and value in self.numbers else None


class Generator:
    """Changed views: first one change to a `near` view where the judges look, then several anywhere in any view."""

    def __init__(self, near: Material, far: Material, focus: Focus, seed: str) -> None:
        """`near` is made of valid cases; parts come from `far`."""
        self._near, self._far, self._focus = near, far, focus
        self._random = Random(seed)  # noqa: S311  # a seed makes it repeatable; nothing is kept secret

    def views(self, number: int) -> Iterator[Made]:
        """So many different views, or fewer where the cases offer no more."""
        made: set[Hashable] = set()
        idle = 0
        for view in self._both(int(number * _AIMED)):
            key = None if view is None else (view.base, *((edit.path, edit.how, repr(edit.now)) for edit in view.edits))
            idle = idle + 1 if key is None or key in made else 0
            if view is not None and key not in made:
                made.add(key)
                yield view
            if len(made) >= number or idle >= _ROUNDS:
                return

    def _both(self, aimed: int) -> Iterator[Made | None]:
        around = [self._near.prose, self._near.elements]
        tiers = [*self._focus.tiers(self._near), *(within(tier, self._focus.sites) for tier in around)]
        tiers = [tier for tier in tiers if tier]
        for tier in tiers:
            for place, edit in self._all_edits(self._near, tier, aimed // len(tiers)):
                yield self._changed(self._near, place.base, [edit])
        anywhere = [*self._focus.tiers(self._far), self._far.prose, self._far.elements, self._far.groups]
        tiers = [tier for tier in anywhere if tier]
        while tiers:
            yield self._several(tiers)

    def _all_edits(self, material: Material, tier: list[Group], number: int) -> Iterator[tuple[Place, Edit]]:
        """Single changes at the places of a tier, so many: of each place and manner one, then another."""
        ranked: list[tuple[int, float, Place, Edit]] = []
        for group in self._random.sample(tier, min(len(tier), number)):
            chosen = self._random.choice(group.places)
            for up in range(min(_UP, len(chosen.path))):
                place = chosen._replace(path=chosen.path[: len(chosen.path) - up])
                ranks: Counter[str] = Counter()
                for edit in sorted(self._edits(material, place), key=lambda _: self._random.random()):
                    ranked.append((ranks[edit.how] + 2 * up, self._random.random(), place, edit))
                    ranks[edit.how] += 1
        for *_, place, edit in sorted(ranked, key=lambda each: each[:2])[:number]:
            yield place, edit

    def _several(self, tiers: list[list[Group]]) -> Made | None:
        base, edits = -1, []
        for _ in range(self._random.choice(_HOW_MANY)):
            group = self._random.choice(self._random.choice(tiers))
            places = group.places if base < 0 else [place for place in group.places if place.base == base]
            if places:
                place = self._random.choice(places)
                up = self._random.choice((0, 0, 0, 1, 2))
                place = place._replace(path=place.path[: max(1, len(place.path) - up)])
                choice = list(self._edits(self._far, place))
                base = place.base
                edits += [self._random.choice(choice)] if choice else []
        return self._changed(self._far, base, edits) if edits else None

    def _changed(self, material: Material, base: int, edits: list[Edit]) -> Made | None:
        name, view = material.views[base]
        done = []
        for edit in edits:
            changed = apply(view, edit)
            if changed is not view:
                alone = self._random.random() < _ALONE
                view = changed if alone else material.echoes.along(base, edit, changed)
                done.append(edit)
        return Made(view, name, tuple(done)) if done else None

    # What a place may be changed to ---------------------------------------------------------------------------------

    def _edits(self, material: Material, place: Place) -> Iterator[Edit]:
        path, value = place.path, at_path(material.views[place.base][1], place.path)
        new = [*near(value), *self._some(self._far.values.get(kind(path), ())), *self._named(path, value)]
        yield from (Edit(path, "put", each) for each in new if each is not value)
        yield Edit(path, "gone", ABSENT)
        if isinstance(path[-1], int):
            other = self._some(self._far.values.get(kind(path), ()))
            yield from (Edit(path, "repeated", each) for each in (value, *other))
            yield Edit(path, "moved", self._random.randrange(path[-1] + 4))
        if isinstance(value, list):
            last = (*path, len(value))
            yield from (Edit(last, "repeated", each) for each in self._some(self._far.values.get(kind(last), ())))
        if isinstance(value, dict):
            yield from self._other_objects(path, value)
        if isinstance(value, str):
            yield from (Edit(path, "put", text) for text in reworded(value, self._focus.texts, self._random))

    def _named(self, path: Path, value: Any) -> list[Any]:
        """What a parameter of this key says; for a text, what any says."""
        mine = [part for key, part in self._focus.pairs if key == path[-1]]
        return self._some(mine or (self._focus.texts if isinstance(value, str) else ()))

    def _other_objects(self, path: Path, value: dict[str, Any]) -> Iterator[Edit]:
        """An object as a parameter describes it, or with a key more: known elsewhere, or unheard of."""
        wanted = [(key, part) for key, part in self._focus.pairs if key in value]
        for _ in range(min(len(wanted), _FEW)):
            taken = dict(self._random.sample(wanted, self._random.randint(1, len(wanted))))
            yield Edit(path, "put", _merge(value, taken))
        seen = self._far.keys.get(kind(path), ())
        known = [pair for pair in (*seen, *self._focus.pairs) if pair[0] not in value]
        yield from (Edit((*path, key), "put", part) for key, part in [*self._some(known), ("unheard_of", "of it")])

    def _some(self, values: Sequence[Any]) -> list[Any]:
        return list(values) if len(values) <= _FEW else self._random.sample(values, _FEW)


def _is_prose(value: Any) -> bool:
    return isinstance(value, str) and value.count(" ") > 2


def _leaves(value: Any) -> Iterator[Any]:
    """Scalars, and the keys they stand under."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield key
            yield from _leaves(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _leaves(part)
    else:
        yield value


def _pairs(value: Any) -> Iterator[tuple[str, Any]]:
    """Keys with what stands under them; one of several where a list stands there."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield key, part
            if isinstance(part, list):
                yield from ((key, one) for one in part)
            yield from _pairs(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _pairs(part)


def _merge(value: Mapping[str, Any], by: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(value)
    for key, part in by.items():
        old = value[key]
        merged[key] = {**old, **part} if isinstance(old, dict) and isinstance(part, Mapping) else part
    return merged


def _ends(pattern: Path, pointer: tuple[str, ...]) -> bool:
    """Whether a place is what a pointer or a pattern names, from some point of the view on."""
    if len(pointer) > len(pattern):
        return False
    tail = pattern[len(pattern) - len(pointer) :]
    return all(
        want in ("*", step) or (step == "*" and want.isdecimal()) for step, want in zip(tail, pointer, strict=True)
    )
