"""The trusted side of `runpublic`, `selftest` and `submit`, for one attempt at one task.

The desk holds the task's public half, the workspace and a budget. It never sees a case, and what it says comes from
`answers` alone. Requests are served one at a time, so however many come at once each is counted exactly, and each is
in the record before its answer leaves. What fails by our fault is tried again once and never charged.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec

from verifierbench.core import (
    EnvironmentRefusal,
    InfrastructureError,
    Limits,
    Protocol,
    Task,
    canonical_hash,
    content_hash,
    sha256,
)
from verifierbench.scoring.bench import Bench

from .answers import EXIT, Ran, Served, compared, cost, outcome, told
from .budget import AttemptOver, Budget, Meter
from .door import Answer, Door
from .reading import Malformed, Reader
from .record import DESK, DeskEntry, Journal, Tool, now
from .remark import remark
from .snapshots import Snapshots
from .workbench import Workbench

__all__ = ["MOST_REQUESTS", "Desk", "DeskLog"]

MOST_REQUESTS = 10_000
"""Requests of one attempt that are served and recorded; one that loops on is only counted."""

T = TypeVar("T")


class DeskLog(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt at the desk, when it is over."""

    entries: tuple[DeskEntry, ...]
    allowed: int
    used: int
    blocked: int
    """Requests that were blocked, in whole or in part."""
    submitted: str | None
    """SHA-256 of what was handed in."""
    uncounted: int
    """Requests past `MOST_REQUESTS`: nothing was done for them."""


