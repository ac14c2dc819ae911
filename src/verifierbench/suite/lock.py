"""The lock: one file that fixes every byte of a suite and gives none of its hidden half away.

    DIR/lock.json    hashes of the season, of each task's parts, of each case's content, label and records, of each file

What is public is hashed plainly. A label has two values and a decision few more, so their hashes could be guessed:
every hidden entry is keyed with the season's secret, by a key for its kind alone, hidden ids go by keyed names, and
lists stand in the order of these. So the lock may be published before the hidden half is, and whoever gets the hidden
half later (the season's secret with it) can check every entry. A seal over all of it keeps the lock from being edited.

`contents` alone decides what is hashed: `lock` writes it down, and `verify` compares with what it says later.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from verifierbench import __version__
from verifierbench.core import (
    JSON,
    SCHEMA_VERSION,
    Case,
    MalformedInput,
    Record,
    Season,
    SourceRecord,
    Task,
    UserError,
    canonical_bytes,
    sha256,
)
from verifierbench.core.files import decode, encode, read_bytes, write_atomically

from .layout import AUDIT, LOCK, fingerprint, lasting
from .store import Excluded, Suite, case_hash
from .whole import refuse_unless_whole

T = TypeVar("T", Record, SourceRecord)


class LockedCase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One case; every value is keyed."""

    id: str
    content: str
    label: str
    about: str
    """Everything of the case together: kind, operator, grounds, control and seed besides."""
    record: str
    source_record: str | None


