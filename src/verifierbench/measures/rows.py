"""The denominator: every case that exists has exactly one row.

A run that lost a row must not gain by it. `complete` adds, for each expected case without a row, the decision
`missing`; a row for a case that does not exist, a second row for one case, or a row that contradicts its case is a
bug of ours and raises `Inconsistent`.
"""

from __future__ import annotations

from collections.abc import Iterable

from verifierbench.core import Candidate, Case, CaseDecision, Decision, Inconsistent, Reason, Task


def complete(rows: Iterable[CaseDecision], expected: Iterable[Candidate]) -> tuple[CaseDecision, ...]:
    """One row per expected case, in the expected order; absent ones are `missing`."""
    given = unique(rows)
    wanted = [_row(candidate.task, case) for candidate in expected for case in candidate.cases]
    strangers = given.keys() - {row.case for row in wanted}
    if strangers:
        raise Inconsistent(f"{len(strangers)} rows are about cases that do not exist: {min(strangers)}, …")
    return tuple(_agreeing(given.get(row.case, row), row) for row in wanted)


def unique(rows: Iterable[CaseDecision]) -> dict[str, CaseDecision]:
    """Rows by case id; raises `Inconsistent` when a case has two."""
    found: dict[str, CaseDecision] = {}
    for row in rows:
        if row.case in found:
            raise Inconsistent(f"case {row.case} has two rows")
        found[row.case] = row
    return found


def _row(task: Task, case: Case) -> CaseDecision:
    lost = Decision(reason=Reason.MISSING, detail="the run has no row for this case")
    return CaseDecision(
        case=case.id, task=task.id, source=task.source, family=task.family, kind=case.kind, decision=lost
    )


def _agreeing(row: CaseDecision, expected: CaseDecision) -> CaseDecision:
    facts = [(r.task, r.source, r.family, r.kind) for r in (row, expected)]
    if facts[0] != facts[1]:
        raise Inconsistent(f"row {row.case} says {facts[0]}, the case is {facts[1]}")
    return row
