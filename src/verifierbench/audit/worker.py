"""The worker of an audit: examines whole tasks in a process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from verifierbench.scoring import PublicEnvironments
from verifierbench.suite import Suite

from .checks import checks
from .findings import Examined
from .gather import Gatherer
from .subject import Fresh


class Auditor:
    """Meets `execution.Worker`: a unit is a task with its fresh runs, its result what each check saw of it."""

    def __init__(self, settings: dict[str, Any]) -> None:
        suite = Suite.load(Path(settings["suite"]))
        self._checks = checks(tuple(settings["checks"]))
        self._environments = PublicEnvironments(suite.evidence)
        self._gatherer = Gatherer(suite, self._environments)

    def compute(self, payload: dict[str, Any]) -> bytes:
        """Examine one task."""
        task = self._gatherer.suite.task(payload["task"])
        runs = msgspec.convert(payload["runs"], dict[str, tuple[Fresh, ...]])
        subject = self._gatherer.subject(task, runs)
        return msgspec.json.encode([check.examine(subject) for check in self._checks])

    def close(self) -> None:
        """Close environments and evidence."""
        self._environments.close()


def examined(result: bytes) -> list[Examined]:
    """What `compute` returned."""
    return msgspec.json.decode(result, type=list[Examined])
