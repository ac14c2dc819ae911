"""From a directory to a suite: every file read, everything that can be checked without running anything checked.

The first thing that is wrong ends it, with one sentence naming file, place and cause; a suite is whole or it is not
there. What is a matter of judgement rather than of form (a label without a ground, a clause no case violates) is not
refused here: to find that is what the audit is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from verifierbench.audit.ladder import Rung, Side
from verifierbench.core import (
    All,
    Clause,
    Convention,
    Family,
    FamilyDefinition,
    Record,
    Reference,
    Task,
    canonical_bytes,
)
from verifierbench.families import family
from verifierbench.suite import span_occurs

from . import guards, library
from .cases import read_cases, validator
from .files import Folder
from .form import NAME, ConventionsFile, EvidenceRow, SuiteFile, TaskFile
from .materials import instruction, materials
from .own import OwnSuite, OwnTask
from .references import program_reference, tree_reference

SUITE = "suite.toml"
RECORDS = "records.jsonl"
ENVIRONMENT = "recorded"
"""What `Task.environment` says where a task brings evidence."""


def is_own(directory: Path) -> bool:
    """Whether a directory is a brought suite rather than a built one."""
    return (directory / SUITE).is_file() and not (directory / "suite.json").exists()


def load(directory: Path) -> OwnSuite:
    """Read a suite; raises `MalformedInput`. Nothing of it is executed."""
    folder = Folder(directory)
    if not folder.has(SUITE):
        folder.refuse(SUITE, "", "there is no such file; it names the suite (docs/bring-your-own.md)")
    head = folder.toml(SUITE, SuiteFile)
    source = folder.text(library.CHECKS) if folder.has(library.CHECKS) else ""
    own = library.names(source, folder.path(library.CHECKS))
    names = folder.names("tasks")
    if not names:
        folder.refuse("tasks", "", "holds no task; each is a folder of its own")
    tasks = tuple(_Reader(folder, head, source, own, name).task() for name in names)
    records = _records(folder, tasks) if folder.has(RECORDS) else None
    return OwnSuite(
        path=directory,
        name=head.name,
        version=head.version,
        tasks=tasks,
        library=source,
        ladder=_ladder(folder),
        records=records,
    )


class _Reader:
    """Reads one task's folder."""

    def __init__(self, folder: Folder, head: SuiteFile, library: str, own: Mapping[str, int], name: str) -> None:
        self._folder, self._head, self._library, self._own, self._name = folder, head, library, own, name
        self._home = f"tasks/{name}"

    def task(self) -> OwnTask:
        """The task, checked."""
        if not NAME.fullmatch(self._name):
            self._folder.refuse(self._home, "", "a task's name has letters, digits and . _ - alone")
        if not self._folder.is_folder(self._home):
            self._folder.refuse(self._home, "", "must be a folder that holds one task")
        where, form = self._form()
        base = family(form.family or self._head.family)
        schema, conventions = self._schema(base), self._conventions()
        evidence = self._evidence()
        task = self._public(where, form, base, conventions, evidence)
        reference_file, program, reference = self._reference(task, base, evidence)
        task = msgspec.structs.replace(task, reference=reference)
        check = validator(base.solution_schema if schema is None else schema)
        return OwnTask(
            task=task,
            cases=read_cases(self._folder, f"{self._home}/cases.jsonl", task, check),
            reference=self._folder.path(reference_file),
            program=program,
            evidence=evidence,
            schema=schema,
            conventions=conventions,
        )

    def _form(self) -> tuple[str, TaskFile]:
        where = self._one_of("task.toml", "task.json")
        read = self._folder.toml if where.endswith(".toml") else self._folder.json
        return where, read(where, TaskFile)

    def _one_of(self, one: str, other: str) -> str:
        """The one of two files that is there; refuses none and both."""
        found = [name for name in (one, other) if self._folder.has(f"{self._home}/{name}")]
        if len(found) != 1:
            cause = f"needs {one} or {other}" + (", and has both" if found else "; there is neither")
            self._folder.refuse(self._home, "", cause)
        return f"{self._home}/{found[0]}"

    def _nearest(self, name: str) -> str | None:
        """The task's own file of that name, or else the suite's."""
        return next((path for path in (f"{self._home}/{name}", name) if self._folder.has(path)), None)

    def _schema(self, base: FamilyDefinition) -> Mapping[str, Any] | None:
        where = self._nearest("schema.json")
        if base.family is not Family.OTHER:
            return None
        if where is None:
            self._folder.refuse(
                f"{self._home}/schema.json", "", 'family "other" needs a schema.json, here or beside suite.toml'
            )
        found: Any = self._folder.json(where, dict)
        try:
            validator(found)
        except ValueError as error:
            self._folder.refuse(where, "", str(error))
        return dict(found)

    def _conventions(self) -> tuple[Convention, ...] | None:
        where = self._nearest("conventions.toml")
        if where is None:
            return None
        found = self._folder.toml(where, ConventionsFile).conventions
        self._distinct(where, "convention", (one.id for one in found))
        return found

    def _evidence(self) -> tuple[EvidenceRow, ...] | None:
        where = f"{self._home}/evidence.jsonl"
        if not self._folder.has(where):
            return None
        found: dict[bytes, EvidenceRow] = {}
        for place, row in self._folder.lines(where, EvidenceRow):
            if (row.answer is msgspec.UNSET) == (row.refused is None):
                self._folder.refuse(where, place, "needs either an `answer` or `refused`")
            if found.setdefault(canonical_bytes(row.request), row) != row:
                self._folder.refuse(where, place, "a request that was answered differently above")
        return tuple(found.values())

    def _public(
        self,
        where: str,
        form: TaskFile,
        base: FamilyDefinition,
        conventions: tuple[Convention, ...] | None,
        evidence: tuple[EvidenceRow, ...] | None,
    ) -> Task:
        task = Task(
            id=f"{self._head.name}/{self._name}",
            source=self._head.name,
            source_version=self._head.version,
            family=base.family,
            instruction=instruction(self._folder, where, form),
            materials=materials(self._folder, where, form),
            conventions=base.conventions if conventions is None else conventions,
            clauses=tuple(Clause(id=one.id, text=one.text, spans=one.spans) for one in form.clauses),
            reference=Reference(root=All(of=())),
            environment=None if evidence is None else ENVIRONMENT,
        )
        self._distinct(where, "material", (one.name for one in task.materials))
        self._distinct(where, "clause", (one.id for one in task.clauses))
        self._cited(where, task)
        return task

    def _cited(self, where: str, task: Task) -> None:
        materials = {one.name for one in task.materials} | {"instruction", "conventions"}
        for number, clause in enumerate(task.clauses):
            place = f"$.clauses[{number}]"
            if not clause.spans:
                self._folder.refuse(where, place, f"clause {clause.id!r} cites nothing")
            for span in clause.spans:
                if span.material not in materials:
                    self._folder.refuse(where, place, f"clause {clause.id!r} cites no material: {span.material!r}")
                if not span.quote or not span_occurs(task, span):
                    cause = f"clause {clause.id!r} cites words that do not occur in {span.material!r}"
                    self._folder.refuse(where, place, f"{cause}: {span.quote[:80]!r}")

    def _reference(
        self, task: Task, base: FamilyDefinition, evidence: tuple[EvidenceRow, ...] | None
    ) -> tuple[str, str | None, Reference]:
        where = self._one_of("reference.json", "reference.py")
        if where.endswith(".py"):
            program = self._folder.text(where)
            return where, program, program_reference(self._folder, where, program, task)
        tree = tree_reference(self._folder, where, task, base, self._own, evidence is not None)
        version = library.library_version(base, self._library)
        return where, None, msgspec.structs.replace(tree, library=version)

    def _distinct(self, where: str, what: str, names: Iterable[str]) -> None:
        seen: set[str] = set()
        for name in names:
            if name in seen:
                self._folder.refuse(where, "", f"two {what}s are called {name!r}")
            seen.add(name)


def _ladder(folder: Folder) -> tuple[Rung, ...]:
    return tuple(
        Rung(name=f"own-{name.removesuffix('.py')}", side=side, source=_verifier(folder, f"ladder/{side.value}/{name}"))
        for side in Side
        for name in folder.names(f"ladder/{side.value}")
        if name.endswith(".py")
    )


def _verifier(folder: Folder, name: str) -> str:
    source = folder.text(name)
    try:
        guards.parse(source)
    except guards.BadProgram as error:
        folder.refuse(name, f"line {error.line}", error.cause)
    return source


def _records(folder: Folder, tasks: tuple[OwnTask, ...]) -> tuple[Record, ...]:
    """What was frozen; whether it still fits the cases is the audit's to say."""
    known = {own.task.id for own in tasks}
    found: list[Record] = []
    for place, record in folder.lines(RECORDS, Record):
        if record.case.partition("#")[0] not in known:
            folder.refuse(RECORDS, place, f"a record of a task that is not in the suite: {record.case!r}")
        found.append(record)
    return tuple(found)
