"""Upstream's own evaluator, measured like any verifier: one guarded worker for each domain.

It is given upstream's unrepaired gold and criteria. Assertions in natural language, which a language model would have
to judge, are left out of the product; everything else upstream multiplies is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verifierbench.core import Decision, Task, UnknownName
from verifierbench.families.guest import SEARCH_PATH
from verifierbench.sources.due import entry_of
from verifierbench.sources.guarded import GuardedChecker

from .curation import rows
from .data import DOMAINS, SOURCE_VERSION, Entry, load
from .environment import GUEST

SCRIPT = Path(__file__).with_name("checker_worker.py")
CHECKER_VERSION = f"{SOURCE_VERSION} evaluator without natural language, adapter 1"


class Evaluator:
    """Meets `core.SourceChecker`; a domain's worker starts with its first case."""

    version = CHECKER_VERSION

    def __init__(self, packages: Path, folder: Path) -> None:
        self._entries = load(folder, [row.id for row in rows()])
        self._workers = {domain: self._worker(domain, packages, folder) for domain in DOMAINS}

    def decide(self, task: Task, solution: Any) -> Decision:
        """Upstream's decision; raises `UnknownName` for a task that is not an entry of its source."""
        return self._workers[self._entry(task).domain].decide(task, solution)

    def close(self) -> None:
        """End the workers."""
        for worker in self._workers.values():
            worker.close()

    def _worker(self, domain: str, packages: Path, folder: Path) -> GuardedChecker:
        prepared = {name: entry.prepared for name, entry in self._entries.items() if entry.domain == domain}
        arguments = {"domain": domain, "folder": str(folder), "scenarios": prepared}
        search = [GUEST, SEARCH_PATH, packages]
        return GuardedChecker(SCRIPT, search, CHECKER_VERSION, self._asked, arguments=arguments)

    def _asked(self, task: Task, solution: Any) -> Mapping[str, Any]:
        entry = self._entry(task)
        return {"entry": entry.id, "criteria": entry.criteria, "solution": solution}

    def _entry(self, task: Task) -> Entry:
        entry = self._entries.get(entry_of(task.id))
        if entry is None:
            raise UnknownName("tau2 task", task.id)
        return entry
