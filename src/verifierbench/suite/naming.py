"""The name of what moved in a file whose hash is not the locked one.

One function per kind of file, found by a table; each yields what it can name, in the order it stands in the file: its
kind, its place and a sentence. They may rest on the files before theirs in the table: those stand, or would have been
named already.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from itertools import zip_longest
from typing import Any, TypeAlias

import msgspec

from verifierbench.core import Case, MalformedInput, Record, SourceRecord, Task
from verifierbench.core.files import decode, decode_lines, read_bytes

from .layout import SEASON, events, public_files
from .lock import LockedCase, LockedTask
from .materials import shared_file
from .moved import Look, Moved, difference
from .store import SUITE_SCHEMA, BuildEvent, Excluded, Manifest

Named: TypeAlias = tuple[str, str, str]
"""Kind, place in the file, sentence."""
Namer: TypeAlias = Callable[[Look, str], Iterator[Named]]


def explain(look: Look, path: str) -> Iterator[Moved]:
    """What moved in a file whose hash moved, the first named as closely as can be; at least one thing."""
    _, kind, namer = NAMERS[_row(path)]
    try:
        for named in namer(look, path):
            yield Moved(kind=named[0], file=path, place=named[1], says=named[2])
    except MalformedInput as error:
        yield Moved(kind=kind, file=path, place=error.place, says=f"it cannot be read: {error.cause}")
    yield Moved(kind=kind, file=path, place="", says="what it says stands, but not byte for byte as it was locked")


def order(path: str) -> tuple[int, str]:
    """Where a file stands among those to be looked into."""
    return _row(path), path


def _row(path: str) -> int:
    return next(number for number, (pattern, _, _) in enumerate(NAMERS) if fnmatchcase(path, pattern))


def _cases(look: Look, path: str) -> Iterator[Named]:
    met: set[str] = set()
    for line, case in look.lines(path, Case):
        name = look.keys.name(case.id)
        if name not in look.cases:
            yield "case", line, f"there was no case {case.id}"
        elif name in met:
            yield "case", line, f"case {case.id} stands twice"
        else:
            met.add(name)
            yield from ((kind, line, says) for kind, says in _case(look, case, look.cases[name]))
    for name in look.cases:
        if name not in met:
            yield "case", "", f"case {look.called(name)} is missing"
    yield from _spelling(look, path, Case, "case")


def _case(look: Look, case: Case, locked: LockedCase) -> Iterator[tuple[str, str]]:
    keys = look.keys
    if keys.season.alias(case.task) != look.alias_of[locked.id]:
        yield "case", f"case {case.id} has gone to another task, {case.task}"
    if keys.content(case) != locked.content:
        yield "case content", f"the content of case {case.id} moved"
    if keys.label(case) != locked.label:
        yield "label", f"the label of case {case.id} moved"
    if keys.case(case) != locked.about:
        yield "case", f"the kind, operator, grounds, control or seed of case {case.id} moved"


def _tasks(look: Look, path: str) -> Iterator[Named]:
    locked = {task.alias: task for task in look.lock.tasks}
    met: set[str] = set()
    for line, task in look.lines(path, Task):
        drawn = look.keys.season.alias(task.id)
        if drawn not in locked:
            yield "task", line, f"there was no task {task.id}"
        elif task.alias != drawn:
            yield "task", line, f"the alias of task {task.id} moved"
        elif drawn in met:
            yield "task", line, f"task {task.id} stands twice"
        else:
            met.add(drawn)
            yield from ((kind, line, says) for kind, says in _task(look, task, locked[drawn]))
    for alias in locked:
        if alias not in met:
            yield "task", "", f"the task under public/{alias} is missing"
    yield from _spelling(look, path, Task, "task")


def _task(look: Look, task: Task, locked: LockedTask) -> Iterator[tuple[str, str]]:
    keys = look.keys
    if task.public_hash != locked.public:
        yield "public half", f"the public half{_where_public(look, task)} of task {task.id} moved"
    for index, clause in enumerate(task.clauses):
        if keys.clause(task, index) not in locked.clauses:
            yield "clause", f"clause {clause.id} of task {task.id} moved"
    if len(task.clauses) != len(locked.clauses):
        yield "clause", f"task {task.id} has lost or gained a clause"
    if keys.reference(task) != locked.reference:
        yield "reference", f"the reference of task {task.id} moved"
    if keys.task(task) != locked.about:
        yield "task", f"the source, environment, conventions, materials or order of clauses of task {task.id} moved"


def _where_public(look: Look, task: Task) -> str:
    """Where a task differs from its own files under public/, as far as these stand."""
    for path, data in public_files(task).items():
        stands = look.untouched(path)
        place = None if stands is None else difference(json.loads(stands), json.loads(data))
        if place is not None:
            return f" ({path.rpartition('/')[2]}, {place})"
    return ""


def _records(look: Look, path: str) -> Iterator[Named]:
    yield from _decisions(look, path, Record, "record", {name: case.record for name, case in look.cases.items()})


def _source_records(look: Look, path: str) -> Iterator[Named]:
    locked = {name: case.source_record for name, case in look.cases.items() if case.source_record is not None}
    yield from _decisions(look, path, SourceRecord, "source record", locked)


def _decisions(
    look: Look, path: str, form: type[Record] | type[SourceRecord], kind: str, locked: dict[str, str]
) -> Iterator[Named]:
    met: set[str] = set()
    for line, record in look.lines(path, form):
        name = look.keys.name(record.case)
        if name not in locked:
            yield kind, line, f"there was no {kind} of a case {record.case}"
        elif name in met:
            yield kind, line, f"there is a second {kind} of case {record.case}"
        elif look.keys.record(record) != locked[name]:
            yield kind, line, f"the {kind} of case {record.case} moved"
        met.add(name)
    for name in locked:
        if name not in met:
            yield kind, "", f"the {kind} of case {look.called(name)} is missing"
    yield from _spelling(look, path, form, kind)


def _excluded(look: Look, path: str) -> Iterator[Named]:
    met: set[str] = set()
    for line, entry in look.lines(path, Excluded):
        met.add(look.keys.excluded(entry))
        if look.keys.excluded(entry) not in look.lock.excluded:
            yield "excluded list", line, f"the entry of {entry.task} is not one that was locked"
    if met != set(look.lock.excluded):
        yield "excluded list", "", "an entry is missing"
    yield from _spelling(look, path, Excluded, "excluded list")


def _ledger(look: Look, path: str) -> Iterator[Named]:
    """The ledger follows from the files before it in the table."""
    hidden = look.directory / "hidden"
    cases = tuple(decode_lines(hidden / "cases.jsonl", Case))
    records = decode_lines(hidden / "records.jsonl", Record)
    expected = events(cases, records, decode_lines(hidden / "source_records.jsonl", SourceRecord))
    found = decode_lines(look.directory / path, BuildEvent)
    for number, (now, then) in enumerate(zip_longest(found, expected), 1):
        if then is None:
            yield "build ledger", f"line {number}", "there was no event here"
        elif now != then:
            yield "build ledger", f"line {number}", f"the event {then.event} of case {then.case} moved"
    yield from _spelling(look, path, BuildEvent, "build ledger")


def _public(look: Look, path: str) -> Iterator[Named]:
    """A task's own public file follows from it."""
    task = next((task for task in look.tasks if path in public_files(task)), None)
    found = decode(look.directory / path, object)
    place = None if task is None else difference(json.loads(public_files(task)[path]), found)
    if task is not None and place is not None:
        yield "public half", place, f"it is not what task {task.id} says"


