"""What the desk tells an agent: what its own verifier did, what a person at the environment would see, what it cost.

Everything here is made from the agent's own bytes, the public environment's words and the budget. A label, a case, a
clause or a reference is not within reach of this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from verifierbench.core import Decision

from .budget import NOT_EVIDENCE, Budget
from .record import Outcome

if TYPE_CHECKING:
    from verifierbench.sandbox import Execution

__all__ = ["EXIT", "Ran", "Served", "compared", "cost", "outcome", "told"]

EXIT: dict[Outcome, int] = {"answered": 0, "refused": 0, "undecided": 1, "malformed": 2, "blocked": 3, "failed": 4}
"""Exit status of a tool by outcome, as its `--help` tells it."""

PRINTED = 4_000
"""Characters of what a verifier printed that are passed on."""


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """One request's outcome: what is told, and what the record gains (fields of `DeskEntry`)."""

    outcome: Outcome
    answer: dict[str, Any]
    executions: int = 0
    entry: dict[str, Any] = {}


class Ran(msgspec.Struct, frozen=True):
    """The verifier on one solution."""

    execution: Execution
    blocked: int
    """Its executions that were refused for the attempt's budget."""

    @property
    def decision(self) -> Decision:
        """What it decided."""
        return self.execution.decision


def outcome(runs: list[Ran]) -> Outcome:
    """A self-test's: blocked wherever an execution was, whatever the verifier made of it."""
    if any(ran.blocked for ran in runs):
        return "blocked"
    return "undecided" if any(ran.decision.verdict is None for ran in runs) else "answered"


def told(ran: Ran, budget: Budget) -> dict[str, Any]:
    """One run of the verifier."""
    decision, printed = ran.decision, ran.execution.output
    said: dict[str, Any] = {"verdict": decision.verdict}
    if decision.reason is not None:
        said |= {"reason": decision.reason, "detail": decision.detail}
    if decision.line is not None:
        said["line"] = decision.line
    if ran.blocked:
        came = "the verdict came after a blocked execution: " if decision.verdict else ""
        said["warning"] = came + budget.exhausted
    said["printed"] = printed[:PRINTED]
    if len(printed) > PRINTED:
        said["more"] = "it printed more than is shown here"
    return {**said, "seconds": round(decision.wall_seconds, 3)}


def compared(pointer: str, runs: list[Ran]) -> dict[str, Any]:
    """Whether two solutions that differ at one place were decided alike, and what follows from it."""
    first, second = (ran.decision.verdict for ran in runs)
    if any(ran.blocked for ran in runs):
        return {"same": None, "says": f"an execution was blocked; {NOT_EVIDENCE}"}
    if first is None or second is None:
        return {"same": None, "says": "there are not two verdicts to compare"}
    word = "are the same" if first is second else "differ"
    rule = f"where the task leaves {pointer!r} open, a right verifier says the same of both"
    return {"same": first is second, "says": f"the verdicts {word}; {rule}"}


def cost(budget: Budget, spent: int) -> dict[str, int]:
    """What a request took of the budget, and what is left."""
    return {"this": spent, "used": budget.used, "left": budget.left}
