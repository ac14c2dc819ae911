"""From what was seen of a child to a decision: the only place where a status becomes a reason.

A child can say PASS, FAIL or how its own code failed. Everything else (time, signals, exits, floods, budgets) is
read from what this side measured, in the order below: an observation from outside always beats a frame. What
shows that our machinery failed raises `InfrastructureError`, and no verifier can produce it.
"""

from __future__ import annotations

import json
import os
import signal
from typing import Annotated, Literal

import msgspec

from verifierbench.core.decision import Decision, Reason, Verdict
from verifierbench.core.errors import InfrastructureError

from .guest import wire
from .published import TRAIL_LENGTH
from .seccomp import SETUP_FAILED
from .watch import Observation, Overstep

_OVERSTEPS = {
    Overstep.TIME: Reason.TIMEOUT,
    Overstep.OUTPUT: Reason.KILLED,
    Overstep.FRAME: Reason.KILLED,
    Overstep.PROTOCOL: Reason.KILLED,
}
_OUT_OF_PROCESSOR_TIME = (signal.SIGXCPU, signal.SIGKILL)
_LONGEST_DETAIL = 400


Line = Annotated[int, msgspec.Meta(ge=1, le=1 << 24)]
Trail = Annotated[tuple[Line, ...], msgspec.Meta(max_length=TRAIL_LENGTH)]


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a child says of itself."""

    kind: Literal["PASS", "FAIL", "missing", "import_error", "exception", "memory", "bad_output", "environment_budget"]
    detail: str = ""
    line: Line | None = None
    trail: Trail = ()


class Answer(msgspec.Struct, frozen=True):
    """A verdict or a reason with its circumstances, before costs are added."""

    verdict: Verdict | None = None
    reason: Reason | None = None
    detail: str = ""
    line: int | None = None
    trail: tuple[int, ...] = ()

    def decision(self, seen: Observation | None = None, environment_calls: int = 0) -> Decision:
        """Add what the case cost."""
        return Decision(
            verdict=self.verdict,
            reason=self.reason,
            detail=one_line(self.detail),
            cpu_seconds=seen.ending.cpu_seconds if seen else 0.0,
            wall_seconds=seen.wall_seconds if seen else 0.0,
            environment_calls=environment_calls,
            line=self.line,
        )


def read_answer(seen: Observation, order: wire.Order, nonce: bytes, *, budget_refused: bool) -> Answer:
    """Judge what was seen; raises InfrastructureError."""
    failed = failure(seen, order)
    if failed:
        return failed
    frame = _read_frame(seen.frame, nonce)
    if frame is None:
        said = "it ended without an answer" if not seen.frame else "what it answered is not one frame"
        return Answer(reason=Reason.KILLED, detail=said)
    line, trail = frame.line, frame.trail
    if frame.kind in ("PASS", "FAIL"):
        return Answer(verdict=Verdict(frame.kind), line=line, trail=trail)
    reason = Reason(frame.kind)
    if reason is Reason.ENVIRONMENT_BUDGET and not budget_refused:
        reason = Reason.EXCEPTION  # it raised the exception itself; no budget was ever refused
    return Answer(reason=reason, detail=frame.detail, line=line, trail=trail)


def failure(seen: Observation, order: wire.Order) -> Answer | None:
    """Return the reason that stands whatever the child said; None where its frame counts."""
    status = seen.ending.status
    if status == -1:
        raise InfrastructureError(f"a verifier's process could not be made: {os.strerror(seen.ending.error)}")
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == SETUP_FAILED:
        raise InfrastructureError(f"a verifier's process could not be confined: {seen.output.decode(errors='replace')}")
    if seen.overstep:
        return Answer(reason=_OVERSTEPS[seen.overstep], detail=seen.remark)
    if os.WIFSIGNALED(status):
        return _ended_by_signal(os.WTERMSIG(status), seen.ending.cpu_seconds, order.cpu_seconds)
    if os.WEXITSTATUS(status):
        return Answer(reason=Reason.KILLED, detail=f"it exited with status {os.WEXITSTATUS(status)}")
    return None


def _ended_by_signal(number: int, used: float, allowed: int) -> Answer:
    # The kernel's limit and its accounts use different clocks: on a busy machine a process ended at its limit may show
    # clearly less. Nothing else sends these signals but the kernel for want of memory, long before.
    if number in _OUT_OF_PROCESSOR_TIME and used >= allowed / 2:
        return Answer(reason=Reason.TIMEOUT, detail=f"{allowed} s of processor time are used up")
    return Answer(reason=Reason.KILLED, detail=f"it ended by signal {number} ({signal.Signals(number).name})")


def _read_frame(data: bytes, nonce: bytes) -> Frame | None:
    head = nonce + b" "
    if not (data.startswith(head) and data.endswith(b"\n") and data.count(b"\n") == 1):
        return None
    try:
        # Not msgspec's reader: it refuses the lone surrogates that the text of an exception may hold.
        return msgspec.convert(json.loads(data[len(head) :].decode()), Frame)
    except (ValueError, RecursionError):
        return None


def one_line(text: str) -> str:
    """Make an attacker's text safe to print: one line, printable characters, bounded."""
    return "".join(c if c.isprintable() else " " for c in text[:_LONGEST_DETAIL]).strip()
