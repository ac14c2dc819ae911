"""How a conversation at the shop goes, and everything around it from which cases are made.

The parts follow from the row, from gold's calls and from the records. Where being wrong or free depends on what
a call does, the operators execute it. What is said is made in `words`, what is called in `calls`, and the conversations
that break a rule of their own in `conduct`.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from verifierbench.families.state.operators import Call, Script

from ..scene import Scene, agent, apart, call, customer
from ..talking import YES, closing, facts, tag_of
from ..wording import plain
from . import calls, conduct, words
from .rules import TRANSFER, touched


def described(scene: Scene) -> dict[str, Any]:
    """The parts of `Described`."""
    gold, row = script(scene), scene.row
    writes = tuple(tag_of(place) for place in range(len(row.write)))
    ask = words.asking(scene) if writes else ""
    return {
        "gold": gold,
        "writes": writes,
        "reads": tuple(event.tag for event in gold if isinstance(event, Call) and event.tag.startswith("look")),
        "verify": "find",
        "ask": "ask" if writes else None,
        "yes": "yes" if writes else None,
        "goals": {tag: write.does for tag, write in zip(writes, row.write, strict=True)},
        "told": row.tell[0].clause if row.tell else "frame",
        "outcome": row.write[0].does if writes else row.tell[0].clause,
        "facts": tuple(facts(row)),
        "words": tuple(words.other_words(scene)),
        "extra_calls": tuple(calls.unneeded(scene)),
        "probes": tuple(calls.probes(scene)),
        "near": tuple(calls.near(scene)),
        "collateral": tuple(calls.collateral(scene)),
        "independent": tuple(calls.independent(scene)),
        "failed_verify": calls.misspelt(calls.find(scene)),
        "misread": tuple(calls.misread(scene)),
        "question": words.question(scene) if writes else "",
        "vague": tuple(words.vague(ask)) if writes else (),
        "broken": calls.broken(scene),
        "handover": Call(TRANSFER, {"summary": "The customer asks for help with an order."}) if writes else None,
        "whole": (
            *conduct.identified(scene, gold),
            *conduct.conduct(scene, gold),
            *conduct.undeclined(scene, gold),
            *apart(row, gold),
        ),
    }


def script(scene: Scene) -> Script:
    """The gold conversation."""
    row = scene.row
    looks = [Call("get_user_details", {"user_id": row.user}, "look_user")]
    looks += [Call("get_order_details", {"order_id": order}, calls.look_of(order)) for order in touched(scene)]
    looks += [call(made, f"look_{place}") for place, made in enumerate(row.looks)]
    writes = [Call(one["name"], one["arguments"], tag_of(place)) for place, one in enumerate(scene.played.calls)]
    said = ((agent(turn.agent, f"{turn.tag}_asked"), customer(turn.customer, turn.tag)) for turn in row.talk)
    consent = [agent(plain(words.asking(scene)), "ask"), customer(row.yes or YES, "yes")] if writes else []
    return (
        customer(row.open.format(who=row.who), "open"),
        calls.find(scene),
        *looks,
        *chain.from_iterable(said),
        *consent,
        *writes,
        agent(closing(row), "final"),
    )


def unlabelled(scene: Scene) -> tuple[str, ...]:
    """Operators whose cases the policy leaves open: some tools may be called once per order; a second call fails."""
    once = ("modify_pending_order", "exchange_delivered_order")
    return ("duplicated",) if any(one["name"].startswith(once) for one in scene.played.calls) else ()
