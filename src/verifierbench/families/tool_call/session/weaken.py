"""Ways to make the checks of executable tasks less strict: what a careless reference would have written instead.

A value in the state is loosened as its policy is. A frame forgets how many records may come in; a lookup forgets what
was selected; a tool that comes later is taken for one that was always there. What amounts to dropping the atom is not
listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from verifierbench.core import Atom, Weakening

from ..weaken import weaken as weaken_value

LOOSEN = "loosen"
_MANY = 1_000_000
_ANY: dict[str, Any] = {"right": {"policy": "fits", "schema": {}}, "may_omit": True}


def weaken(atom: Atom) -> Iterator[Weakening]:
    """What takes an atom's place, part by part; nothing for a check that is as lax as the library can say it."""
    return _CHECKS[atom.check](atom)


def _none(_atom: Atom) -> Iterator[Weakening]:
    return iter(())


def _after_turn(atom: Atom) -> Iterator[Weakening]:
    """What its policy becomes where an argument has it; a single word is compared whole."""
    right = atom.parameters["right"]
    argument = replace(atom, check=right["policy"], parameters={"at": "", "right": right, "may_omit": True})
    for weak in weaken_value(argument):
        if isinstance(weak.node, Atom) and not (weak.part == "contains" and _is_word(right)):
            looser = {**atom.parameters, "right": weak.node.parameters["right"]}
            yield replace(weak, node=replace(atom, parameters=looser))


def _is_word(policy: Any) -> bool:
    value = policy.get("value", "")
    return isinstance(value, str) and " " not in value


def _turn_frame(atom: Atom) -> Iterator[Weakening]:
    if added := atom.parameters["added"]:
        yield _but(atom, "any number", added=dict.fromkeys(added, _MANY))


def _looked_up(atom: Atom) -> Iterator[Weakening]:
    ways = atom.parameters["ways"]
    free = [{**way, "arguments": dict.fromkeys(way["arguments"], _ANY), "result": {}} for way in ways]
    if any(way["arguments"] for way in ways) and not atom.parameters["sole"]:
        yield _but(atom, "whatever is selected", ways=free)


def _available(atom: Atom) -> Iterator[Weakening]:
    tools = atom.parameters["tools"]
    if any(tools.values()):
        yield _but(atom, "from the start", tools=dict.fromkeys(tools, 0))


_CHECKS: dict[str, Callable[[Atom], Iterator[Weakening]]] = {
    "after_turn": _after_turn,
    "gone_after_turn": _none,
    "turn_frame": _turn_frame,
    "looked_up": _looked_up,
    "replied": _none,
    "available": _available,
}


def _but(atom: Atom, part: str, **parameters: Any) -> Weakening:
    return Weakening(operator=LOOSEN, part=part, node=replace(atom, parameters={**atom.parameters, **parameters}))
