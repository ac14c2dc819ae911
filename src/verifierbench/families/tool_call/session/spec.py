"""What an executable task asks for, turn by turn, as data; its clauses and its reference follow from it.

Per turn: values that hold in the state afterwards (`Effect`), what has to be looked up (`Lookup`), what may change at
most (`Frame`), and whether the user must be told something because the turn cannot be done. Each becomes one clause and
one atom of the same name. The frame follows from what gold changes when it is played; everything else is read from the
user's words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from verifierbench.core import All, Atom, Clause, Inconsistent, Node, Reference, Span, at

from ...guest.diffs import changes
from .. import conventions
from ..conventions import convention
from ..policies import Fits, OneOf, Policy, gold
from .protocol import PROBES


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """A value in the state after a turn; without a policy, that nothing is there."""

    at: str
    right: Policy | None
    spans: tuple[Span, ...]


class Lookup(msgspec.Struct, frozen=True, kw_only=True):
    """Something a turn asks to be shown, checked, compared or computed; see `checks.looked_up` for a way."""

    ways: tuple[dict[str, Any], ...]
    spans: tuple[Span, ...]
    sole: bool = False
    """Whether a call of these tools that succeeds cannot select anything else."""


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """What a turn may change at most; see `checks.turn_frame`."""

    under: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    added: dict[str, int] = {}
    inside: tuple[dict[str, Any], ...] = ()
    open: tuple[str, ...] = ()
    """Patterns that may change although gold does not change them; no case turns on it."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn of the user."""

    calls: tuple[dict[str, Any], ...]
    """Gold's."""
    effects: tuple[Effect, ...] = ()
    lookups: tuple[Lookup, ...] = ()
    frame: Frame = Frame()
    spans: tuple[Span, ...] = ()
    """The words of the user that bound the frame."""
    waits: tuple[Span, ...] = ()
    """The words that ask for what cannot be done yet; then the message has to say something."""
    ways: tuple[Way, ...] = ()
    wrong: tuple[Way, ...] = ()
    first: tuple[str, ...] = ()
    """Tools whose calls the words put before others; the reference leaves this free, and no case turns on it."""


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """Other calls in the place of a turn's own."""

    calls: tuple[dict[str, Any], ...]
    note: str
    but: tuple[str, ...] = ()
    """Where the state may differ from gold's: another of several right values."""


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """The whole task."""

    turns: tuple[Turn, ...]
    tools: dict[str, int]
    """Tool → the first turn in which it is available."""
    free: tuple[str, ...] = ()
    """Patterns of the state that may change in any turn."""
    looks: tuple[dict[str, Any], ...] = ()
    """Calls that succeed and change nothing, whenever they are made."""
    probes: tuple[dict[str, Any], ...] = ()
    """Calls that fail and change nothing."""
    intrusions: tuple[dict[str, Any], ...] = ()
    """Calls that change what no turn asks for."""
    others: dict[str, tuple[Any, ...]] = {}
    """Argument → other values it could have had, so that another thing is looked up or touched."""
    apology: str = "I cannot do that yet."
    """What gold says in a turn that has to wait."""


def frame_of(before: Any, after: Any, pinned: Sequence[str], also: tuple[str, ...] = ()) -> Frame:
    """What gold changes in a turn, and what else may change; what effects pin is left to them."""
    changed, removed, added, inside = list[str](), list[str](), dict[str, int](), []
    for how, path in changes(before, after):
        if any(path == pin or path.startswith(f"{pin}/") for pin in pinned):
            continue
        if how == "added":
            parent = path.rpartition("/")[0]
            added[parent] = added.get(parent, 0) + 1
            free = [pin.removeprefix(path) for pin in pinned if pin.startswith(f"{path}/")]
            inside.append({"at": path, "value": at(after, path), "free": free})
        else:
            (changed if how == "changed" else removed).append(path)
    return Frame(
        under=tuple(pinned),
        changed=tuple(dict.fromkeys(changed)),
        removed=tuple(dict.fromkeys(removed)),
        added=added,
        inside=tuple(inside),
        open=also,
    )


def gold_solution(spec: Spec) -> dict[str, Any]:
    """Gold: its calls, and nothing said but where something has to wait."""
    turns = [
        {"calls": [dict(call) for call in turn.calls], "message": spec.apology if turn.waits else None, "answer": None}
        for turn in spec.turns
    ]
    return {"turns": turns}


