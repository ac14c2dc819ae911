"""One agent at one task: a cell with the harness in it, the gateway and the desk at its two doors.

    RUN/work/<alias>/                     the workspace, the agent's home, its tools: gone when the attempt is over
    RUN/submissions/<alias>/record/       exchanges.jsonl (gateway), desk.jsonl, versions.jsonl and versions/ (desk),
                                          stdout.txt, stderr.txt (the harness), trajectory.json (ATIF)
    RUN/submissions/<alias>/crash-<n>/    the record of an attempt whose harness crashed

What is handed in is what `submit` froze, or what stands in the workspace when the harness is gone. `submission.json` is
written last: an attempt that was killed leaves none, and is made anew from nothing.
"""

from __future__ import annotations

import secrets
import shutil
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from verifierbench.core import Case, Ended, Limits, Protocol, Spent, Submission, Task, content_bytes
from verifierbench.core.files import write_atomically
from verifierbench.sandbox.cell import PATH, Cell, CellExit, CellPlan, Mount
from verifierbench.sandbox.commands import base_interpreter
from verifierbench.sandbox.folders import sweep, unlock
from verifierbench.scoring.bench import Bench

from . import submission
from .desk import Desk, DeskLog, Workbench, place, shown
from .gateway import Calls, Price, Terms
from .gateway.server import Gateway
from .gateway.tape import read as read_tape
from .gateway.upstream import Upstream
from .harnesses.base import HOME, WORKSPACE, Brief, Dialect, Harness
from .harnesses.install import places
from .outcome import ending
from .trajectory import trajectory
from .workspace import VERIFIER, lay_out

__all__ = ["HarnessWriter", "Model"]

CRASHES_ALLOWED = 2
"""Attempts beside the first; what stands after the last is handed in."""

SUBMITTED_SECONDS = 60.0
"""What a harness is given after `submit` to come to its own end."""

_GATEWAY, _DESK = 8080, 8081
_TOOLS = "/opt/tools"
_PROMPT = (
    "Read TASK.md in the current folder and do what it says: write verifier.py there, test it with the tools it"
    " describes, and hand it in with `submit`. Nobody will answer questions; decide yourself."
)


class Model(NamedTuple):
    """Whom the harness is given."""

    provider: str
    name: str
    """The provider's own name of the model."""
    dialect: Dialect
    upstream: Callable[[Task], Upstream]
    price: Price | None = None


def mounts(harness: Harness) -> tuple[Mount, ...]:
    """The harness's programs as a cell shows them; raises `Unavailable` where they are not installed."""
    return tuple(Mount(outside=outside, inside=inside) for inside, outside in places(harness).items())


