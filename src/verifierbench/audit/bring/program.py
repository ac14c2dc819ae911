"""A program as a reference: somebody's own verifier, run in the sandbox on what a verifier would see.

It is trusted with nothing. Whatever it does (crash, hang, exit, return something else) is no decision, and stands in
the finding as an atom of the check `no_decision`, so that a reference that rejects by crashing is told apart from one
that rejects for a reason. `env.run` is answered from recorded evidence alone.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from verifierbench.audit.subject import Mutant
from verifierbench.core import (
    Atom,
    Decision,
    Finding,
    Limits,
    Reason,
    Task,
    Verdict,
    content_bytes,
    content_hash,
    sha256,
)
from verifierbench.environments import BudgetedEnvironment
from verifierbench.sandbox import VerifierBox, choose_tier
from verifierbench.scoring.trusted import persistently

from .form import EvidenceRow
from .guards import GUARD, guards
from .mutants import mutants
from .recorded import Recorded

LIMITS = Limits(seconds=5.0, environment_calls=200)
"""Per case. Short, because a reference and its mutants decide thousands of times."""

NO_DECISION = "no_decision"
"""The check of the atom that stands for a program's silence."""

_SHOWN = 200
"""Characters of what a program says of its own failure."""

_HANGS = 2
"""After so many cases without an end, a program is not run again: the rest are time-outs as well."""


class Runner:
    """One sandbox for many programs, started when it is first needed and ended with `close` or with this process."""

    def __init__(self) -> None:
        self._box: VerifierBox | None = None
        self._hung: Counter[str] = Counter()
        self._ending: weakref.finalize[[], Runner] | None = None

    def run(
        self, program: str, solution: Any, task: Task, evidence: Recorded | None, *, explain: bool = False
    ) -> Decision:
        """Decide one solution; when explained, with the deciding line.

        Raises `Unavailable` where no sandbox holds here, and `InfrastructureError` where ours fails.
        """
        key = sha256(program.encode())
        if self._hung[key] >= _HANGS:
            return Decision(reason=Reason.TIMEOUT, detail="not run again after it did not end on other cases")
        decision = persistently(lambda: self._once(program, solution, task, evidence, explain))
        self._hung[key] += decision.reason is Reason.TIMEOUT
        return decision

    def close(self) -> None:
        """End the sandbox; a later run starts another."""
        if self._ending is not None:
            self._ending()
        self._box = self._ending = None

    def _once(self, program: str, solution: Any, task: Task, evidence: Recorded | None, explain: bool) -> Decision:
        public: Any = task.public
        environment = BudgetedEnvironment(task, evidence, LIMITS)
        told, given = content_bytes(public), content_bytes(solution)
        return self._open().run(program.encode(), given, told, environment, LIMITS, explain=explain).decision

    def _open(self) -> VerifierBox:
        if self._box is None:
            self._box = VerifierBox(choose_tier())
            self._ending = weakref.finalize(self, self._box.close)
        return self._box


class ProgramJudge:
    """A program in the reference's place; meets `Judge`."""

    def __init__(
        self, program: str, task: Task, evidence: Recorded | None, runner: Runner, version: str, *, parts: bool = True
    ) -> None:
        """`version` is the reference's hash; without `parts` a decision does not say which guard made it."""
        self._program, self._task, self._evidence, self._runner = program, task, evidence, runner
        self.version, self._parts = version, guards(program) if parts else ()
        self._known: dict[str, Decision] = {}

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> ProgramJudge:
        """The judge that `spec` describes; all of a process share one sandbox."""
        rows = spec["evidence"]
        evidence = None if rows is None else Recorded(msgspec.convert(rows, list[EvidenceRow]))
        return cls(spec["program"], msgspec.convert(spec["task"], Task), evidence, _shared(), "")

    def decide(self, view: Any) -> Finding:
        """Run it on the view's solution; each solution is run once."""
        decision = self.decision(view["solution"])
        if decision.verdict is Verdict.PASS:
            return Finding(True)
        return Finding(False, _silent(decision) if decision.verdict is None else self._deciding(decision.line))

    def decision(self, solution: Any) -> Decision:
        """What it said of a solution, or why it said nothing."""
        key = content_hash(solution)
        if key not in self._known:
            self._known[key] = self._runner.run(
                self._program, solution, self._task, self._evidence, explain=bool(self._parts)
            )
        return self._known[key]

    def spec(self, view: Any) -> dict[str, Any]:
        """The program, the task, and the recorded answers it asked for on this view; all of them where it is None."""
        return {
            "program": self._program,
            "task": msgspec.to_builtins(self._task),
            "evidence": None if self._evidence is None else self._evidence.rows(self._asked(view)),
        }

    def mutants(self) -> Iterator[Mutant]:
        """Each guard dropped and loosened."""
        for changed in mutants(self._program):
            atom = changed.guard.atom
            name = ":".join(filter(None, (changed.operator, atom.name, changed.part)))
            judge = self._changed(changed.source, f"{self.version}~{name}")
            yield Mutant(name=name, operator=changed.operator, atom=atom.name, clause=atom.clause, judge=judge)

    def _changed(self, program: str, version: str) -> ProgramJudge:
        return ProgramJudge(program, self._task, self._evidence, self._runner, version, parts=False)

    def _asked(self, view: Any) -> frozenset[str] | None:
        assert self._evidence is not None
        if view is None:
            return None
        self._evidence.asked.clear()
        self._runner.run(self._program, view["solution"], self._task, self._evidence)
        return frozenset(self._evidence.asked)

    def _deciding(self, line: int | None) -> tuple[Atom, ...]:
        """The guard that the deciding line belongs to, the innermost where one is inside another.

        A FAIL that no guard gave rests on no clause, and is told as an atom that enforces none.
        """
        at = [guard for guard in self._parts if line is not None and guard.first <= line <= guard.last]
        if at:
            return (min(at, key=lambda guard: guard.last - guard.first).atom,)
        return (Atom(name=f"line {line}, no guard" if line else "no guard", clause="", check=GUARD),)


def _silent(decision: Decision) -> tuple[Atom, ...]:
    where = f" at line {decision.line}" if decision.line else ""
    detail = "".join(c if c.isprintable() else "\ufffd" for c in decision.detail[:_SHOWN])
    said = f"no decision: {decision.reason}{where}" + (f" ({detail})" if detail else "")
    return (Atom(name=said, clause="", check=NO_DECISION),)


@cache
def _shared() -> Runner:
    return Runner()