def clauses(spec: Spec) -> tuple[Clause, ...]:
    """Every requirement with the words that impose it; raises `Inconsistent` for one without words."""
    found = [
        Clause(id="turns", text=f"There are {len(spec.turns)} turns.", spans=(convention(conventions.SESSION_TURNS),)),
        Clause(
            id="tools",
            text="Every call names a tool that is available in its turn.",
            spans=(convention(conventions.AVAILABLE),),
        ),
    ]
    for number, turn in enumerate(spec.turns, 1):
        found += _turn_clauses(f"turn{number}", number, turn)
    if bare := [clause.id for clause in found if not clause.spans]:
        raise Inconsistent(f"clauses without words: {', '.join(bare)}")
    return tuple(found)


def reference(spec: Spec, library: str) -> Reference:
    """The tree that decides a solution: one atom for each clause."""
    parts: list[Node] = [
        Atom(name="turns", clause="turns", check="turn_count", parameters={"count": len(spec.turns)}),
        Atom(name="tools", clause="tools", check="available", parameters={"tools": spec.tools}),
    ]
    for number, turn in enumerate(spec.turns):
        parts += [
            _atom(name, check, {"turn": number, **rest}) for name, check, rest in _requirements(number, turn, spec)
        ]
    return Reference(root=All(of=tuple(parts)), probes=PROBES, library=library)


def undecided(spec: Spec) -> tuple[str, ...]:
    """Patterns of the state where a value that is not gold's may be accepted."""
    effects = [effect for turn in spec.turns for effect in turn.effects]
    loose = [effect.at for effect in effects if _is_open(effect.right)]
    return (*loose, *(pattern for turn in spec.turns for pattern in turn.frame.open))


def _is_open(right: Policy | None) -> bool:
    return isinstance(right, Fits) or (isinstance(right, OneOf) and bool(right.undecided))


def _turn_clauses(prefix: str, number: int, turn: Turn) -> list[Clause]:
    found = []
    for place, effect in enumerate(turn.effects, 1):
        what = "is not there" if effect.right is None else f"is {gold(effect.right)!r}"
        text = f"After turn {number}, {effect.at} {what}."
        spans = (*effect.spans, convention(conventions.BROUGHT_ABOUT))
        found.append(Clause(id=f"{prefix}.effect{place}", text=text, spans=spans))
    for place, lookup in enumerate(turn.lookups, 1):
        text = f"In turn {number}, a call of {' or '.join(sorted({way['name'] for way in lookup.ways}))} looks this up."
        spans = (*lookup.spans, convention(conventions.LOOKED_UP))
        found.append(Clause(id=f"{prefix}.lookup{place}", text=text, spans=spans))
    if turn.waits:
        text = f"Turn {number} cannot be done yet, and the message says something."
        found.append(Clause(id=f"{prefix}.reply", text=text, spans=(*turn.waits, convention(conventions.WAITS))))
    rule = convention(conventions.WAITS if turn.waits else conventions.NOTHING_ELSE)
    text = f"Turn {number} changes nothing but what it asks for."
    found.append(Clause(id=f"{prefix}.frame", text=text, spans=(*turn.spans, rule)))
    return found


def _requirements(number: int, turn: Turn, spec: Spec) -> list[tuple[str, str, dict[str, Any]]]:
    prefix = f"turn{number + 1}"
    found: list[tuple[str, str, dict[str, Any]]] = []
    for place, effect in enumerate(turn.effects, 1):
        name = f"{prefix}.effect{place}"
        if effect.right is None:
            found.append((name, "gone_after_turn", {"at": effect.at}))
        else:
            found.append((name, "after_turn", {"at": effect.at, "right": msgspec.to_builtins(effect.right)}))
    for place, lookup in enumerate(turn.lookups, 1):
        found.append((f"{prefix}.lookup{place}", "looked_up", {"ways": list(lookup.ways), "sole": lookup.sole}))
    if turn.waits:
        found.append((f"{prefix}.reply", "replied", {}))
    found.append((f"{prefix}.frame", "turn_frame", frame_parameters(turn.frame, spec.free)))
    return found


def frame_parameters(frame: Frame, free: tuple[str, ...]) -> dict[str, Any]:
    """A frame as its atom holds it."""
    return {
        "under": list(frame.under),
        "changed": [*frame.changed, *frame.open, *free],
        "removed": list(frame.removed),
        "added": dict(frame.added),
        "inside": list(frame.inside),
    }


def _atom(name: str, check: str, parameters: Mapping[str, Any]) -> Atom:
    return Atom(name=name, clause=name, check=check, parameters=dict(parameters))
