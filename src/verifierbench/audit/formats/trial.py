"""The auditor's own trial as two tables of a page, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from verifierbench.core import SCHEMA_VERSION

from ..trial import Share, Trial

BEGIN, END = "<!-- self-audit: begin -->", "<!-- self-audit: end -->"
"""What stands between them in a page is written by `self-audit --page`."""


def document(trials: Sequence[Trial], recall: Mapping[str, Any] | None, suite: str) -> dict[str, Any]:
    """The machine contract of `self-audit --json`; shares and intervals in percent, recall's as `recall` has them."""
    return {
        "schema": SCHEMA_VERSION,
        "suite": suite,
        "checks": {one.check: _trial(one) for one in trials},
        "recall": recall,
    }


def markdown(trials: Sequence[Trial], recall: Mapping[str, Any] | None) -> str:
    """Both tables, without what went wrong one by one."""
    lines = ["| check | defects named | 95 % interval | false alarms | 95 % interval |", "|---|---|---|---|---|"]
    for one in trials:
        caught, alarms = one.sensitivity, one.false_alarms
        lines.append(
            f"| {one.check} | {caught.count} of {caught.of} | {interval(caught.interval)} "
            f"| {alarms.count} of {alarms.of}, {one.odd} odd | {interval(alarms.interval)} |"
        )
    return "\n".join([*lines, *(["", *_recalled(recall)] if recall else [])])


def interval(bounds: tuple[float, float] | None) -> str:
    """Two percentages; a dash where there is nothing to say."""
    return "–" if bounds is None else f"{bounds[0]:.1f} to {bounds[1]:.1f} %"


def wrong(trials: Sequence[Trial]) -> list[str]:
    """One line per plant about which its check was wrong."""
    return [
        f"{'missed' if each.expect == 'flaw' else 'false alarm'}: {each.name}: {each.says}"
        for one in trials
        for each in one.tried
        if not each.right
    ]


def _recalled(recall: Mapping[str, Any]) -> list[str]:
    rows = [("all that were reproduced", recall["recall"]), ("that a task here can meet", recall["recall_in_reach"])]
    return [
        "| known defects of BFCL's checker and gold | found | 95 % interval |",
        "|---|---|---|",
        *(f"| {name} | {one['found']} of {one['of']} | {_percent(one['interval'])} |" for name, one in rows),
        "",
        "| defect | what it is | flaws | tasks: found, in reach |",
        "|---|---|---|---|",
        *(
            f"| {name} | {one['what']} | {one['found'] or '–'} | {_reach(one)} |"
            for name, one in recall["defects"].items()
        ),
    ]


def _percent(bounds: Sequence[float] | None) -> str:
    return interval(None if bounds is None else (100 * bounds[0], 100 * bounds[1]))


def _reach(defect: Mapping[str, Any]) -> str:
    return f"{defect['tasks_found']}, {defect['tasks_in_reach']}" if defect["in_reach"] else "out of reach"


def _trial(trial: Trial) -> dict[str, Any]:
    return {
        "sensitivity": _share(trial.sensitivity),
        "false_alarms": _share(trial.false_alarms),
        "odd_controls": trial.odd,
        "tasks": trial.tasks,
        "wrong": [msgspec.to_builtins(one) for one in trial.tried if not one.right],
    }


def _share(share: Share) -> dict[str, Any]:
    return {"count": share.count, "of": share.of, "percent": share.percent, "ci": share.interval}
