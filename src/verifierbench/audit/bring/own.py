"""A brought suite, read and checked, with nothing of it executed yet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.audit.ladder import Rung
from verifierbench.core import Case, Convention, Record, Task, UnknownName, canonical_hash

from .form import EvidenceRow


class OwnTask(msgspec.Struct, frozen=True, kw_only=True):
    """One task with all that its folder holds."""

    task: Task
    cases: tuple[Case, ...]
    reference: Path
    """The file its reference stands in."""
    program: str | None = None
    """The source of `reference.py`; None where the reference is a tree."""
    evidence: tuple[EvidenceRow, ...] | None = None
    schema: Mapping[str, Any] | None = None
    """Of a solution, where it is not the family's."""
    conventions: tuple[Convention, ...] | None = None
    """Where they are not the family's."""


class OwnSuite(msgspec.Struct, frozen=True, kw_only=True):
    """The whole directory."""

    path: Path
    name: str
    version: str
    tasks: tuple[OwnTask, ...]
    library: str = ""
    """The source of `checks.py`, if there is one."""
    ladder: tuple[Rung, ...] = ()
    records: tuple[Record, ...] | None = None
    """What `records.jsonl` holds; None where there is no such file."""

    def task(self, name: str) -> OwnTask:
        """A task by its id or by its folder's name; raises `UnknownName`."""
        for own in self.tasks:
            if name in (own.task.id, own.task.id.partition("/")[2]):
                return own
        raise UnknownName("task", name, tuple(own.task.id for own in self.tasks))

    @property
    def hash(self) -> str:
        """Identity of everything the audit looks at, the frozen records aside."""
        parts = [_plain([own.task, own.cases, own.evidence, own.program, own.schema]) for own in self.tasks]
        return canonical_hash([self.name, self.version, parts, self.library, _plain(self.ladder)])


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)