class LockedTask(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One task, under its alias; every value is keyed but the public half's."""

    alias: str
    public: str
    """`Task.public_hash`, in the clear."""
    clauses: tuple[str, ...]
    """In the order of their values, which says nothing."""
    reference: str
    environment: str | None
    """Of the version its records were made with; None where nothing executes."""
    about: str
    """Everything of the task together: id, source and its version, spans and ids besides."""
    cases: tuple[LockedCase, ...]
    """In the order of their ids as they stand here, which says nothing."""


class Lock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `lock.json` holds."""

    schema: int = SCHEMA_VERSION
    suite: str
    """The suite's hash."""
    season: str
    commitment: str
    sources: dict[str, str]
    made_of: str
    audited: bool
    """Whether an audit of exactly this suite had passed."""
    tasks: tuple[LockedTask, ...]
    excluded: tuple[str, ...]
    files: dict[str, str]
    """Path → SHA-256; keyed where the path begins with `hidden/`."""
    seal: str = ""
    """Keyed, over all of the above."""


class Keys:
    """What is hashed of each hidden thing, and under which key."""

    def __init__(self, season: Season) -> None:
        self.season = season

    def name(self, case_id: str) -> str:
        """What a case goes by."""
        return self._of("case id", case_id)

    def content(self, case: Case) -> str:
        """The exact bytes a verifier is given, bound to their case."""
        return self._of("content", case.id, case.content_hash)

    def label(self, case: Case) -> str:
        """The label, bound to its case: equal labels have nothing in common."""
        return self._of("label", case.id, case.label.value)

    def case(self, case: Case) -> str:
        """Everything of a case."""
        return self._of("case", case_hash(case))

    def clause(self, task: Task, index: int) -> str:
        """One clause of a task."""
        return self._of("clause", task.id, msgspec.to_builtins(task.clauses[index]))

    def reference(self, task: Task) -> str:
        """A reference: its tree, its probes and the check library it was written for."""
        return self._of("reference", task.id, task.reference.hash)

    def environment(self, task: Task, version: str) -> str:
        """The version of a task's environment."""
        return self._of("environment", task.id, version)

    def task(self, task: Task) -> str:
        """Everything of a task."""
        return self._of("task", msgspec.to_builtins(task.stored))

    def record(self, record: Record | SourceRecord) -> str:
        """A frozen decision with the hashes it is tied to."""
        return self._of(type(record).__name__, msgspec.to_builtins(record))

    def excluded(self, entry: Excluded) -> str:
        """One entry of the list of what did not stay."""
        return self._of("excluded", msgspec.to_builtins(entry))

    def file(self, path: str, data: bytes) -> str:
        """A file's bytes: keyed in the hidden half, in the clear elsewhere."""
        digest = sha256(data)
        return self._of("file", path, digest) if path.startswith("hidden/") else digest

    def seal(self, lock: Lock) -> str:
        """Of everything a lock says."""
        return self._of("seal", sha256(canonical_bytes(msgspec.to_builtins(msgspec.structs.replace(lock, seal="")))))

    def _of(self, kind: str, *parts: JSON) -> str:
        return self.season.keyed(f"lock {kind}", *parts)


class _Audited(msgspec.Struct, frozen=True):
    """The suite that was audited."""

    hash: str
    files: str


class _Audit(msgspec.Struct, frozen=True):
    """What is read of `hidden/audit.json`."""

    ok: bool
    suite: _Audited
    complete: bool
    """Whether every check was run."""
    version: str


def lock(directory: Path, *, unaudited: bool = False) -> Lock:
    """Lock a suite: write `lock.json`, and return it.

    Raises `UserError` for a suite that is locked already, and for one no audit of which has passed (unless
    `unaudited`); `MalformedInput` naming the first thing that is wrong in a suite that is not whole.
    """
    if (directory / LOCK).exists():
        raise UserError(f"{directory} is locked; `verifierbench suite verify {directory}` says whether it still stands")
    suite = Suite.load(directory)
    season = refuse_unless_whole(suite)
    objection = _objection(suite)
    if objection and not unaudited:
        raise UserError(f"{directory} cannot be locked: {objection}")
    made = contents(suite, season, audited=not objection)
    write_atomically(directory / LOCK, encode(made))
    return made


def contents(suite: Suite, season: Season, *, audited: bool) -> Lock:
    """What the lock of a suite says."""
    keys = Keys(season)
    records, checked = _by_case(suite.records), _by_case(suite.source_records)
    made = Lock(
        suite=suite.hash,
        season=season.name,
        commitment=season.commitment,
        sources=suite.manifest.sources,
        made_of=suite.manifest.made_of,
        audited=audited,
        tasks=tuple(
            sorted((_task(keys, suite, task, records, checked) for task in suite.tasks), key=lambda task: task.alias)
        ),
        excluded=tuple(sorted(map(keys.excluded, suite.excluded))),
        files={path: keys.file(path, read_bytes(suite.path / path)) for path in lasting(suite.path)},
    )
    return msgspec.structs.replace(made, seal=keys.seal(made))


def read_lock(directory: Path) -> Lock:
    """The lock of a suite; raises `UserError` where it has none, `MalformedInput` where it cannot be read."""
    path = directory / LOCK
    if not path.exists():
        raise UserError(f"{directory} is not locked; `verifierbench suite lock {directory}` locks it")
    found = decode(path, Lock)
    if found.schema != SCHEMA_VERSION:
        raise MalformedInput(path, "$.schema", f"version {found.schema} is not this program's {SCHEMA_VERSION}")
    return found


def _task(
    keys: Keys, suite: Suite, task: Task, records: dict[str, list[Record]], checked: dict[str, list[SourceRecord]]
) -> LockedTask:
    cases = suite.cases(task)
    versions = {record.environment_version for case in cases for record in records[case.id]} - {None}
    return LockedTask(
        alias=task.alias,
        public=task.public_hash,
        clauses=tuple(sorted(keys.clause(task, index) for index in range(len(task.clauses)))),
        reference=keys.reference(task),
        environment=keys.environment(task, str(*versions)) if versions else None,
        about=keys.task(task),
        cases=tuple(
            sorted((_case(keys, case, records[case.id], checked[case.id]) for case in cases), key=lambda case: case.id)
        ),
    )


def _case(keys: Keys, case: Case, records: Sequence[Record], checked: Sequence[SourceRecord]) -> LockedCase:
    (record,) = records
    return LockedCase(
        id=keys.name(case.id),
        content=keys.content(case),
        label=keys.label(case),
        about=keys.case(case),
        record=keys.record(record),
        source_record=next(map(keys.record, checked), None),
    )


def _by_case(records: Iterable[T]) -> defaultdict[str, list[T]]:
    found: defaultdict[str, list[T]] = defaultdict(list)
    for record in records:
        found[record.case].append(record)
    return found


def _objection(suite: Suite) -> str:
    """Why no audit of exactly this suite, by this program, has passed; empty where one has."""
    path, again = suite.path / AUDIT, f"run `verifierbench audit {suite.path}`"
    if not path.exists():
        return f"it was never audited; {again} first"
    audit = decode(path, _Audit)
    if audit.suite.files != fingerprint(suite.path) or audit.version != __version__:
        return f"its last audit was of another state or by another version; {again} again"
    if not audit.complete:
        return f"its last audit left checks out; {again} without --check"
    return "" if audit.ok else "its last audit found flaws; mend them, or move their tasks out with `audit --exclude`"
