"""Handmade tool-call tasks: a request, a list of tools, and the calls that are due.

One module per task, each with `SLUG` and `task() -> (Brief, Spec)`. Together they cover one tool and several, parallel
calls, enums, nested objects, lists, dates, defaults, a stated order, a stated prohibition, and a request no tool fits.
"""

from __future__ import annotations

from collections.abc import Iterator

from verifierbench.core import Candidate, Environment, Season, Task
from verifierbench.families.tool_call import build

from . import ferry, glasshouse, kiln, museum, rehearsal, seedbank, telescope

__all__ = ["candidates", "environment"]

_TASKS = (glasshouse, ferry, museum, seedbank, kiln, rehearsal, telescope)


def candidates(season: Season) -> Iterator[Candidate]:
    """The tasks with their cases."""
    for module in _TASKS:
        brief, spec = module.task()
        yield build(
            id=f"handmade/{module.SLUG}", source="handmade", source_version="1", brief=brief, spec=spec, season=season
        )


def environment(_: Task) -> Environment | None:
    """None: these tasks execute nothing."""
    return None
