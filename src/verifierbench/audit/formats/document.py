"""The report as JSON: the machine contract of `audit --json`, and what `audit.json` holds.

Other keys may be added; these stay. Figures are in percent. The schema's version changes when one of them does.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.core import SCHEMA_VERSION, MalformedInput
from verifierbench.core.files import read_bytes

from ..report import CheckSummary, Finding, Outcome, Report

NAME = "audit.json"
"""The last audit's document, among the audit's papers."""


def render(report: Report) -> str:
    """The document as text, with a final newline."""
    return json.dumps(document(report), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def document(report: Report) -> dict[str, Any]:
    """The document as plain data."""
    return {
        "schema": SCHEMA_VERSION,
        "ok": report.ok,
        "complete": report.complete,
        "exercised": report.exercised,
        "version": report.version,
        "seconds": round(report.seconds, 3),
        "suite": _suite(report),
        "checks": {check.name: _check(check) for check in report.checks},
        "mutants": {
            **msgspec.to_builtins(report.mutants),
            "configurations_per_task": report.mutants.configurations_per_task,
        },
        "source_agreement": {
            name: {**msgspec.to_builtins(one), "unexplained": one.unexplained}
            for name, one in report.source_agreement.items()
        },
        "tasks": counts(report),
        "outcomes": [_outcome(outcome) for outcome in report.outcomes],
    }


def counts(report: Report) -> dict[str, Any]:
    """Candidates, exclusions and what is retained; an excluded task counts once, under its first reason."""
    return {
        "candidates": len(report.outcomes),
        "retained": len(report.retained),
        "excluded": _counted(outcome.reasons[0] for outcome in report.excluded),
        "excluded_by_source": _counted(outcome.source for outcome in report.excluded),
        "retained_by_source": _counted(outcome.source for outcome in report.retained),
        "retained_by_family": _counted(outcome.family or "" for outcome in report.retained),
    }


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _suite(report: Report) -> dict[str, Any]:
    suite = report.suite
    return {
        "name": suite.name,
        "path": suite.path,
        "hash": suite.hash,
        "files": suite.files,
        "season": suite.season,
        "tasks": len(suite.tasks),
        "cases": suite.cases,
    }


def _check(check: CheckSummary) -> dict[str, Any]:
    return {
        "ok": check.ok,
        "passed": check.passed,
        "failed": len(check.findings),
        "exercised": check.exercised,
        "question": check.question,
        "facts": check.facts,
        "findings": [msgspec.to_builtins(finding) for finding in check.findings],
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    built = msgspec.to_builtins(outcome)
    marks = built.pop("marks")
    return {**built, "outcome": "retained" if outcome.retained else "excluded", "checks": marks}


class _Checked(msgspec.Struct, frozen=True):
    findings: tuple[Finding, ...]


class _Identity(msgspec.Struct, frozen=True):
    hash: str


class _Stored(msgspec.Struct, frozen=True):
    suite: _Identity
    checks: dict[str, _Checked]


def stored_findings(papers: Path, suite_hash: str) -> dict[str, Finding] | None:
    """The flaws of the audit that lies beside a suite, by id; None where there is none or it is of another suite.

    Raises `MalformedInput` for a document that cannot be read.
    """
    file = papers / NAME
    if not file.exists():
        return None
    try:
        stored = msgspec.convert(json.loads(read_bytes(file)), _Stored)
    except (ValueError, RecursionError) as error:
        raise MalformedInput(file, "", f"not an audit's document ({error}); delete it and audit again") from error
    if stored.suite.hash != suite_hash:
        return None
    return {finding.id: finding for checked in stored.checks.values() for finding in checked.findings}
