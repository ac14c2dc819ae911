"""Ways to make an atom of this family less strict; each accepts all that the atom accepts, and more.

A loosening is one a reader could have written by mistake: the right type instead of the right value, a bound or an
item forgotten, more items than were asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from verifierbench.core import All, Atom, Weakening

from .checks import type_of


def weaken(atom: Atom) -> Iterator[Weakening]:
    """Every weakening of an atom; none where dropping it is all that can be done."""
    make = _WAYS.get(atom.check)
    return iter(()) if make is None else make(atom)


def _type_of_value(atom: Atom) -> Iterator[Weakening]:
    yield _loosen(atom, "type", "has_type", type=type_of(atom.parameters["value"]))


def _type_of_text(atom: Atom) -> Iterator[Weakening]:
    yield _loosen(atom, "type", "has_type", type="string")


def _words(atom: Atom) -> Iterator[Weakening]:
    yield _loosen(atom, "contains", "contains", text=atom.parameters["text"])
    yield from _type_of_text(atom)


def _there(atom: Atom) -> Iterator[Weakening]:
    yield _loosen(atom, "present", "present")


def _bounds(atom: Atom) -> Iterator[Weakening]:
    given = [name for name in ("low", "high") if atom.parameters.get(name) is not None]
    for name in given:
        left = {key: value for key, value in atom.parameters.items() if key != name}
        yield Weakening(operator="per_bound", part=name, node=msgspec.structs.replace(atom, parameters=left))


def _items(atom: Atom) -> Iterator[Weakening]:
    if atom.check == "same_items":
        yield _loosen(atom, "more", "has_items", values=atom.parameters["values"])
    values = atom.parameters["values"]
    for place in range(len(values)) if len(values) > 1 else ():
        left = [*values[:place], *values[place + 1 :]]
        check = "lacks_items" if atom.check == "lacks_items" else "has_items"
        yield _part(atom, "per_item", str(place), check, values=left)


def _part(atom: Atom, operator: str, part: str, check: str, **parameters: Any) -> Weakening:
    changed = {"at": atom.parameters["at"], **parameters}
    node = msgspec.structs.replace(atom, check=check, parameters=changed)
    return Weakening(operator=operator, part=part, node=All(of=(node,)))


def _loosen(atom: Atom, part: str, check: str, **parameters: Any) -> Weakening:
    return _part(atom, "loosen", part, check, **parameters)


_WAYS: dict[str, Callable[[Atom], Iterator[Weakening]]] = {
    "equals": _type_of_value,
    "number": _type_of_value,
    "one_of": _there,
    "says": _words,
    "contains": _type_of_text,
    "matches": _type_of_text,
    "between": _bounds,
    "size": _bounds,
    "same_items": _items,
    "has_items": _items,
    "lacks_items": _items,
}
