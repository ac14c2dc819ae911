"""The files of a brought suite as records: what may stand in each, and nothing else.

`docs/bring-your-own.md` repeats this for people. A key that is not listed here is refused: a misspelt key that is
silently ignored is a task that means something else than its author thinks.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec

from verifierbench.core import CaseKind, Convention, Family, Ground, Span, Verdict

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
Name = Annotated[str, msgspec.Meta(pattern=f"^{NAME.pattern}$")]
"""What stands in ids: no space, no slash, no `#`."""


class SuiteFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`suite.toml`."""

    name: Name
    version: str
    family: Family = Family.OTHER
    """Of every task that does not name its own."""


class ConventionsFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`conventions.toml`: all the conventions there are; without the file, the family's own hold."""

    conventions: tuple[Convention, ...]


class MaterialEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[materials]]`: exactly one of `content`, `file` and `folder`."""

    name: Name
    content: Any = msgspec.UNSET
    file: str | None = None
    folder: str | None = None
    kind: Literal["json", "text"] | None = None
    """Of a file; by default JSON where its name ends so, text elsewhere."""
    inline: bool | None = None
    """Whether it stands in `env.task`; by default everything but a folder does."""


class ClauseEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[clauses]]`."""

    id: Name
    text: str
    spans: tuple[Span, ...]


class TaskFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`task.toml` or `task.json`."""

    instruction: str | None = None
    instruction_file: str | None = None
    family: Family | None = None
    materials: tuple[MaterialEntry, ...] = ()
    clauses: tuple[ClauseEntry, ...]


class CaseRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of `cases.jsonl`."""

    id: Name
    kind: CaseKind
    label: Verdict | None = None
    """Follows from the kind; where it is stated it must agree."""
    solution: Any
    grounds: tuple[Ground, ...] = ()
    operator: Name | None = None
    control_of: str | None = None


class EvidenceRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of `evidence.jsonl`: a request of `env.run`, and what was answered or why it was refused."""

    request: Any
    answer: Any = msgspec.UNSET
    refused: str | None = None
