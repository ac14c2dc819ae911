"""Words that every format for people shares."""

from __future__ import annotations

from typing import NamedTuple

from ..checks import NAMES
from ..report import Finding, Report


def visible(text: str) -> str:
    """Text with everything that cannot be seen written out: a case is hostile, and may steer a terminal or a reader."""
    return "".join(one if one.isprintable() or one in "\n\t" else _escaped(one) for one in text)


def _escaped(one: str) -> str:
    return f"\\u{ord(one):04x}" if ord(one) < 0x10000 else f"\\U{ord(one):08x}"


def count(number: int, noun: str, plural: str | None = None) -> str:
    """`1 flaw`, `2,815 cases`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def verdict(report: Report) -> str:
    """The audit in one sentence or two."""
    return " ".join(filter(None, (_found(report), _reach(report))))


def _found(report: Report) -> str:
    tasks, passed = len(report.suite.tasks), sum(check.passed for check in report.checks)
    held = f"{count(passed, 'assertion')} {'holds' if passed == 1 else 'hold'}"
    if report.ok:
        return f"No flaw was found: {held} on {count(tasks, 'task')} and {count(report.suite.cases, 'case')}."
    flawed = sum(1 for outcome in report.outcomes if outcome.at == "audit")
    overall = sum(1 for finding in report.findings if not finding.task)
    in_tasks = len(report.findings) - overall
    parts = [f"{count(in_tasks, 'flaw')} in {flawed:,} of {count(tasks, 'task')}"] if in_tasks else []
    parts += [f"{count(overall, 'flaw')} of the suite as a whole"] if overall else []
    return f"{' and '.join(parts)}. {count(len(report.retained), 'task')} retained; {held}."


def _reach(report: Report) -> str:
    idle = [check.name for check in report.checks if not check.exercised]
    parts = []
    if not report.complete:
        parts.append(f"Only {len(report.checks)} of the {len(NAMES)} checks were run.")
    if idle:
        parts.append(f"Not exercised, so nothing is known: {', '.join(idle)}.")
    return " ".join(parts)


class Kind(NamedTuple):
    """All flaws with one reason."""

    rule: str
    meaning: str
    flaws: int
    tasks: int
    """How many tasks they are spread over; none where they are of the suite as a whole."""


def kinds(report: Report) -> list[Kind]:
    """Every reason that was given, the commonest first."""
    groups: dict[str, list[Finding]] = {}
    for finding in report.findings:
        groups.setdefault(finding.rule, []).append(finding)
    found = [
        Kind(rule, own[0].meaning, len(own), len({one.task for one in own} - {""})) for rule, own in groups.items()
    ]
    return sorted(found, key=lambda kind: (-kind.flaws, kind.rule))


def by_task(report: Report) -> dict[str, list[Finding]]:
    """Flaws of the suite as a whole under the empty name, then task by task in the suite's order; nothing empty."""
    groups: dict[str, list[Finding]] = {"": [], **{task.id: [] for task in report.suite.tasks}}
    for finding in report.findings:
        groups[finding.task].append(finding)
    return {task: findings for task, findings in groups.items() if findings}
