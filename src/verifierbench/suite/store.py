"""A suite on disk: the public half, the hidden half, and one manifest that names both.

    DIR/suite.json                      manifest: schema, season, sources and versions, counts, hash
    DIR/public/<alias>/task.json        what an agent is told, under an opaque name
    DIR/public/<alias>/materials.json   hashes of the materials that it reads in parts, if any
    DIR/public/materials/<hash>.json    each of these once, for all tasks that have it
    DIR/hidden/tasks.jsonl              tasks with clauses and references
    DIR/hidden/cases.jsonl              labelled cases
    DIR/hidden/records.jsonl            the reference's decisions
    DIR/hidden/source_records.jsonl     upstream checkers' decisions
    DIR/hidden/excluded.jsonl           candidates that did not stay, each with its reason
    DIR/hidden/build.jsonl              the order in which all this was written
    DIR/hidden/season.json              the season's secret, for its owner's eyes; its plug-in beside it
    DIR/hidden/evidence.sqlite          answers of public environments; may be deleted
    DIR/hidden/audit.json               what the last audit found; written anew by each
    DIR/lock.json                       once it is locked: hashes of all of the above that may not change

Nothing under hidden/ may reach an agent; a suite is written beside its place and renamed, so it is whole or absent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

import msgspec

from verifierbench.core import (
    Candidate,
    Case,
    MalformedInput,
    Record,
    SourceRecord,
    Task,
    UnknownName,
    canonical_hash,
)
from verifierbench.core.files import decode, decode_lines

from .materials import read_tasks

SUITE_SCHEMA = 2
"""Version of a suite's files; a reader refuses every other one. 2: what tasks read in parts is stored once."""


class Excluded(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A candidate that did not stay."""

    task: str
    source: str
    reason: str
    """Machine-readable: `reference_disagrees`, `environment_unavailable`, `withheld`, …"""
    evidence: tuple[str, ...]


class BuildEvent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the build ledger."""

    sequence: int
    event: str
    """`labelled` before any checker runs; then `reference` and `source_checker`."""
    case: str
    hash: str
    """Of (case id, content hash, label) for `labelled`; of the whole record otherwise."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `suite.json` holds."""

    schema: int = SUITE_SCHEMA
    season: str
    commitment: str = ""
    """The season's; empty where a suite names none."""
    sources: dict[str, str]
    """Name → exact version."""
    only: tuple[str, ...] = ()
    """Patterns of the tasks it was limited to; empty where it has all that its sources offer."""
    tasks: int
    cases: int
    excluded: int
    hash: str
    """Identity of every task, case, label and reference that stayed."""
    made_of: str
    """The same over all candidates: a build from the same sources finds its work done."""


class Suite:
    """A suite, read from disk; immutable."""

    def __init__(self, path: Path, manifest: Manifest, tasks: tuple[Task, ...], cases: tuple[Case, ...]) -> None:
        self.path, self.manifest, self.tasks = path, manifest, tasks
        self._cases: dict[str, list[Case]] = defaultdict(list)
        for case in cases:
            self._cases[case.task].append(case)

    @classmethod
    def load(cls, path: Path) -> Suite:
        """Read a suite; raises `MalformedInput` naming file, place and cause."""
        manifest = read_manifest(path)
        tasks = read_tasks(path)
        cases = tuple(decode_lines(path / "hidden/cases.jsonl", Case))
        _refuse_strays(path, tasks, cases)
        suite = cls(path, manifest, tasks, cases)
        if suite_hash(Candidate(task=task, cases=suite.cases(task)) for task in tasks) != manifest.hash:
            raise MalformedInput(path, "hidden", "not the tasks and cases that suite.json names; build it again")
        return suite

    @property
    def hash(self) -> str:
        """Identity of the suite."""
        return self.manifest.hash

    @property
    def evidence(self) -> Path:
        """Where the answers of public environments are kept."""
        return self.path / "hidden/evidence.sqlite"

    def task(self, name: str) -> Task:
        """A task by its id or its alias; raises `UnknownName`."""
        for task in self.tasks:
            if name in (task.id, task.alias):
                return task
        raise UnknownName("task", name, tuple(task.id for task in self.tasks))

    def cases(self, task: Task) -> tuple[Case, ...]:
        """The hidden cases of a task."""
        return tuple(self._cases[task.id])

    @property
    def all_cases(self) -> tuple[Case, ...]:
        """Every hidden case, task by task."""
        return tuple(case for task in self.tasks for case in self.cases(task))

    @cached_property
    def excluded(self) -> tuple[Excluded, ...]:
        """Candidates that did not stay."""
        return tuple(decode_lines(self.path / "hidden/excluded.jsonl", Excluded))

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """The reference's frozen decisions."""
        return tuple(decode_lines(self.path / "hidden/records.jsonl", Record))

    @cached_property
    def source_records(self) -> tuple[SourceRecord, ...]:
        """Upstream checkers' decisions."""
        return tuple(decode_lines(self.path / "hidden/source_records.jsonl", SourceRecord))


_NOT_HERE = {
    False: "no suite here (neither suite.json nor suite.toml); `verifierbench suite build` makes one",
    True: "a suite of its author's own files, which `verifierbench audit` reads; the `suite` verbs are for built ones",
}


def read_manifest(path: Path) -> Manifest:
    """Read `suite.json`; raises `MalformedInput` where there is none or it is of another version."""
    file = path / "suite.json"
    if not file.exists():
        raise MalformedInput(path, "", _NOT_HERE[(path / "suite.toml").exists()])
    manifest = decode(file, Manifest)
    if manifest.schema > SUITE_SCHEMA:
        raise MalformedInput(file, "$.schema", f"version {manifest.schema} is newer than this program's {SUITE_SCHEMA}")
    if manifest.schema < SUITE_SCHEMA:
        raise MalformedInput(
            file, "$.schema", f"version {manifest.schema} is older than this program's {SUITE_SCHEMA}: build it again"
        )
    return manifest


def suite_hash(candidates: Iterable[Candidate]) -> str:
    """Identity of tasks, cases, labels and references, whatever order they come in."""
    return canonical_hash(sorted(candidate_hash(candidate) for candidate in candidates))


def candidate_hash(candidate: Candidate) -> str:
    """Identity of one task with its clauses, reference, cases and labels."""
    task = candidate.task
    parts = [task.id, task.source_version, task.public_hash, task.reference.hash]
    clauses = [msgspec.to_builtins(clause) for clause in task.clauses]
    return canonical_hash([parts, clauses, sorted(case_hash(case) for case in candidate.cases)])


def case_hash(case: Case) -> str:
    """Identity of a case with its label and grounds; key order in the solution counts."""
    about = {**msgspec.to_builtins(case), "content": case.content_hash}
    return canonical_hash(about)


def _refuse_strays(path: Path, tasks: tuple[Task, ...], cases: tuple[Case, ...]) -> None:
    known = {task.id for task in tasks}
    for number, case in enumerate(cases, 1):
        if case.task not in known:
            raise MalformedInput(
                path / "hidden/cases.jsonl", f"line {number}", f"case of a task that is not in the suite: {case.task}"
            )
