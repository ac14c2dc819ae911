"""The checks, in the order a report lists them: six of the paper's V4V, and three more."""

from __future__ import annotations

import importlib
from functools import cache

from verifierbench.core import UnknownName

from ..findings import Check

NAMES = (
    "replay",
    "repeatability",
    "provenance",
    "consistency",
    "baselines",
    "mutation",
    "grounding",
    "potency",
    "agreement",
)

__all__ = ["NAMES", "check", "checks"]


@cache
def check(name: str) -> Check:
    """A check by its name; raises `UnknownName`."""
    if name not in NAMES:
        raise UnknownName("check", name, NAMES)
    found: Check = importlib.import_module(f"{__name__}.{name}").CHECK
    return found


def checks(names: tuple[str, ...] = NAMES) -> tuple[Check, ...]:
    """Checks by their names, in the order of `NAMES`."""
    wanted = {check(name).name for name in names}
    return tuple(check(name) for name in NAMES if name in wanted)
