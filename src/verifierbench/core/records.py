"""The frozen records every room speaks: tasks, clauses, cases and what was recorded about them.

A label comes from the task's requirements and is written down before any checker runs. A case says which clause it
violates or which freedom it uses; a clause cites the public words that impose it. Hidden fields (clauses,
references, cases) never reach a workspace or a sandbox: what an agent or a verifier sees is `Task.public` alone.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Any, Literal

import msgspec

from .decision import Decision, Verdict
from .hashing import content_bytes, content_hash
from .reference import Reference

SCHEMA_VERSION = 1
"""Version of every stored document; a reader refuses a newer one."""


class Family(StrEnum):
    """What kind of solution a task asks for."""

    TOOL_CALL = "tool_call"
    STATE = "state"
    CODE = "code"
    OTHER = "other"
    """Any JSON: what a suite brought by somebody else may hold. No bundled task is of it."""


class CaseKind(StrEnum):
    """How a case relates to its task; the label follows from it."""

    GOLD = "gold"
    COSMETIC = "cosmetic"
    """Valid, differs in presentation."""
    ALTERNATIVE = "alternative"
    """Valid, differs in implementation or path."""
    BASE = "base"
    """The unrepaired outcome: nothing useful was done."""
    PARTIAL = "partial"
    NEAR_MISS = "near_miss"
    REGRESSION = "regression"
    """Does what was asked and breaks something that worked."""
    HACK = "hack"
    """An attack: targets an omission in checking, or fakes success."""
    PROCESS_VIOLATION = "process_violation"
    """An attack: the right end state by a forbidden way."""

    @property
    def label(self) -> Verdict:
        """PASS for gold, cosmetic and alternative; FAIL for everything else."""
        return Verdict.PASS if self in _VALID else Verdict.FAIL

    @property
    def is_attack(self) -> bool:
        """Whether the kind counts towards FPR_h."""
        return self in _ATTACKS


_VALID = frozenset({CaseKind.GOLD, CaseKind.COSMETIC, CaseKind.ALTERNATIVE})
_ATTACKS = frozenset({CaseKind.HACK, CaseKind.PROCESS_VIOLATION})


class Material(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """One piece of public material; tasks that have one in common may share the object, however large."""

    name: str
    kind: Literal["json", "text", "files"]
    """`files` maps a relative path to text; a pointer into it is "/" and the path."""
    content: Any
    inline: bool = True
    """Small materials stand in `env.task`; the others are read in parts with `env.read`."""
    digest: str = ""
    """`hash`, where it is known beforehand; who puts another content in the place of this one drops it."""

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the content's bytes, which stands for a content that is too large to be repeated."""
        return self.digest or content_hash(self.content)

    @cached_property
    def encoded(self) -> bytes:
        """The content's bytes, made once; whoever looks for a quotation looks in them."""
        return content_bytes(self.content)

    @property
    def stored(self) -> Material:
        """The form beside others: a material that is read in parts gives its digest for its content."""
        return self if self.inline else msgspec.structs.replace(self, content=None, digest=self.hash)


class Convention(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule no single task states, printed in every TASK.md of its family."""

    id: str
    text: str


class Span(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words of the public material that impose a clause; checked to occur there."""

    material: str
    """A material's name, `instruction`, or `conventions` (then the quote is a convention's id)."""
    quote: str


class Clause(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One requirement, or one freedom, that the public material states."""

    id: str
    text: str
    """Our own words; shown beside a wrong decision, never to an agent."""
    spans: tuple[Span, ...]


class Ground(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why a case has its label: the clause it violates, or the freedom around that clause it uses."""

    clause: str
    note: str


class Task(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """One task, with its hidden half."""

    id: str
    """For people: `bfcl/parallel_26`. Agents and verifiers see only the alias."""
    source: str
    source_version: str
    family: Family
    instruction: str
    materials: tuple[Material, ...]
    conventions: tuple[Convention, ...]
    clauses: tuple[Clause, ...]
    reference: Reference
    environment: str | None = None
    """Name of the public environment its source offers for it; None where `env.run` does not exist."""
    drawn_alias: str | None = None
    """The alias the season drew when the suite was built; None outside a suite."""

    @property
    def alias(self) -> str:
        """The opaque name agents see: stable, and silent about the source.

        Outside a suite anybody can compute it from the id; in a suite it takes the season's secret.
        """
        return self.drawn_alias or "t" + content_hash(["alias", self.id])[:10]

    @property
    def public(self) -> dict[str, Any]:
        """`env.task`: what a solver would be told; plain JSON data."""
        return {
            "task": self.alias,
            "family": self.family.value,
            "instruction": self.instruction,
            "conventions": [c.text for c in self.conventions],
            "materials": {m.name: m.content for m in self.materials if m.inline},
            "readable": [m.name for m in self.apart],
            "runnable": self.environment is not None,
        }

    @property
    def apart(self) -> tuple[Material, ...]:
        """The materials that are read in parts."""
        return tuple(material for material in self.materials if not material.inline)

    @cached_property
    def public_hash(self) -> str:
        """Identity of everything public; a material that is read in parts counts by its hash."""
        return content_hash([self.public, [[m.name, m.kind, m.hash] for m in self.apart]])

    @property
    def stored(self) -> Task:
        """The form in which a task is written down: contents that are read in parts stand elsewhere."""
        return msgspec.structs.replace(self, materials=tuple(m.stored for m in self.materials))

    def material(self, name: str) -> Material | None:
        """The material of that name, if there is one."""
        return next((m for m in self.materials if m.name == name), None)


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One hidden solution with its label."""

    id: str
    """`<task id>#<operator>.<n>`; never shown to an agent or a verifier."""
    task: str
    kind: CaseKind
    content: Any
    """The solution, in the family's schema: exactly what `verify` receives."""
    operator: str
    grounds: tuple[Ground, ...]
    control_of: str | None = None
    """The attack whose surface this valid case touches without the exploit."""
    seed: str | None = None
    """What the operator's random choices were drawn from, if it made any."""

    @property
    def label(self) -> Verdict:
        """What the task's requirements say about it."""
        return self.kind.label

    @property
    def content_hash(self) -> str:
        """Identity of the bytes a verifier is given."""
        return content_hash(self.content)


class Candidate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A task with all its cases, as a source hands it over."""

    task: Task
    cases: tuple[Case, ...]


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The frozen decision of the reference on one case, tied by hash to all it depends on."""

    case: str
    case_hash: str
    task_hash: str
    reference_hash: str
    environment_version: str | None
    verdict: Verdict
    failed: tuple[str, ...]
    """Names of the atoms that were not satisfied."""


class SourceRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What upstream's own checker says of one case: measured, never trusted."""

    case: str
    case_hash: str
    checker_version: str
    decision: Decision


class CaseDecision(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row of a run: who decided what on which case, with all that the measures need."""

    case: str
    task: str
    source: str
    family: Family
    kind: CaseKind
    decision: Decision

    @property
    def label(self) -> Verdict:
        """The case's label."""
        return self.kind.label
