"""Counts of a suite: how many tasks and cases, of which kind, from where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from verifierbench.core import Case, CaseKind, Task, Verdict

from .store import Suite


def stats(suite: Suite) -> dict[str, Any]:
    """The machine contract of `suite stats --json`; other keys may be added."""
    reasons = Counter(excluded.reason for excluded in suite.excluded)
    retained = len(suite.tasks)
    return {
        "schema": 1,
        "hash": suite.hash,
        "season": suite.manifest.season,
        "commitment": suite.manifest.commitment,
        "sources": suite.manifest.sources,
        "tasks": {
            "candidates": retained + sum(reasons.values()),
            "retained": retained,
            "excluded": dict(reasons),
        },
        "cases": case_counts(suite.all_cases),
        "by_source": _grouped(suite, lambda task: task.source),
        "by_family": _grouped(suite, lambda task: task.family.value),
    }


def case_counts(cases: Iterable[Case]) -> dict[str, Any]:
    """Cases by label and kind."""
    kinds = Counter(case.kind for case in cases)
    passing = sum(n for kind, n in kinds.items() if kind.label is Verdict.PASS)
    total = sum(kinds.values())
    return {
        "total": total,
        "pass": passing,
        "fail": total - passing,
        "attacks": sum(n for kind, n in kinds.items() if kind.is_attack),
        "by_kind": {kind.value: kinds[kind] for kind in CaseKind},
    }


def _grouped(suite: Suite, key: Any) -> dict[str, Any]:
    groups: dict[str, list[Task]] = {}
    for task in suite.tasks:
        groups.setdefault(key(task), []).append(task)
    return {
        name: {
            "tasks": len(tasks),
            "cases": case_counts(case for task in tasks for case in suite.cases(task)),
        }
        for name, tasks in sorted(groups.items())
    }
