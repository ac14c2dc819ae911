"""Units on this machine's cores.

Workers are fresh processes (never forks of a process that may have threads), each holds a few units at a time and
writes every result into the ledger itself. A worker that dies or fails is replaced; the unit it was at is charged
with the failure and tried again, at most twice, and the units behind it go back uncharged. Nothing that failed is
ever recorded: units that cannot be computed are named in one `InfrastructureError` after all others are done.
"""

from __future__ import annotations

import os
import selectors
import time
from collections import Counter, deque
from collections.abc import Sequence
from pathlib import Path

from verifierbench.core import Inconsistent, InfrastructureError, Unavailable, UserError

from .ledger import Ledger
from .member import Member
from .protocol import Job, Progress, Unit, silent

RETRIES = 2
"""How often a unit is tried again after a failure of ours."""
HOPELESS = 10
"""So many failures without a single finished unit between them mean that the machine is at fault: the run stops."""
STARTUP_SECONDS = 120.0
"""How long a worker may take to get ready, at least: it may have a large suite to read on a busy machine."""
GRACE_SECONDS = 5.0
"""How long a worker may take to close its files and children."""


class LocalExecutor:
    """Runs units in `workers` processes (default: one per core this process may use)."""

    def __init__(self, workers: int | None = None, *, stall_seconds: float = 3600.0) -> None:
        if workers is not None and workers < 1:
            raise UserError(f"{workers} workers cannot do anything: give 1 or more")
        self._workers = workers or len(os.sched_getaffinity(0))
        self._stall_seconds = stall_seconds
        """A worker that finishes nothing for so long is taken for hung."""

    def run(self, job: Job, units: Sequence[Unit], ledger: Path, progress: Progress = silent) -> None:
        """See `Executor.run`."""
        wanted = {unit.key: unit for unit in units}
        with Ledger(ledger) as opened:
            finished = opened.finished(list(wanted))
        pending = [unit for key, unit in wanted.items() if key not in finished]
        progress(len(finished), len(wanted), f"{len(finished)} finished earlier" if finished else "")
        if pending:
            _Pool(job, pending, ledger, self._workers, self._stall_seconds, progress, len(wanted)).run()


class _Pool:
    """One run's workers, queue and failures."""

    def __init__(
        self, job: Job, units: list[Unit], ledger: Path, size: int, stall: float, progress: Progress, total: int
    ) -> None:
        self._job, self._ledger, self._size, self._stall = job, ledger, size, stall
        self._progress, self._total, self._done = progress, total, total - len(units)
        self._queue = deque(units)
        self._failures: Counter[str] = Counter()
        self._lost: dict[str, str] = {}
        self._stillborn = self._barren = 0
        self._crew: list[Member] = []
        self._selector = selectors.DefaultSelector()

    def run(self) -> None:
        try:
            while self._queue or any(member.held for member in self._crew):
                self._assign()
                self._listen()
            self._end(hurry=False)
        except BaseException:
            self._end(hurry=True)
            raise
        if self._lost:
            raise InfrastructureError(_complaint(self._lost))

    def _assign(self) -> None:
        """Give every idle worker units, and start workers while there are units and places."""
        while len(self._crew) < self._size and len(self._queue) > sum(not member.held for member in self._crew):
            self._crew.append(member := Member(self._job, self._ledger))
            self._selector.register(member, selectors.EVENT_READ)
        for member in self._crew:
            if not member.held and self._queue:
                member.give([self._queue.popleft() for _ in range(self._shard())])

    def _shard(self) -> int:
        """Few enough that the last units are spread over all workers."""
        return max(1, min(self._job.at_once, len(self._queue) // (2 * self._size)))

    def _listen(self) -> None:
        for ready, _ in self._selector.select(timeout=1.0):
            self._hear(ready.fileobj)  # type: ignore[arg-type]  # what was registered: members
        for member in self._crew:
            allowed = self._stall if member.ready else max(self._stall, STARTUP_SECONDS)
            if member.held and time.monotonic() - member.heard_at > allowed:
                member.stopped = ("infrastructure", f"nothing was finished in {allowed:.0f} s")
                member.kill()

    def _hear(self, member: Member) -> None:
        try:
            for _ in member.hear():
                self._done += 1
                self._barren = 0
                self._progress(self._done, self._total, "")
            if member.ready:
                self._stillborn = 0
        except EOFError:
            self._replace(member)

    def _replace(self, member: Member) -> None:
        """A worker ended before its work did: find out whose fault that is."""
        self._selector.unregister(member)
        self._crew.remove(member)
        manner = member.bury()
        kind, words = member.stopped or ("infrastructure", manner)
        if kind == "unavailable":
            raise Unavailable(words)
        if kind == "user":
            raise UserError(words)
        if kind == "bug":
            raise Inconsistent(f"a worker met a bug of ours:\n{words}")
        if member.ready:
            self._charge(member, words)
        else:
            self._excuse(member, words)

    def _charge(self, member: Member, words: str) -> None:
        """Charge the unit the worker was at; the units behind it go back to the front, uncharged."""
        if member.held:
            unit = member.held.popleft()
            self._failures[unit.key] += 1
            if self._failures[unit.key] > RETRIES:
                self._lost[unit.key] = words
            else:
                self._queue.append(unit)
        self._queue.extendleft(reversed(member.held))
        self._progress(self._done, self._total, f"a worker was replaced: {words}")
        self._barren += 1
        if self._barren >= HOPELESS:
            raise InfrastructureError(f"{HOPELESS} units of work in a row failed by our fault; the last: {words}")

    def _excuse(self, member: Member, words: str) -> None:
        """No unit is to blame for a worker that never got ready."""
        self._queue.extendleft(reversed(member.held))
        self._stillborn += 1
        if self._stillborn > RETRIES:
            raise InfrastructureError(f"workers end before they are ready: {words}")

    def _end(self, *, hurry: bool) -> None:
        for member in self._crew:
            member.terminate() if hurry else member.dismiss()
        deadline = time.monotonic() + GRACE_SECONDS
        for member in self._crew:
            member.wait(deadline)
        self._selector.close()


def _complaint(lost: dict[str, str]) -> str:
    key, words = next(iter(lost.items()))
    return (
        f"{len(lost)} units of work failed {RETRIES + 1} times by our fault and have no result; "
        f"run the same command to try again. The first, {key[:12]}: {words}"
    )
