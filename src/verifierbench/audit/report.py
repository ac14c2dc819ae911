"""What an audit found, as one frozen value: per check, per task, and in total.

Every candidate has an outcome: it is retained, or excluded with the reasons and the flaws that say so. A candidate
that was lost on the way, or a check that forgot a task, is a bug and raises: the numbers always add up. Flaws of the
suite as a whole belong to no task and exclude none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from verifierbench import __version__
from verifierbench.core import Inconsistent
from verifierbench.suite import Excluded, Suite, fingerprint

from .checks import NAMES
from .figures import Agreement, Mutants, agreement, mutants
from .findings import Check, Examined, Flaw


class AuditedTask(msgspec.Struct, frozen=True, kw_only=True):
    """What a report says of a task besides its outcome."""

    id: str
    source: str
    family: str
    cases: int


class SuiteFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What was audited."""

    path: str
    name: str
    """The folder's own name."""
    hash: str
    season: str
    tasks: tuple[AuditedTask, ...]
    files: str = ""
    """Identity of every file of a built suite as it was audited: `suite lock` compares it."""
    brought: bool = False
    """Whether it stands in plain files of its author's; else it was built."""

    @property
    def papers(self) -> Path:
        """The folder that the audit may write."""
        return Path(self.path) / (".audit" if self.brought else "hidden")

    @classmethod
    def of(cls, suite: Suite) -> SuiteFacts:
        """The facts of a suite as it was loaded."""
        path = suite.path.resolve()
        tasks = tuple(
            AuditedTask(id=task.id, source=task.source, family=task.family.value, cases=len(suite.cases(task)))
            for task in suite.tasks
        )
        return cls(
            path=str(path),
            name=path.name,
            hash=suite.hash,
            season=suite.manifest.season,
            tasks=tasks,
            files=fingerprint(path),
        )

    @property
    def cases(self) -> int:
        """How many cases all tasks have together."""
        return sum(task.cases for task in self.tasks)


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A flaw as it is reported: with an id that is unique within the report and what its reason means."""

    id: str
    check: str
    reason: str
    meaning: str
    task: str
    case: str
    place: str
    says: str
    evidence: dict[str, Any]
    reproduction: str

    @property
    def rule(self) -> str:
        """`<check>.<reason>`."""
        return f"{self.check}.{self.reason}"


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What one check saw of one task, in numbers; two zeros mean there was nothing to look at."""

    passed: int
    failed: int


class CheckSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What one check found in all tasks together."""

    name: str
    question: str
    prose: str
    reasons: dict[str, str]
    passed: int
    """Single assertions that held."""
    findings: tuple[Finding, ...]
    facts: dict[str, int | float]
    """What it counted besides, added up over tasks."""

    @property
    def ok(self) -> bool:
        """Whether it found no flaw."""
        return not self.findings

    @property
    def exercised(self) -> bool:
        """Whether it had anything to look at that was right: a check that never passed proves nothing."""
        return self.passed > 0


Stage: TypeAlias = Literal["build", "audit"]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one candidate."""

    task: str
    source: str
    family: str | None = None
    """None for a candidate that was excluded before the audit."""
    cases: int | None = None
    at: Stage | None = None
    """Where it was excluded; None while it is retained."""
    reasons: tuple[str, ...] = ()
    """`<check>.<reason>` where the audit excluded it; the first is the one it is counted under."""
    evidence: tuple[str, ...] = ()
    """Ids of its flaws, or what was recorded when it was excluded."""
    marks: dict[str, Mark] = {}
    """Check → what it saw."""

    @property
    def retained(self) -> bool:
        """Whether it stays in the suite."""
        return self.at is None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """One audit of one suite."""

    suite: SuiteFacts
    version: str
    seconds: float
    """Wall clock of the audit."""
    checks: tuple[CheckSummary, ...]
    outcomes: tuple[Outcome, ...]
    """One for every candidate: the suite's tasks in their order, then those that were excluded before."""
    mutants: Mutants
    source_agreement: dict[str, Agreement]

    @property
    def ok(self) -> bool:
        """Whether no check found a flaw in the suite as it was given."""
        return all(check.ok for check in self.checks)

    @property
    def complete(self) -> bool:
        """Whether every check was run."""
        return {check.name for check in self.checks} >= set(NAMES)

    @property
    def exercised(self) -> bool:
        """Whether every check that was run had something to look at."""
        return all(check.exercised for check in self.checks)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every flaw, check by check."""
        return tuple(finding for check in self.checks for finding in check.findings)

    @property
    def excluded(self) -> tuple[Outcome, ...]:
        """Candidates that do not stay."""
        return tuple(outcome for outcome in self.outcomes if not outcome.retained)

    @property
    def retained(self) -> tuple[Outcome, ...]:
        """Candidates that stay."""
        return tuple(outcome for outcome in self.outcomes if outcome.retained)


def assemble(
    suite: SuiteFacts,
    examined: Iterable[Examined],
    checks: Sequence[Check],
    excluded: Sequence[Excluded] = (),
    *,
    seconds: float = 0.0,
) -> Report:
    """The report of what each check saw of each task; raises `Inconsistent` where a task or a reason is missing."""
    seen = _by_check(suite, examined, checks)
    summaries = tuple(_summary(check, tuple(seen[check.name].values())) for check in checks)
    sources = {task.id: task.source for task in suite.tasks}
    return Report(
        suite=suite,
        version=__version__,
        seconds=seconds,
        checks=summaries,
        outcomes=(*_audited(suite, seen, summaries), *_excluded_before(excluded)),
        mutants=mutants(seen.get("mutation", {}).values()),
        source_agreement=agreement(seen.get("agreement", {}).values(), sources),
    )


def _by_check(
    suite: SuiteFacts, examined: Iterable[Examined], checks: Sequence[Check]
) -> Mapping[str, Mapping[str, Examined]]:
    """Check → task → what was seen, complete and in the suite's order."""
    found: dict[tuple[str, str], Examined] = {}
    for one in examined:
        if found.setdefault((one.check, one.task), one) is not one:
            raise Inconsistent(f"{one.check} examined {one.task} twice")
    wanted = {(check.name, task.id) for check in checks for task in suite.tasks}
    for check, task in sorted(wanted ^ found.keys()):
        raise Inconsistent(f"{check} has examined {task}" if (check, task) in found else f"{check} left out {task}")
    return {check.name: {task.id: found[check.name, task.id] for task in suite.tasks} for check in checks}


