"""What `generate` and `run` share: having every verifier written, stopping cleanly, and what is told meanwhile."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ._asked import Asked, model_of, protocol_of
from ._common import Say, progress

if TYPE_CHECKING:
    from verifierbench.core import Submission
    from verifierbench.generation import Agent, Writer
    from verifierbench.suite import Suite


def write(suite: Suite, asked: Asked, *, quiet: bool = False) -> tuple[Path, ...]:
    """Have every verifier written; returns the runs' folders."""
    places = _places(asked)
    with _writer(suite, asked) as writer, progress(quiet=quiet) as say:
        for number, place in places:
            _one_run(suite, asked, writer, place, number, say, quiet=quiet)
    return tuple(place for _, place in places)


def _places(asked: Asked) -> list[tuple[int | None, Path]]:
    from verifierbench.core import UserError

    single, several = (asked.run / "run.json").exists(), (asked.run / "1/run.json").exists()
    if asked.generations is None and several:
        raise UserError(f"{asked.run} holds several generations: say -k, or name another folder")
    if asked.generations is not None and single:
        raise UserError(f"{asked.run} holds a single generation: leave -k out, or name another folder")
    if asked.generations is None:
        return [(None, asked.run)]
    return [(number, asked.run / str(number)) for number in range(1, asked.generations + 1)]


def _one_run(
    suite: Suite, asked: Asked, writer: Writer | Agent, place: Path, number: int | None, say: Say, *, quiet: bool
) -> None:
    from verifierbench.generation import generate

    told = _Told(writer.name, number, len(suite.tasks), say)
    name = asked.name or writer.name
    generate(
        suite,
        writer,
        place,
        name=name if number is None else f"{name} #{number}",
        seed=asked.seed,
        generation=number,
        workers=asked.tasks_at_once,
        done=told,
    )
    click.echo(
        f"{place}: {told.submitted} of {len(suite.tasks)} verifiers written{told.costs}{told.crashes}", err=quiet
    )


class _Told:
    """Says how far a run is: tasks, model calls, cost, and how many tasks an hour."""

    def __init__(self, name: str, number: int | None, total: int, say: Say) -> None:
        self._stage = f"{name} writes" if number is None else f"{name} #{number} writes"
        self._total, self._say, self._start = total, say, time.monotonic()
        self._done = self._calls = self._crashed = self.submitted = 0
        self._cost: float | None = None

    def __call__(self, submission: Submission) -> None:
        self._done += 1
        self.submitted += submission.outcome == "submitted"
        self._calls += submission.spent.model_calls
        self._crashed += submission.ended == "crashed"
        if submission.spent.cost_usd is not None:
            self._cost = (self._cost or 0.0) + submission.spent.cost_usd
        self._say(self._stage, self._done, self._total, self.costs + self._rate)

    @property
    def crashes(self) -> str:
        """How many harnesses crashed, and where to look."""
        return f", {self._crashed} crashed (record/stderr.txt, `trace show`)" if self._crashed else ""

    @property
    def costs(self) -> str:
        """Model calls and cost, where there was a model."""
        if not self._calls:
            return ""
        return f", {self._calls} model calls" + ("" if self._cost is None else f", ${self._cost:.2f}")

    @property
    def _rate(self) -> str:
        hours = (time.monotonic() - self._start) / 3600
        return f", {self._done / hours:.0f} tasks an hour" if hours > 0 else ""


@contextmanager
def _writer(suite: Suite, asked: Asked) -> Iterator[Writer | Agent]:
    from verifierbench.generation import Handwritten, agent

    if asked.harness in ("builtin", "files"):
        _refuse_unused(asked)
    if asked.harness == "files":
        yield Handwritten(Path(asked.model))
    elif asked.harness == "builtin":
        yield agent(asked.model)
    else:
        with _stoppable() as stop, _harness_writer(suite, asked, stop) as writer:
            yield writer


def _refuse_unused(asked: Asked) -> None:
    """Raise `UserError` for an option that means nothing without a harness."""
    from verifierbench.core import UserError

    told = {
        "--protocol": asked.protocol_file,
        "--set": asked.settings,
        "--base-url": asked.base_url,
        "--key": asked.key_variable,
        "--speaks": asked.speaks,
        "--price": asked.price,
        "--replay": asked.replay,
    }
    unused = [option for option, value in told.items() if value]
    if unused:
        raise UserError(f"{', '.join(unused)}: there is no model with --harness {asked.harness}; name another harness")


@contextmanager
def _stoppable() -> Iterator[threading.Event]:
    """Ctrl-C and SIGTERM stop attempts cleanly: an event that is set, and the interruption as ever."""
    stop = threading.Event()

    def handle(*_: object) -> None:
        stop.set()
        raise KeyboardInterrupt

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        stop.set()
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _harness_writer(suite: Suite, asked: Asked, stop: threading.Event) -> Iterator[Writer]:
    from verifierbench.generation import harness
    from verifierbench.generation.attempt import HarnessWriter, mounts
    from verifierbench.generation.desk import pick
    from verifierbench.generation.gateway.server import Gateway
    from verifierbench.scoring import open_bench

    chosen, protocol = harness(asked.harness), protocol_of(asked.protocol_file, asked.settings)
    programs = mounts(chosen)
    with Gateway() as gateway:
        yield HarnessWriter(
            chosen,
            model_of(asked, chosen.dialects),
            protocol,
            gateway,
            mounts=programs,
            bench=lambda: open_bench(asked.run / "evidence"),
            examples=lambda task: pick(suite.cases(task), protocol.labelled, asked.seed),
            stop=stop,
        )
