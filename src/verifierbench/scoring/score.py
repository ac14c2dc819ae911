"""Score a run: every hidden case of the suite gets exactly one row (a case that was shown is not hidden).

Decisions are kept in the run's ledger as they are made, so an interrupted scoring is resumed by the same command, and
`decisions.jsonl` appears only when all are there. A case whose task has no verifier is `missing`. A failure of our
own machinery never becomes a row: it raises, and the file is not written.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from verifierbench.core import (
    Case,
    CaseDecision,
    Decision,
    Inconsistent,
    Limits,
    Reason,
    Run,
    Task,
    UserError,
)
from verifierbench.execution import Executor, Job, Ledger, LocalExecutor, Progress, silent
from verifierbench.sandbox import Tier, choose_tier
from verifierbench.suite import Suite

from .folder import RunFolder
from .plan import Planned, plan

_MISSING = Decision(reason=Reason.MISSING, detail="no verifier was handed in")
_WORKER = "verifierbench.scoring.worker:Scorer"


def score(
    suite: Suite,
    run_dir: Path,
    *,
    workers: int | None = None,
    tier: Tier | None = None,
    progress: Progress = silent,
    executor: Executor | None = None,
) -> None:
    """Decide every case and write `decisions.jsonl`; `tier` None takes the best that holds here.

    `executor` overrides `workers` processes on this machine. Raises `UserError` for a run of another suite,
    `MalformedInput`, `Unavailable`, and `InfrastructureError` after everything that could be decided is in the ledger.
    """
    folder = RunFolder(run_dir)
    run = folder.run()
    if run.suite_hash != suite.hash:
        raise UserError(
            f"{run_dir} was made for another suite: hash {run.suite_hash[:12]}, not {suite.hash[:12]} as {suite.path}"
        )
    if run.harness is None:
        raise UserError(f"{run_dir} was decided on the trusted side and holds no verifier to score")
    chosen = choose_tier(tier)
    planned = plan(suite, folder, run, chosen)
    units = [one.unit for one in planned if one.unit is not None]
    (executor or LocalExecutor(workers)).run(_job(suite, folder, chosen, run.limits), units, folder.ledger, progress)
    _publish(suite, folder, run, chosen, planned)


def row(task: Task, case: Case, decision: Decision) -> CaseDecision:
    """A decision with what the measures need to know of its case."""
    return CaseDecision(
        case=case.id, task=task.id, source=task.source, family=task.family, kind=case.kind, decision=decision
    )


def _job(suite: Suite, folder: RunFolder, tier: Tier, limits: Limits) -> Job:
    settings = {
        "suite": str(suite.path.resolve()),
        "suite_hash": suite.hash,
        "run": str(folder.path.resolve()),
        "tier": tier.value,
        "limits": msgspec.to_builtins(limits),
    }
    return Job(entry=_WORKER, settings=settings)


def _publish(suite: Suite, folder: RunFolder, run: Run, tier: Tier, planned: tuple[Planned, ...]) -> None:
    with Ledger(folder.ledger) as ledger:
        results = ledger.results([one.unit.key for one in planned if one.unit is not None])
    decisions = {one.case.id: _decision(one, results) for one in planned}
    if run.tier != tier.value:
        # No moment at which the description claims one containment and the decisions were made in another.
        folder.decisions.unlink(missing_ok=True)
        folder.write_run(msgspec.structs.replace(run, tier=tier.value))
    cases = ((task, case) for task in suite.tasks for case in suite.cases(task))
    folder.write_rows(row(task, case, decisions[case.id]) for task, case in cases if case.id in decisions)


def _decision(one: Planned, results: dict[str, bytes]) -> Decision:
    if one.unit is None:
        return _MISSING
    if one.unit.key not in results:
        raise Inconsistent(f"the executor returned without a decision on {one.case.id}")
    return msgspec.json.decode(results[one.unit.key], type=Decision)
