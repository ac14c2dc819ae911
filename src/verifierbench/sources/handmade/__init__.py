"""An original source that needs no download, written for this project: a few tasks of every family.

Small on purpose: a stranger can read a task, its clauses and all its cases in one sitting, and everything else in
the house can be tried on it without a network.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from verifierbench.core import (
    Candidate,
    Case,
    Decision,
    Environment,
    Explanation,
    Family,
    Season,
    SourceChecker,
    SourceStatus,
    Task,
    Unavailable,
)

__all__ = ["HANDMADE"]

VERSION = "1"

_FAMILIES = (Family.TOOL_CALL, Family.STATE, Family.CODE)


class Handmade:
    """Meets `core.Source`."""

    name = "handmade"

    def status(self) -> SourceStatus:
        """Report it ready: nothing is ever missing."""
        return SourceStatus(
            name=self.name, ready=True, needs="", version=VERSION, licence="Apache-2.0", families=_FAMILIES
        )

    def install(self, origin: Path | None) -> None:
        """Refuse a path, and do nothing else: the source is part of the package."""
        if origin is not None:
            raise Unavailable("source 'handmade' is part of the package and takes no --from")

    def candidates(self, season: Season) -> Iterator[Candidate]:
        """All its tasks, family by family."""
        for family in _FAMILIES:
            yield from _part(family).candidates(season)

    def environment(self, task: Task) -> Environment | None:
        """The environment its family's part offers for a task."""
        found: Environment | None = _part(task.family).environment(task) if task.environment else None
        return found

    def checker(self) -> SourceChecker | None:
        """Return None: there is no upstream, hence no upstream checker."""
        return None

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:  # noqa: ARG002  # the protocol's
        """Return None: without an upstream checker there is nothing to explain."""
        return None


def _part(family: Family) -> ModuleType:
    return importlib.import_module(f"{__name__}.{family.value}")


HANDMADE = Handmade()
