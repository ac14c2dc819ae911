"""Why upstream's grading disagrees with a label: the entry of the ledger whose predicate holds of the case.

An entry says in which direction the grading errs, and on which clauses or tasks. All of that is read from the case;
upstream is never asked.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from verifierbench.core import Case, Decision, Explanation, Task, Verdict
from verifierbench.families.code.conventions import TRUTHFUL
from verifierbench.sources.ledger import LEDGER, read_tables

OTHERS = "others"
"""Every clause but the one on the truth of tests."""


class Defect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of the ledger."""

    id: str
    wrongly: Literal["accepts", "rejects"]
    what: str
    evidence: str
    clauses: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()


@cache
def ledger() -> tuple[Defect, ...]:
    """Every entry, in its order."""
    return msgspec.convert(read_tables(Path(__file__).parent, LEDGER)["defect"], tuple[Defect, ...])


def explain(task: Task, case: Case, decision: Decision) -> Explanation | None:
    """The first entry that explains a decision that is not the label; None where the two agree or none holds."""
    if decision.verdict is None or decision.verdict is case.label:
        return None
    wrongly = "accepts" if decision.verdict is Verdict.PASS else "rejects"
    known = (defect for defect in ledger() if defect.wrongly == wrongly and _holds(defect, task, case))
    found = next(known, None)
    return None if found is None else Explanation(defect=found.id, what=found.what)


def _holds(defect: Defect, task: Task, case: Case) -> bool:
    cited = {ground.clause if ground.clause == TRUTHFUL else OTHERS for ground in case.grounds}
    on_clause = not defect.clauses or bool(cited & set(defect.clauses))
    return on_clause and (not defect.tasks or task.id.partition("/")[2] in defect.tasks)
