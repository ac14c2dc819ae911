"""What two suites have in common: counts that can be published while both hidden halves stay hidden.

A season is only fresh as far as it differs from those that were revealed before it. Cases are the same when they are
the same solution, byte for byte, to the same task; whoever made them, and whatever they are called.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from verifierbench.core import Case

from .store import Suite


def overlap(first: Suite, second: Suite) -> dict[str, Any]:
    """Tasks, cases, attacks and operators in common: counts, and the share of each suite's own in percent.

    A share is None where a suite has none of a kind.
    """
    return {
        "schema": 1,
        "suites": [
            {"hash": suite.hash, "season": suite.manifest.season, "commitment": suite.manifest.commitment}
            for suite in (first, second)
        ],
        "tasks": _common(*([task.id for task in suite.tasks] for suite in (first, second))),
        "cases": _common(*(_contents(suite.all_cases) for suite in (first, second))),
        "attacks": _common(*(_contents(_attacks(suite)) for suite in (first, second))),
        "operators": _common(*([case.operator for case in suite.all_cases] for suite in (first, second))),
        "attack_operators": _common(*([case.operator for case in _attacks(suite)] for suite in (first, second))),
    }


def _attacks(suite: Suite) -> list[Case]:
    return [case for case in suite.all_cases if case.kind.is_attack]


def _contents(cases: Iterable[Case]) -> list[tuple[str, str]]:
    return [(case.task, case.content_hash) for case in cases]


def _common(first: Iterable[Hashable], second: Iterable[Hashable]) -> dict[str, Any]:
    sets = set(first), set(second)
    common = len(sets[0] & sets[1])
    return {
        "counts": [len(each) for each in sets],
        "common": common,
        "shares": [round(100 * common / len(each), 2) if each else None for each in sets],
    }
