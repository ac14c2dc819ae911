"""Whether a suite is whole: every file says what the others say it must.

A lock fixes what it finds, so what it finds is looked through first: a record for every case and tied to it, a ledger
in the order of the build, the public half of each task, the season that made it, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from verifierbench.core import Case, MalformedInput, Record, Season, Task
from verifierbench.core.files import decode_lines, read_bytes

from .layout import SEASON, events, irregular, lasting, notices, public_files, shared_files
from .seasons import read_season
from .store import BuildEvent, Suite

HALVES = ("tasks", "cases", "records", "source_records", "excluded", "build")
"""The JSON Lines files of the hidden half."""


def refuse_unless_whole(suite: Suite) -> Season:
    """Raise `MalformedInput` naming the first thing that is wrong; return the season the suite was made in."""
    for path in irregular(suite.path):
        raise MalformedInput(suite.path / path, "", "not a plain file; a suite is made of nothing else")
    season = _season(suite)
    for file, place, cause in _complaints(suite, season):
        raise MalformedInput(suite.path / file, place, cause)
    return season


def _season(suite: Suite) -> Season:
    if not suite.manifest.commitment or not (suite.path / SEASON).exists():
        raise MalformedInput(
            suite.path, "", "the suite does not hold its season, so it was built by an earlier version: build it again"
        )
    season = read_season(suite.path / SEASON)
    if season.commitment != suite.manifest.commitment:
        raise MalformedInput(suite.path / SEASON, "", "not the season that suite.json commits to")
    return season


def _complaints(suite: Suite, season: Season) -> Iterator[tuple[str, str, str]]:
    yield from _counts(suite)
    yield from _aliases(suite, season)
    yield from _records(suite)
    yield from _source_records(suite)
    yield from _ledger(suite)
    yield from _files(suite, season)


def _counts(suite: Suite) -> Iterator[tuple[str, str, str]]:
    found = {"tasks": len(suite.tasks), "cases": len(suite.all_cases), "excluded": len(suite.excluded)}
    for name, count in found.items():
        told = getattr(suite.manifest, name)
        if told != count:
            yield "suite.json", f"$.{name}", f"says {told}, and there are {count}"


def _aliases(suite: Suite, season: Season) -> Iterator[tuple[str, str, str]]:
    for number, task in enumerate(suite.tasks, 1):
        if task.alias != season.alias(task.id):
            yield "hidden/tasks.jsonl", f"line {number}", f"the alias of {task.id} is not the one its season draws"


def _records(suite: Suite) -> Iterator[tuple[str, str, str]]:
    tasks = {task.id: task for task in suite.tasks}
    cases, records = suite.all_cases, suite.records
    if [record.case for record in records] != [case.id for case in cases]:
        yield "hidden/records.jsonl", "", "does not hold one record for each case, in the order of the cases"
        return
    for number, (case, record) in enumerate(zip(cases, records, strict=True), 1):
        if not _tied(record, case, tasks[case.task]):
            yield "hidden/records.jsonl", f"line {number}", f"is not a record of case {case.id} as it is"
    versions = {(tasks[case.task].id, record.environment_version) for case, record in zip(cases, records, strict=True)}
    for task, count in Counter(task for task, _ in versions).items():
        if count > 1:
            yield (
                "hidden/records.jsonl",
                "",
                f"the records of {task} were made with {count} versions of its environment",
            )


def _tied(record: Record, case: Case, task: Task) -> bool:
    told = (record.case_hash, record.task_hash, record.reference_hash, record.verdict)
    return told == (case.content_hash, task.public_hash, task.reference.hash, case.label)


def _source_records(suite: Suite) -> Iterator[tuple[str, str, str]]:
    cases = {case.id: case for case in suite.all_cases}
    met: set[str] = set()
    for number, record in enumerate(suite.source_records, 1):
        if record.case not in cases or record.case_hash != cases[record.case].content_hash or record.case in met:
            yield (
                "hidden/source_records.jsonl",
                f"line {number}",
                f"is not the record of a case as it is: {record.case}",
            )
        met.add(record.case)


def _ledger(suite: Suite) -> Iterator[tuple[str, str, str]]:
    path = "hidden/build.jsonl"
    found = tuple(decode_lines(suite.path / path, BuildEvent))
    if found != tuple(events(suite.all_cases, suite.records, suite.source_records)):
        yield path, "", "is not the ledger of a build that ended in these cases and records"


def _files(suite: Suite, season: Season) -> Iterator[tuple[str, str, str]]:
    # What is shared was compared with its name when the suite was loaded.
    public = {path: data for task in suite.tasks for path, data in public_files(task).items()}
    public |= notices(suite.manifest.sources)
    expected = {"suite.json", SEASON, *(f"hidden/{name}.jsonl" for name in HALVES), *public, *shared_files(suite.tasks)}
    if season.plugin is not None:
        expected.add(f"hidden/{season.plugin}")
    found = set(lasting(suite.path))
    for path in sorted(expected - found):
        yield path, "", "is missing"
    for path in sorted(found - expected):
        yield path, "", "does not belong to a suite"
    for path, data in public.items():
        if read_bytes(suite.path / path) != data:
            yield path, "", "is not what its task in hidden/tasks.jsonl says"
