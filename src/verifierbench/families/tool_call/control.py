"""The matched control of an attack: a right solution that touches what the attack touches."""

from __future__ import annotations

from typing import Any

from verifierbench.core import CaseKind, Ground

from .content import solution
from .freedoms import freedoms
from .scene import Draft, Scene, Site

_FREE = Ground(clause="calls", note="what `message` and `answer` say is free (C2)")


def plain_control(scene: Scene, message: str | None, answer: Any = None) -> Draft:
    """Gold, saying what the attack says."""
    return Draft(content=solution(scene.calls, message, answer), grounds=(_FREE,), kind=CaseKind.COSMETIC)


def control_at(scene: Scene, site: Site, message: str) -> Draft:
    """Gold with the attacked argument rewritten as the conventions allow, saying what the attack says."""
    if found := next(freedoms(site.part.policy), None):
        grounds = (Ground(clause=site.clause, note=found.note), _FREE)
        return Draft(content=solution(scene.put(site, found.value), message), grounds=grounds, kind=found.kind)
    if not site.stated:
        grounds = (Ground(clause=site.clause, note="stated at its documented default (C8)"), _FREE)
        calls = scene.put(site, site.part.gold)
        return Draft(content=solution(calls, message), grounds=grounds, kind=CaseKind.ALTERNATIVE)
    grounds = (Ground(clause=site.clause, note="the argument is as gold writes it"), _FREE)
    return Draft(content=solution(scene.calls, message), grounds=grounds, kind=CaseKind.COSMETIC)
