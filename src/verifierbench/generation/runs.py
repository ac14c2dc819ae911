"""One run of a writer over a suite: every task once, resumable at any point.

A finished submission is never made again, and a run's folder refuses to be continued by somebody else. A provider that
is down is nobody's verdict: its task stays open, the others go on, and when it has failed several times in a row the
run stops and says so. Whatever ends a run early, the same command goes on where it stopped.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from verifierbench.core import InfrastructureError, Limits, MalformedInput, Run, Submission, Task, UserError
from verifierbench.core.files import decode, encode, write_atomically

from . import submission
from .agents import Agent, Unaided

__all__ = ["Outage", "Tasks", "Writer", "generate"]

PATIENCE = 3
"""Outages in a row after which a run stops."""

_SAME = ("harness", "model", "suite_hash", "limits", "seed", "provider", "protocol", "harness_version", "generation")
"""What a run's folder is continued with."""


class Outage(InfrastructureError):
    """The provider gave no answer: as with any failure of our own side, the task is as if it had not been begun."""


class Stopped(Exception):  # like KeyboardInterrupt: nothing went wrong
    """We were asked to stop; the task is as if it had not been begun."""


class Writer(Protocol):
    """Who writes the verifiers of a run."""

    name: str
    harness: str
    model: str

    def about(self) -> dict[str, Any]:
        """Further fields of `core.Run`."""

    def attempt(self, task: Task, schema: Mapping[str, Any], run: Path, limits: Limits) -> Submission:
        """Make and keep one task's submission; raises `InfrastructureError` where we or the provider failed."""


class Tasks(Protocol):
    """What a run needs of a suite: the public half of its tasks."""

    @property
    def path(self) -> Path:
        """Where it lies."""

    @property
    def hash(self) -> str:
        """Its identity."""

    @property
    def tasks(self) -> Iterable[Task]:
        """Its tasks."""


def generate(
    suite: Tasks,
    writer: Writer | Agent,
    run: Path,
    *,
    name: str | None = None,
    limits: Limits | None = None,
    seed: str = "0",
    generation: int | None = None,
    workers: int = 1,
    schema_of: Callable[[Task], Mapping[str, Any]] | None = None,
    done: Callable[[Submission], None] = lambda _: None,
) -> Run:
    """Have a writer write a verifier for every task of a suite; returns the run's description, as in `run.json`.

    `done` hears of each submission once it is kept, resumed ones included; `workers` tasks are written at once. Raises
    `MalformedInput` where the folder holds a run of another writer or suite, and `UserError` where tasks stayed open.
    """
    if run.resolve().is_relative_to(suite.path.resolve()):
        raise UserError(f"{run} lies within the suite: name a folder outside it")
    who: Writer = Unaided(writer) if isinstance(writer, Agent) else writer
    new = _describe(suite, who, run, name=name, limits=limits or Limits(), seed=seed, generation=generation)
    with _alone(run):
        return _generate(suite, who, run, new, workers, schema_of or _schema, done)


def _generate(
    suite: Tasks,
    who: Writer,
    run: Path,
    new: Run,
    workers: int,
    schema_of: Callable[[Task], Mapping[str, Any]],
    done: Callable[[Submission], None],
) -> Run:
    description = _continued(run / "run.json", new)
    open_ = []
    for task in suite.tasks:
        if submission.finished(run, task.alias):
            done(submission.load(run, task.alias)[0])
        else:
            open_.append(task)

    def attempt(task: Task) -> Submission:
        return who.attempt(task, schema_of(task), run, description.limits)

    outages = list(_attempts(open_, attempt, workers, done))
    if outages:
        left = sum(not submission.finished(run, task.alias) for task in open_)
        raise UserError(f"{left} of {len(open_)} tasks stayed open: {outages[-1]}; the same command goes on")
    return description


@contextmanager
def _alone(run: Path) -> Iterator[None]:
    """Hold a run's folder; raises `UserError` where another process does."""
    try:
        run.mkdir(parents=True, exist_ok=True)
        handle = os.open(run, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise UserError(f"{run} cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise UserError(f"{run} is being written by another process: wait for it, or name another folder") from error
    finally:
        os.close(handle)


def _attempts(
    tasks: list[Task], attempt: Callable[[Task], Submission], workers: int, done: Callable[[Submission], None]
) -> Iterator[InfrastructureError]:
    """Attempt tasks, `workers` at once; yields what failed on our side, and begins no more after several in a row."""
    if workers == 1:
        yield from _one_by_one(tasks, attempt, done)
        return
    waiting, running, in_a_row = list(reversed(tasks)), set[Future[Submission]](), 0
    with ThreadPoolExecutor(workers, thread_name_prefix="attempt") as pool:
        while running or (waiting and in_a_row < PATIENCE):
            while waiting and len(running) < workers and in_a_row < PATIENCE:
                running.add(pool.submit(attempt, waiting.pop()))
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                try:
                    done(future.result())
                    in_a_row = 0
                except InfrastructureError as failure:
                    in_a_row += 1
                    yield failure


def _one_by_one(
    tasks: list[Task], attempt: Callable[[Task], Submission], done: Callable[[Submission], None]
) -> Iterator[InfrastructureError]:
    in_a_row = 0
    for task in tasks:
        try:
            done(attempt(task))
            in_a_row = 0
        except InfrastructureError as failure:
            in_a_row += 1
            yield failure
        if in_a_row == PATIENCE:
            return


def _describe(
    suite: Tasks, writer: Writer, run: Path, *, name: str | None, limits: Limits, seed: str, generation: int | None
) -> Run:
    return Run(
        name=name or writer.name,
        harness=writer.harness,
        model=writer.model,
        suite=os.path.relpath(suite.path, run),
        suite_hash=suite.hash,
        tier=None,
        limits=limits,
        seed=seed,
        generation=generation,
        **writer.about(),
    )


def _continued(file: Path, new: Run) -> Run:
    """The run's description: the one that is there, or the new one."""
    if not file.exists():
        write_atomically(file, encode(new))
        return new
    old = decode(file, Run)
    for field in _SAME:
        if getattr(old, field) != getattr(new, field):
            raise MalformedInput(
                file,
                f"$.{field}",
                f"the folder holds another run, whose {field} differs: give this one a folder of its own",
            )
    return old


def _schema(task: Task) -> Mapping[str, Any]:
    from verifierbench.families import family

    return family(task.family).solution_schema
