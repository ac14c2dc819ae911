"""Why one decision came out as it did: what the case is, what the reference sees, what the verifier did.

An explanation joins the hidden half with a fresh, traced run of the verifier. It is for whoever may see labels: it
never goes into a workspace or onto a page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from verifierbench.core import Case, Clause, Decision, EnvironmentRefusal, Limits, Task, Verdict, evaluate
from verifierbench.families import family, view
from verifierbench.sandbox import Tier
from verifierbench.scoring import Checked, PublicEnvironments, check
from verifierbench.suite import Suite


class BrokenAtom(msgspec.Struct, frozen=True, kw_only=True):
    """A check of the reference that the solution does not satisfy."""

    name: str
    check: str
    parameters: dict[str, Any]
    clause: str


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """One case and one verifier's decision on it."""

    task: str
    case: str
    label: Verdict
    kind: str
    operator: str
    grounds: tuple[tuple[Clause, str], ...]
    """Each clause the label rests on, with the case's own note."""
    view: dict[str, Any]
    """What a verifier may see: the solution, and what the environment says of it."""
    reference: Verdict
    broken: tuple[BrokenAtom, ...]
    decision: Decision
    deciding_line: str
    """The text of the line of verifier.py that decided; empty where unknown."""
    trail: tuple[tuple[int, str], ...]
    """The last lines executed, oldest first."""
    output: str

    @property
    def right(self) -> bool:
        """Whether the decision is the label."""
        return self.decision.verdict is self.label


def explain(suite: Suite, task: Task, case: Case, verifier: bytes, *, tier: Tier, limits: Limits) -> Explanation:
    """Run a verifier once more on one case, traced, and say why it came out as it did."""
    (checked,) = check(verifier, task, [case], evidence=suite.evidence, tier=tier, limits=limits, explain=True)
    with PublicEnvironments(suite.evidence) as environments:
        public = environments.of(task)
        return _join(task, verifier, checked, public.execute if public is not None else _nothing_to_run)


def _join(task: Task, verifier: bytes, checked: Checked, execute: Callable[[Any], Any]) -> Explanation:
    case, definition = checked.case, family(task.family)
    seen = view(definition, task.reference, case.content, execute)
    finding = evaluate(task.reference.root, seen, definition.checks)
    clauses = {clause.id: clause for clause in task.clauses}
    lines = verifier.decode(errors="replace").splitlines()
    return Explanation(
        task=task.id,
        case=case.id,
        label=case.label,
        kind=case.kind.value,
        operator=case.operator,
        grounds=tuple((clauses[ground.clause], ground.note) for ground in case.grounds),
        view=seen,
        reference=Verdict.PASS if finding.ok else Verdict.FAIL,
        broken=tuple(
            BrokenAtom(name=atom.name, check=atom.check, parameters=atom.parameters, clause=atom.clause)
            for atom in finding.failed
        ),
        decision=checked.row.decision,
        deciding_line=_line(lines, checked.row.decision.line),
        trail=tuple((number, _line(lines, number)) for number in checked.trail),
        output=checked.output,
    )


def _nothing_to_run(_request: Any) -> Any:
    raise EnvironmentRefusal("this task has no environment")


def _line(lines: list[str], number: int | None) -> str:
    return lines[number - 1].strip() if number is not None and 0 < number <= len(lines) else ""
