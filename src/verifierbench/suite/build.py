"""From sources to a suite: collect, label, decide, write.

The order is the point. Every label is hashed into the build ledger before the reference runs, and the reference's
decisions are recorded before any upstream checker runs. A candidate whose reference disagrees with its labels, or whose
environment this machine cannot run, is excluded with its reason, never dropped in silence.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from verifierbench.core import (
    Candidate,
    Case,
    Inconsistent,
    MalformedInput,
    Season,
    SourceRecord,
    Unavailable,
    UserError,
    canonical_hash,
)
from verifierbench.core.files import encode, encode_lines, write_atomically
from verifierbench.sources import checker_for, source

from .judge import Judged, judge
from .store import BuildEvent, Manifest, Suite, read_manifest, suite_hash
from .validate import validate

Progress: TypeAlias = Callable[[str, int, int], None]
"""`progress(stage, done, total)`."""


def build(
    directory: Path,
    sources: Sequence[str],
    season: Season,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    replace: bool = False,
) -> Suite:
    """Build a suite in a directory and return it; a directory that already holds the same suite is left as it is.

    Another suite there is only replaced where `replace` says so, because the runs made on it could not be scored any
    more. Raises `MalformedInput` for a candidate that breaks a rule, `UserError` when the place is taken,
    `Unavailable` when a source is not installed or the disk refuses.
    """
    say = progress or (lambda _stage, _done, _total: None)
    directory = directory.resolve()
    candidates = collect(sources, season, say)
    made_of = suite_hash(candidates)
    if _holds(directory, made_of, replace=replace):
        return Suite.load(directory)
    with _beside(directory) as workshop:
        judged = judge(candidates, workshop, workers, lambda n, m: say("deciding", n, m))
        kept = [entry.candidate for entry in judged if entry.excluded is None]
        checked = _source_checks(kept, say)
        _write(workshop, season, sources, judged, checked, made_of)
        _put_in_place(workshop, directory)
    return Suite.load(directory)


def collect(sources: Sequence[str], season: Season, say: Progress) -> tuple[Candidate, ...]:
    """Every candidate of the named sources, validated; raises `Unavailable` for a source that is not installed."""
    found: dict[str, Candidate] = {}
    for name in dict.fromkeys(sources):
        before = len(found)
        status = source(name).status()
        if not status.ready:
            raise Unavailable(f"source {name!r} is not ready: {status.needs}")
        for candidate in source(name).candidates(season):
            validate(candidate)
            if candidate.task.id in found:
                raise Inconsistent(f"two tasks are called {candidate.task.id}")
            found[candidate.task.id] = candidate
            say(f"reading {name}", len(found) - before, 0)
        say(f"reading {name}", len(found) - before, len(found) - before)
    return tuple(found.values())


def _source_checks(kept: Sequence[Candidate], say: Progress) -> tuple[SourceRecord, ...]:
    records: list[SourceRecord] = []
    for name in sorted({candidate.task.source for candidate in kept}):
        checker = checker_for(name)
        if checker is None:
            continue
        try:
            own = [candidate for candidate in kept if candidate.task.source == name]
            for number, candidate in enumerate(own, 1):
                records += [
                    SourceRecord(
                        case=case.id,
                        case_hash=case.content_hash,
                        checker_version=checker.version,
                        decision=checker.decide(candidate.task, case.content),
                    )
                    for case in candidate.cases
                ]
                say(f"asking {name}'s own checker", number, len(own))
        finally:
            checker.close()
    return tuple(records)


def _write(
    workshop: Path,
    season: Season,
    sources: Sequence[str],
    judged: Sequence[Judged],
    checked: Sequence[SourceRecord],
    made_of: str,
) -> None:
    kept = [entry for entry in judged if entry.excluded is None]
    tasks = [entry.candidate.task for entry in kept]
    cases = [case for entry in kept for case in entry.candidate.cases]
    excluded = [entry.excluded for entry in judged if entry.excluded is not None]
    shutil.rmtree(workshop / "public", ignore_errors=True)
    for task in tasks:
        _write_public(
            workshop / "public" / task.alias, task.public, {m.name: m.content for m in task.materials if not m.inline}
        )
    hidden = workshop / "hidden"
    write_atomically(hidden / "tasks.jsonl", encode_lines(tasks))
    write_atomically(hidden / "cases.jsonl", encode_lines(cases))
    write_atomically(hidden / "records.jsonl", encode_lines(record for entry in kept for record in entry.records))
    write_atomically(hidden / "source_records.jsonl", encode_lines(checked))
    write_atomically(hidden / "excluded.jsonl", encode_lines(excluded))
    write_atomically(hidden / "build.jsonl", encode_lines(_events(cases, kept, checked)))
    manifest = Manifest(
        season=season.name,
        sources={name: source(name).status().version for name in sources},
        tasks=len(tasks),
        cases=len(cases),
        excluded=len(excluded),
        hash=suite_hash(entry.candidate for entry in kept),
        made_of=made_of,
    )
    write_atomically(workshop / "suite.json", encode(manifest))


def _write_public(place: Path, public: object, materials: dict[str, object]) -> None:
    write_atomically(place / "task.json", encode(public))
    for name, content in materials.items():
        write_atomically(place / "materials" / f"{name}.json", encode(content))


def _events(cases: Sequence[Case], kept: Sequence[Judged], checked: Sequence[SourceRecord]) -> Iterable[BuildEvent]:
    steps = [("labelled", case.id, canonical_hash([case.id, case.content_hash, case.label.value])) for case in cases]
    steps += [
        ("reference", record.case, canonical_hash([record.case_hash, record.reference_hash, record.verdict.value]))
        for entry in kept
        for record in entry.records
    ]
    steps += [
        ("source_checker", record.case, canonical_hash([record.case_hash, record.checker_version]))
        for record in checked
    ]
    for number, (event, case, digest) in enumerate(steps):
        yield BuildEvent(sequence=number, event=event, case=case, hash=digest)


def _holds(directory: Path, made_of: str, *, replace: bool) -> bool:
    if directory.exists() and not directory.is_dir():
        raise UserError(f"{directory} is a file; name a directory")
    if not directory.exists() or not any(directory.iterdir()):
        return False
    if not (directory / "suite.json").exists():
        raise UserError(f"{directory}: not empty and not a suite; name another directory")
    if read_manifest(directory).made_of == made_of:
        return _is_whole(directory)
    if not replace:
        raise UserError(
            f"{directory} holds another suite, which runs may rest on; name another directory, or --replace it"
        )
    return False


def _is_whole(directory: Path) -> bool:
    """Whether the suite stands as it was built, and nothing is left out that this machine might be able to run."""
    try:
        suite = Suite.load(directory)
        return all(excluded.reason != "environment_unavailable" for excluded in suite.excluded)
    except MalformedInput:
        return False


@contextmanager
def _beside(directory: Path) -> Iterator[Path]:
    """A workshop next to the directory, for one build at a time.

    An interrupted build leaves it, so that the next one finds its evidence and decisions; a finished one takes it
    along. It starts from the evidence of the suite it will replace.
    """
    workshop = directory.absolute().with_name(f".{directory.name}.building")
    try:
        (workshop / "hidden").mkdir(parents=True, exist_ok=True)
        earlier, evidence = directory / "hidden/evidence.sqlite", workshop / "hidden/evidence.sqlite"
        if earlier.exists() and not evidence.exists():
            shutil.copy(earlier, evidence)
        handle = os.open(workshop, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise Unavailable(f"{workshop} cannot be written: {error.strerror or error}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield workshop
    except BlockingIOError as error:
        raise UserError(f"{directory} is being built by another process; wait for it, or build elsewhere") from error
    finally:
        os.close(handle)


def _put_in_place(workshop: Path, directory: Path) -> None:
    """Replace the directory; the old one stays whole until the new one stands."""
    for scaffold in ("candidates.jsonl", *(path.name for path in workshop.glob("judged.sqlite*"))):
        (workshop / scaffold).unlink(missing_ok=True)
    old = workshop.with_name(f".{directory.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    try:
        if directory.exists():
            directory.rename(old)
        workshop.rename(directory)
    except OSError as error:
        raise Unavailable(f"{directory} cannot be put in place: {error.strerror or error}") from error
    shutil.rmtree(old, ignore_errors=True)