def _material(look: Look, path: str) -> Iterator[Named]:
    """Nothing else says what a shared content was; tasks say by its hash whose it is."""
    users = {task.id: one.name for task in look.tasks for one in task.apart if shared_file(one) == path}
    if users:
        (task, name), *others = users.items()
        more = f" and of {len(others)} other tasks" if others else ""
        yield "public material", "", f"it is not the {name!r} of task {task}{more} any more"


def _manifest(look: Look, path: str) -> Iterator[Named]:
    lock = look.lock
    expected = Manifest(
        schema=SUITE_SCHEMA,
        season=lock.season,
        commitment=lock.commitment,
        sources=lock.sources,
        tasks=len(lock.tasks),
        cases=len(look.cases),
        excluded=len(lock.excluded),
        hash=lock.suite,
        made_of=lock.made_of,
    )
    found = decode(look.directory / path, Manifest)
    for field in Manifest.__struct_fields__:
        if getattr(found, field) != getattr(expected, field):
            yield "manifest", f"$.{field}", "it is not what was locked"


def _unnamed(_look: Look, _path: str) -> Iterator[Named]:
    yield from ()


def _spelling(look: Look, path: str, form: type[Any], kind: str) -> Iterator[Named]:
    """The first line that means what it meant but is written otherwise."""
    lines = read_bytes(look.directory / path).split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    else:
        yield kind, f"line {len(lines)}", "the end of its last line moved"
    for number, line in enumerate(lines, 1):
        if not _plain(line, form):
            yield kind, f"line {number}", "it says what was locked, but not byte for byte"


def _plain(line: bytes, form: type[Any]) -> bool:
    try:
        return msgspec.json.encode(msgspec.json.decode(line, type=form)) == line
    except msgspec.MsgspecError:
        return False


NAMERS: tuple[tuple[str, str, Namer], ...] = (
    ("hidden/cases.jsonl", "case", _cases),
    ("hidden/tasks.jsonl", "task", _tasks),
    ("hidden/records.jsonl", "record", _records),
    ("hidden/source_records.jsonl", "source record", _source_records),
    ("hidden/excluded.jsonl", "excluded list", _excluded),
    ("hidden/build.jsonl", "build ledger", _ledger),
    ("public/*/task.json", "public half", _public),
    ("public/*/materials.json", "public half", _public),
    ("public/materials/*.json", "public material", _material),
    (SEASON, "season", _unnamed),
    ("hidden/*.py", "plug-in", _unnamed),
    ("suite.json", "manifest", _manifest),
    ("*", "file", _unnamed),
)
"""Path, kind, and who names what moved in it: the first that fits, in the order files are looked into."""
