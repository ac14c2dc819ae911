"""A task as the audit sees it: everything a check may look at, gathered before any check runs.

Checks are pure functions of a subject. What needs a process (fresh runs, a ladder verifier's executions, a
reference that is a program) is reached through the subject's small protocols, so a test can put anything in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

import msgspec

from verifierbench.core import Case, Decision, Explanation, FamilyDefinition, Finding, Record, SourceRecord, Task

from .ladder import Rung


class Judge(Protocol):
    """What stands in the reference's place."""

    @property
    def version(self) -> str:
        """Its identity: what the records call `reference_hash`."""

    def decide(self, view: Any) -> Finding:
        """Its decision on what a verifier may see of a case."""

    def spec(self, view: Any) -> dict[str, Any]:
        """Plain JSON from which `judge_from` makes a judge that decides at least this view alike."""

    def mutants(self) -> Iterator[Mutant]:
        """Itself with one named part dropped or weakened, one by one; none where it has no named parts."""


class Mutant(msgspec.Struct, frozen=True, kw_only=True):
    """A judge with one part dropped or weakened."""

    name: str
    """Unique within the task: `<operator>:<atom>` or `<operator>:<atom>:<part>`."""
    operator: str
    atom: str
    clause: str
    judge: Judge


class Fresh(msgspec.Struct, frozen=True, kw_only=True):
    """One case, seen again in a fresh process from a reset state."""

    view: str
    """SHA-256 of the view's canonical JSON."""
    ok: bool
    """The decision."""


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """One task under audit."""

    task: Task
    cases: tuple[Case, ...]
    family: FamilyDefinition
    judge: Judge
    views: Mapping[str, Any]
    """Case id → its view, from recorded evidence; a case whose evidence is missing is not in it."""
    records: tuple[Record, ...] = ()
    """The frozen decisions as the suite holds them."""
    source_records: tuple[SourceRecord, ...] = ()
    environment_version: str | None = None
    """Of the environment as it is installed here; None where the task has none."""
    runs: Mapping[str, tuple[Fresh, ...]] = {}
    """Case id → the fresh runs that were made, each in a process of its own and in another order."""
    again: frozenset[str] | None = None
    """The cases that were to be seen again; None for all of them."""
    ladder: tuple[Rung, ...] = ()
    execute: Callable[[Any], Any] | None = None
    """Answers a ladder verifier's `env.run`, from evidence where there is some; None where the task cannot be run."""
    measured: bool = False
    """Whether its source has a checker of its own here, so that every case has a source record."""
    explain: Callable[[Case, Decision], Explanation | None] = lambda _case, _decision: None
    """The source's ledger of defects."""

    def finding(self, case: Case) -> Finding | None:
        """The judge's decision on a case as it is now; None where its evidence is missing."""
        view = self.views.get(case.id)
        return None if view is None else self.judge.decide(view)
