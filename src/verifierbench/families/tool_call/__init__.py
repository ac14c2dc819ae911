"""Tool calls: which tools are called, with which arguments, and nothing else; or what they bring about (`session`).

To make a task: describe what a solver sees with `Brief`, name the due calls with `due` in a `Spec`, and hand both
to `build`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from verifierbench.core import Atom, Check, Convention, Family, Weakening

from . import session
from .build import build, task_of
from .canonical import canonical
from .checks import CHECKS, library_version
from .content import SOLUTION_SCHEMA
from .conventions import CONVENTIONS, convention
from .operators import cases
from .policies import Date, Exact, Fits, ListOf, Number, ObjectOf, OneOf, SetOf, Wording, infer
from .spans import Brief
from .spec import Argument, Call, Order, Spec, Temptation, clauses, due, gold_solution, reference, value
from .weaken import weaken

__all__ = [
    "FAMILY",
    "Argument",
    "Brief",
    "Call",
    "Date",
    "Exact",
    "Fits",
    "ListOf",
    "Number",
    "ObjectOf",
    "OneOf",
    "Order",
    "SetOf",
    "Spec",
    "Temptation",
    "Wording",
    "build",
    "cases",
    "clauses",
    "convention",
    "due",
    "gold_solution",
    "infer",
    "reference",
    "task_of",
    "value",
]


class _ToolCall(msgspec.Struct, frozen=True, kw_only=True):
    family: Family
    solution_schema: Mapping[str, Any]
    conventions: tuple[Convention, ...]
    checks: Mapping[str, Check]
    checks_version: str

    def request(self, solution: Any, probe: Mapping[str, Any]) -> Any:
        """What `env.run` is asked for; a reference of a task that is not executed has no probes."""
        return session.request(solution, probe)

    def weaken(self, atom: Atom) -> Iterable[Weakening]:
        """What mutation testing puts in an atom's place, part by part."""
        return session.weaken(atom) if atom.check in session.CHECKS else weaken(atom)

    def canonical(self, view: Any) -> Any:
        """What a view says, without its presentation."""
        return canonical(view)


FAMILY = _ToolCall(
    family=Family.TOOL_CALL,
    solution_schema=SOLUTION_SCHEMA,
    conventions=CONVENTIONS,
    checks={**CHECKS, **session.CHECKS},
    checks_version=library_version(),
)
"""What the rest of the house knows this family by."""