class Desk:
    """Serves one attempt from `serve` to `close`; `answer` and `look` may be called from any thread."""

    def __init__(
        self,
        task: Task,
        bench: Workbench,
        protocol: Protocol,
        limits: Limits,
        record: Path,
        workspace: Path,
        *,
        schema: Mapping[str, Any] | None = None,
    ) -> None:
        """Open the record and begin to watch the workspace; `schema` where the task's is not its family's.

        Raises `Inconsistent` where the record holds an attempt already.
        """
        self._task, self._bench, self._protocol, self._limits = task, bench, protocol, limits
        self._reader = Reader(task, schema)
        self._journal: Journal[DeskEntry] = Journal(record / DESK)
        self._snapshots = Snapshots(workspace, record).start()
        self._lock, self._over = threading.Lock(), threading.Event()
        self._entries: list[DeskEntry] = []
        self._door: Door | None = None
        self._flaw: Exception | None = None
        self._uncounted = 0
        self.budget = Budget(protocol)
        self.submitted = threading.Event()
        """Set once a verifier is handed in and recorded."""
        self.frozen: bytes | None = None
        """What was handed in."""

    def serve(self, door: socket.socket) -> None:
        """Begin to answer on a socket that listens; it is closed with the desk."""
        self._door = Door(door, self.answer)

    def look(self) -> None:
        """See whether verifier.py has changed."""
        self._snapshots.look()

    def answer(self, tool: str, body: bytes) -> Answer:
        """Serve one request; returns exit status and answer, and never raises."""
        if tool not in _TOOLS:
            return EXIT["malformed"], {"error": f"there is no tool {tool[:40]!r}; there are {', '.join(_TOOLS)}"}
        with self._lock:
            if self._over.is_set():
                return EXIT["failed"], {"error": "the attempt is over"}
            if len(self._entries) >= MOST_REQUESTS:
                self._uncounted += 1
                return EXIT["malformed"], {"error": f"{MOST_REQUESTS:,} requests were served; there are no more"}
            return self._record(cast("Tool", tool), body)

    def close(self) -> DeskLog:
        """Stop serving and end what is being served; raises what went wrong here that is no `InfrastructureError`."""
        self._over.set()
        if self._door is not None:
            self._door.close()
        with self._lock:
            self._snapshots.close()
            self._journal.close()
        flaw, self._flaw = self._flaw, None
        if flaw is not None:
            raise InfrastructureError(f"the desk failed: {flaw!r}") from flaw
        return DeskLog(
            entries=tuple(self._entries),
            allowed=self.budget.allowed,
            used=self.budget.used,
            blocked=sum(entry.outcome == "blocked" for entry in self._entries),
            submitted=None if self.frozen is None else sha256(self.frozen),
            uncounted=self._uncounted,
        )

    def _record(self, tool: Tool, body: bytes) -> Answer:
        at, start = now(), time.monotonic()
        served = self._serve(tool, body)
        self.budget.used += served.executions
        entry = DeskEntry(
            n=len(self._entries) + 1,
            at=at,
            tool=tool,
            outcome=served.outcome,
            seconds=round(time.monotonic() - start, 3),
            executions=served.executions,
            used=self.budget.used,
            left=self.budget.left,
            **served.entry,
        )
        try:
            self._journal.append(entry)
        except OSError as error:
            self._flaw = self._flaw or error
            return _failed()
        self._entries.append(entry)
        if self.frozen is not None:
            self.submitted.set()
        return EXIT[served.outcome], self._with_cost(served)

    def _serve(self, tool: Tool, body: bytes) -> Served:
        try:
            if self.frozen is not None:
                raise Malformed("verifier.py is handed in already: it is final, and nothing more counts")
            return _TOOLS[tool](self, body)
        except Malformed as complaint:
            return _said("malformed", "error", str(complaint))
        except InfrastructureError as error:
            return _said("failed", "error", "our side failed, try again; nothing was counted", str(error))
        except AttemptOver:
            return _said("failed", "error", "the attempt is over")
        except Exception as error:  # the agent is told, and `close` raises it
            self._flaw = self._flaw or error
            return _said("failed", "error", "our side failed, try again; nothing was counted", repr(error))

    def _runpublic(self, body: bytes) -> Served:
        if self._task.environment is None:
            raise Malformed("this task has no environment to run; this cost nothing")
        request = self._reader.request(body)
        hashes = {"solution": content_hash(request)}
        if self.budget.declined:
            said = self.budget.declined
            return Served(outcome="blocked", answer={"blocked": said}, entry={**hashes, "blocked": 1, "says": said})
        meter, (refused, seen) = self._twice(lambda bench, meter: self._execute(bench, meter, request))
        return Served(
            outcome="refused" if refused else "answered",
            answer={"refused" if refused else "answer": seen},
            executions=meter.spent,
            entry={**hashes, "says": _plain(seen) if refused else canonical_hash(seen)},
        )

    def _execute(self, bench: Bench, meter: Meter, request: Any) -> tuple[bool, Any]:
        """Whether the environment refused, and its answer or its words."""
        environment = bench.environments.of(self._task)
        assert environment is not None
        try:
            return False, meter.around(environment).execute(request)
        except EnvironmentRefusal as refusal:
            return True, str(refusal)

    def _selftest(self, body: bytes) -> Served:
        solution, varied = self._reader.solution(body)
        if varied is not None and not self._protocol.necessity:
            raise Malformed("--vary is not offered for this task")
        source, reason = self._snapshots.look("selftest")
        if source is None:
            raise Malformed(reason)
        solutions = [solution] if varied is None else [solution, varied[1]]
        meter, runs = self._twice(lambda bench, meter: [self._run(bench, meter, source, one) for one in solutions])
        answer = told(runs[0], self.budget)
        entry = {"verifier": sha256(source), "solution": content_hash(solution), "decision": runs[0].decision}
        if varied is not None:
            pointer = varied[0]
            answer = {"solution": answer, "varied": told(runs[1], self.budget), **compared(pointer, runs)}
            entry |= {"vary": pointer, "varied": content_hash(varied[1]), "varied_decision": runs[1].decision}
        entry["blocked"] = meter.blocked
        return Served(outcome=outcome(runs), answer=answer, executions=meter.spent, entry=entry)

    def _run(self, bench: Bench, meter: Meter, source: bytes, solution: Any) -> Ran:
        before = meter.blocked
        execution = bench.run(source, self._task, solution, self._limits, around=meter.around)
        return Ran(execution, meter.blocked - before)

    def _submit(self, _: bytes) -> Served:
        source, reason = self._snapshots.look("submit")
        if source is None:
            raise Malformed(f"{reason}: there is nothing to hand in")
        self.frozen = source
        warning = remark(source)
        answer = {"submitted": sha256(source), "bytes": len(source), **({"warning": warning} if warning else {})}
        return Served(outcome="answered", answer=answer, entry={"verifier": sha256(source), "says": warning})

    def _twice(self, action: Callable[[Bench, Meter], T]) -> tuple[Meter, T]:
        """Do something with the bench, again where our side failed; the meter is that of the try that held."""
        try:
            return self._once(action)
        except InfrastructureError:
            return self._once(action)

    def _once(self, action: Callable[[Bench, Meter], T]) -> tuple[Meter, T]:
        meter = Meter(self.budget, self._over)
        return meter, self._bench.do(lambda bench: action(bench, meter))

    def _with_cost(self, served: Served) -> dict[str, Any]:
        if self._task.environment is None:
            return served.answer
        return {**served.answer, "executions": cost(self.budget, served.executions)}


def _said(outcome_: Any, key: str, words: str, detail: str = "") -> Served:
    return Served(outcome=outcome_, answer={key: words}, entry={"says": _plain(detail or words)})


def _plain(text: str) -> str:
    """The beginning of a text, in a form that every encoding has."""
    return text[:1_000].encode("utf-8", "backslashreplace").decode()


def _failed() -> Answer:
    return EXIT["failed"], {"error": "our side failed, try again; nothing was counted"}


_TOOLS: Mapping[str, Callable[[Desk, bytes], Served]] = {
    "runpublic": Desk._runpublic,
    "selftest": Desk._selftest,
    "submit": Desk._submit,
}