class HarnessWriter:
    """Meets `runs.Writer`.

    `mounts` are the harness's programs; `bench` opens what runs self-tests; `examples` gives the cases that the
    protocol shows, `stop` ends every attempt.
    """

    def __init__(
        self,
        harness: Harness,
        model: Model,
        protocol: Protocol,
        gateway: Gateway,
        *,
        mounts: Sequence[Mount],
        bench: Callable[[], Bench],
        examples: Callable[[Task], Sequence[Case]] = lambda _: (),
        stop: threading.Event | None = None,
    ) -> None:
        self.name, self.harness, self.model = f"{harness.name} {model.name}", harness.name, model.name
        self._harness, self._model, self._protocol, self._gateway = harness, model, protocol, gateway
        self._mounts, self._bench, self._examples = tuple(mounts), bench, examples
        self._stop = stop or threading.Event()

    def about(self) -> dict[str, Any]:
        """What the run's description says beside who wrote."""
        return {
            "harness_version": self._harness.version,
            "provider": self._model.provider,
            "protocol": self._protocol,
        }

    def attempt(self, task: Task, schema: Mapping[str, Any], run: Path, limits: Limits) -> Submission:
        """Make and keep one submission; a harness that crashes is started again, from nothing."""
        place_ = submission.place(run, task.alias)
        _clear(place_)
        spent = []
        for number in range(1, CRASHES_ALLOWED + 2):
            told = self._once(task, schema, run, limits)
            spent.append(_spent(told.calls, told.log))
            if told.ended is not Ended.CRASHED or number > CRASHES_ALLOWED:
                break
            (place_ / "record").rename(place_ / f"crash-{number}")
        return self._keep(task, run, told, spent)

    def _once(self, task: Task, schema: Mapping[str, Any], run: Path, limits: Limits) -> _Told:
        work, record = run / "work" / task.alias, submission.place(run, task.alias) / "record"
        _renew(work, record)
        cases = tuple(self._examples(task))
        lay_out(task, schema, work / "workspace", limits, protocol=self._protocol, examples=shown(cases))
        try:
            told = self._work(task, schema, work, record, limits)
            unlock(work)
            standing = submission.take(work / "workspace" / VERIFIER)
            source, reason = standing if told.frozen is None else (told.frozen, "")
        finally:
            sweep(work)
        return told._replace(source=source, reason=reason, shown=tuple(case.content_hash for case in cases))

    def _work(self, task: Task, schema: Mapping[str, Any], work: Path, record: Path, limits: Limits) -> _Told:
        token = secrets.token_urlsafe(24)
        launch = self._harness.launch(self._brief(token))
        for path, text in launch.files.items():
            write_atomically(work / "home" / path, text.encode())
        place(work / "tools", base_interpreter(sys.executable)[1], necessity=self._protocol.necessity)
        with ExitStack() as kept:
            bench = kept.enter_context(Workbench(self._bench))
            cell = kept.enter_context(Cell(self._plan(work)))
            desk = Desk(task, bench, self._protocol, limits, record, work / "workspace", schema=schema)
            kept.callback(desk.close)
            upstream, tape = self._model.upstream(task), record / "exchanges.jsonl"
            line = self._gateway.open(cell.doors[0], self._terms(token), upstream, tape, look=desk.look)
            kept.callback(line.close)
            desk.serve(cell.doors[1])
            out, err = record / "stdout.txt", record / "stderr.txt"
            with _Watch(self._stop, desk.submitted) as over:
                exited = cell.run(launch.argv, launch.environment, out, err, self._protocol.seconds, over)
            calls, log = line.close(), desk.close()
        last = max(read_tape(tape), key=lambda exchange: exchange.n, default=None)
        ended = ending(exited, last, submitted=log.submitted is not None, answered=calls.answered)
        return _Told(ended, exited, calls, log, desk.frozen)

    def _keep(self, task: Task, run: Path, told: _Told, spent: Sequence[Spent]) -> Submission:
        record = submission.place(run, task.alias) / "record"
        story = trajectory(record, task.alias, self._agent(), told.ended)
        write_atomically(record / "trajectory.json", content_bytes(story))
        return submission.keep(
            run,
            task.alias,
            told.source,
            told.reason,
            trace=({"event": "exited", **msgspec.to_builtins(told.exited)},),
            seconds=round(told.exited.seconds, 3),
            ended=told.ended,
            attempts=len(spent),
            spent=reduce(add, spent),
            shown=told.shown,
        )

    def _agent(self) -> dict[str, Any]:
        """As ATIF names an agent."""
        return {"name": self.harness, "version": self._harness.version, "model_name": self.model}

    def _brief(self, token: str) -> Brief:
        return Brief(
            model=self._model.name,
            dialect=self._model.dialect,
            url=f"http://127.0.0.1:{_GATEWAY}",
            token=token,
            prompt=_PROMPT,
            effort=self._protocol.effort or "medium",
            output_tokens=self._protocol.output_tokens,
            context_tokens=self._protocol.context_tokens,
        )

    def _terms(self, token: str) -> Terms:
        protocol = self._protocol
        return Terms(
            token=token,
            model=self._model.name,
            dialect=self._model.dialect,
            effort=protocol.effort,
            output_tokens=protocol.output_tokens,
            model_calls=protocol.model_calls,
            cost_usd=protocol.cost_usd,
            hosted_tools=protocol.hosted_tools,
            deadline=time.monotonic() + protocol.seconds,
            price=self._model.price,
        )

    def _plan(self, work: Path) -> CellPlan:
        ours = (
            Mount(outside=work / "workspace", inside=WORKSPACE, writable=True),
            Mount(outside=work / "home", inside=HOME, writable=True),
            Mount(outside=work / "tools", inside=_TOOLS),
        )
        environment = {"PATH": f"/opt/node/bin:{_TOOLS}:{PATH}", "VERIFIER_DESK": f"http://127.0.0.1:{_DESK}"}
        return CellPlan(mounts=(*ours, *self._mounts), ports=(_GATEWAY, _DESK), environment=environment, cwd=WORKSPACE)


class _Told(NamedTuple):
    """What one attempt left."""

    ended: Ended
    exited: CellExit
    calls: Calls
    log: DeskLog
    frozen: bytes | None
    source: bytes | None = None
    reason: str = ""
    shown: tuple[str, ...] = ()


class _Watch:
    """An event that is set when everything is to stop, or some time after a verifier was handed in."""

    def __init__(self, stop: threading.Event, submitted: threading.Event) -> None:
        self._stop, self._submitted = stop, submitted
        self._over, self._left = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._look, name="attempt-watch", daemon=True)

    def __enter__(self) -> threading.Event:
        self._thread.start()
        return self._over

    def __exit__(self, *_: object) -> None:
        self._left.set()
        self._thread.join()

    def _look(self) -> None:
        handed_in = None
        while not self._left.wait(0.1):
            if handed_in is None and self._submitted.is_set():
                handed_in = time.monotonic()
            waited = handed_in is not None and time.monotonic() - handed_in > SUBMITTED_SECONDS
            if self._stop.is_set() or waited:
                self._over.set()


def _renew(work: Path, record: Path) -> None:
    """Folders that are empty, whatever an attempt that was killed left there."""
    sweep(work)
    shutil.rmtree(record, ignore_errors=True)
    work.mkdir(parents=True)
    work.chmod(0o700)  # what stands in it is the attempt's
    for folder in (work / "home", work / "tools", record):
        folder.mkdir(parents=True)


def _clear(place_: Path) -> None:
    """Remove the records of attempts that were not the last of their submission."""
    for old in place_.glob("crash-*"):
        shutil.rmtree(old)


def _spent(calls: Calls, log: DeskLog) -> Spent:
    return Spent(
        model_calls=calls.answered,
        input_tokens=calls.input,
        cached_tokens=calls.cached,
        output_tokens=calls.output,
        reasoning_tokens=calls.reasoning,
        cost_usd=calls.cost_usd,
        executions=log.used,
        selftests=sum(entry.tool == "selftest" for entry in log.entries),
        blocked=log.blocked,
    )