def _summary(check: Check, seen: Sequence[Examined]) -> CheckSummary:
    flaws = [flaw for one in seen for flaw in one.flaws]
    _refuse_strays(check, seen)
    flaws += check.overall(seen) if check.overall else ()
    return CheckSummary(
        name=check.name,
        question=check.question,
        prose=check.prose.strip(),
        reasons=check.reasons,
        passed=sum(one.passed for one in seen),
        findings=tuple(_named(check, flaws)),
        facts=_added(seen),
    )


def _added(seen: Sequence[Examined]) -> dict[str, int | float]:
    facts: dict[str, int | float] = {}
    for one in seen:
        for name, count in one.facts.items():
            facts[name] = facts.get(name, 0) + count
    return dict(sorted(facts.items()))


def _refuse_strays(check: Check, seen: Sequence[Examined]) -> None:
    for one in seen:
        for flaw in one.flaws:
            if (flaw.check, flaw.task) != (check.name, one.task):
                raise Inconsistent(f"{check.name} gave {one.task} a flaw of {flaw.check} in {flaw.task!r}")


def _named(check: Check, flaws: Iterable[Flaw]) -> Iterable[Finding]:
    """Findings with unique ids: a second flaw about the very same thing is numbered, never dropped."""
    times: Counter[str] = Counter()
    for flaw in flaws:
        if flaw.reason not in check.reasons:
            raise Inconsistent(f"{check.name} gives a reason it does not declare: {flaw.reason}")
        times[flaw.id] += 1
        name = flaw.id if times[flaw.id] == 1 else f"{flaw.id}-{times[flaw.id]}"
        yield Finding(id=name, meaning=check.reasons[flaw.reason], **msgspec.structs.asdict(flaw))


def _audited(
    suite: SuiteFacts, seen: Mapping[str, Mapping[str, Examined]], summaries: Sequence[CheckSummary]
) -> Iterable[Outcome]:
    findings: dict[str, list[Finding]] = {task.id: [] for task in suite.tasks}
    for summary in summaries:
        for finding in summary.findings:
            if finding.task:
                findings[finding.task].append(finding)
    for task in suite.tasks:
        own = findings[task.id]
        yield Outcome(
            task=task.id,
            source=task.source,
            family=task.family,
            cases=task.cases,
            at="audit" if own else None,
            reasons=tuple(dict.fromkeys(finding.rule for finding in own)),
            evidence=tuple(finding.id for finding in own),
            marks={name: _mark(by_task[task.id]) for name, by_task in seen.items()},
        )


def _mark(seen: Examined) -> Mark:
    return Mark(passed=seen.passed, failed=len(seen.flaws))


def _excluded_before(excluded: Sequence[Excluded]) -> Iterable[Outcome]:
    """One outcome per candidate, however many reasons were recorded for it."""
    entries: dict[str, list[Excluded]] = {}
    for one in excluded:
        entries.setdefault(one.task, []).append(one)
    for task, own in entries.items():
        yield Outcome(
            task=task,
            source=own[0].source,
            at="build",
            reasons=tuple(dict.fromkeys(one.reason for one in own)),
            evidence=tuple(piece for one in own for piece in one.evidence),
        )
