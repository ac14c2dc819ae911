"""Why upstream's evaluation disagrees with a label: the entries of the ledger as predicates over a case.

Each predicate looks at the case and at what the reference asks for; upstream is not asked and need not be here.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from verifierbench.core import Case, Decision, Explanation, MalformedInput, Task, Verdict, atoms
from verifierbench.sources.ledger import LEDGER, read_tables

HERE = Path(__file__).parent
TEXT = "answer"
"""The clause whose explanation needs an answer that is more than the value."""


class Defect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of the ledger."""

    id: str
    wrongly: Literal["accepts", "rejects"]
    clauses: tuple[str, ...]
    what: str
    evidence: str


class Ledger(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All entries."""

    defect: tuple[Defect, ...]


@cache
def ledger() -> tuple[Defect, ...]:
    """Every entry; raises `MalformedInput`."""
    try:
        return msgspec.convert(read_tables(HERE, LEDGER), Ledger).defect
    except msgspec.ValidationError as error:
        raise MalformedInput(HERE / LEDGER, "", str(error)) from error


def explain(task: Task, case: Case, decision: Decision) -> Explanation | None:
    """The first entry that explains a decision that is not the label; None where the two agree or none holds."""
    if decision.verdict is None or decision.verdict is case.label:
        return None
    wrongly = "accepts" if decision.verdict is Verdict.PASS else "rejects"
    found = (defect for defect in ledger() if defect.wrongly == wrongly and _holds(defect, task, case))
    defect = next(found, None)
    return None if defect is None else Explanation(defect=defect.id, what=defect.what)


def _holds(defect: Defect, task: Task, case: Case) -> bool:
    """Whether every clause the case violates is overlooked, or its answer is not the value alone."""
    if defect.wrongly == "rejects":
        answer = case.content["answer"]
        values = [atom.parameters["fact"][0] for atom in atoms(task.reference.root) if atom.clause == TEXT]
        return bool(values) and answer != values[0]
    return all(ground.clause in defect.clauses for ground in case.grounds)
