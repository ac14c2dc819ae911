"""`VerifierBox`: runs untrusted verifiers on cases, one forked and confined process per case.

A box owns one zygote and runs one case at a time; use one box per core. It may be used by one thread at a time.
Whatever a verifier does becomes a `Decision`; an exception from here is our own failure, or the environment's.
"""

from __future__ import annotations

import hashlib
import math
import os
import sys
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple, Self

import msgspec

from verifierbench.core.decision import Decision, Limits, Reason
from verifierbench.core.errors import InfrastructureError
from verifierbench.core.protocols import PublicEnvironment

from .channel import Channel
from .guest import wire
from .guest.lockdown import GUEST_UID
from .outcome import Answer, read_answer
from .process import Zygote, ZygoteDied
from .syscalls import sealed_memfd
from .tier import Tier
from .watch import Allowance, Observation, run_child

_FRAME_BYTES = 8 << 10
_CODE_BYTES = 32 << 20
_COMPILED_KEPT = 64


class Execution(msgspec.Struct, frozen=True, kw_only=True):
    """One run of a verifier on one case."""

    decision: Decision
    output: str = ""
    """The beginning of what it printed, standard output and error together; raw, so escape it before showing it."""
    trail: tuple[int, ...] = ()
    """When explained: the last executed lines of verifier.py, oldest first."""


class _Code(NamedTuple):
    fd: int
    size: int


class VerifierBox:
    """A sandbox for verifiers. Use as a context manager, or call `close`."""

    def __init__(
        self,
        tier: Tier,
        *,
        interpreter: str = sys.executable,
        guest_uid: int = GUEST_UID,
        extra_modules: Sequence[str] = (),
    ) -> None:
        """Start the zygote in `tier`; raises InfrastructureError.

        `extra_modules` widens what verifiers may import and is for testing the sandbox itself: published results
        are made without.
        """
        self.tier = tier
        self._interpreter, self._guest_uid, self._extra = interpreter, guest_uid, tuple(extra_modules)
        self._zygote = self._start()
        self.restarts = 0
        """How often the zygote had to be replaced; a verifier never causes it."""
        self.compilations = 0
        """How many sources were compiled; each is compiled once while it is kept."""
        self._compiled: OrderedDict[bytes, _Code | Answer] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the zygote and release every descriptor."""
        self._zygote.close()
        for kept in self._compiled.values():
            _release(kept)
        self._compiled.clear()

    @property
    def process_id(self) -> int:
        """The process every process of this box descends from."""
        return self._zygote.pid

    def run(
        self,
        verifier: bytes,
        solution: bytes,
        task: bytes,
        environment: PublicEnvironment | None,
        limits: Limits,
        *,
        explain: bool = False,
    ) -> Execution:
        """Decide one case: source, and JSON of the solution and the public task, as bytes.

        `explain` also records the executed lines, and is slower. Raises InfrastructureError, after which the box
        is usable again, and whatever `environment` raises besides EnvironmentRefusal.
        """
        code = self._code(verifier, limits)
        if isinstance(code, Answer):
            return Execution(decision=code.decision())
        mode = wire.MODE_EXPLAIN if explain else wire.MODE_RUN
        order = _order(mode, limits, code.size, len(solution), len(task))
        channel = Channel(environment, limits.environment_calls) if environment else None
        allowance = Allowance(limits.seconds, limits.output_bytes, _FRAME_BYTES)
        try:
            nonce, seen = self._run_child(order, solution + task, code.fd, allowance, channel)
        finally:
            if channel:
                channel.close()
        refused = channel.refused_for_budget if channel else False
        answer = read_answer(seen, order, nonce, budget_refused=refused)
        return Execution(
            decision=answer.decision(seen, channel.calls if channel else 0),
            output=seen.output.decode(errors="replace"),
            trail=answer.trail,
        )

    def _run_child(
        self, order: wire.Order, payload: bytes, code: int, allowance: Allowance, channel: Channel | None
    ) -> tuple[bytes, Observation]:
        nonce = os.urandom(wire.NONCE_BYTES // 2).hex().encode()
        payload_fd = sealed_memfd(nonce + payload, "payload")
        try:
            return nonce, run_child(self._zygote, order, (payload_fd, code), allowance, channel)
        except ZygoteDied as error:
            self._restart()
            raise InfrastructureError(f"the verifier sandbox died and was restarted: {error}") from error
        finally:
            os.close(payload_fd)

    def _start(self) -> Zygote:
        return Zygote(self.tier, self._interpreter, self._guest_uid, self._extra)

    def _restart(self) -> None:
        self._zygote.kill()
        self.restarts += 1
        self._zygote = self._start()

    def _code(self, source: bytes, limits: Limits) -> _Code | Answer:
        """Return the compiled source, or why there is none; kept by the source's hash.

        The compiler runs in a confined child of its own that sees this source alone, so what it writes can only
        ever reach cases of this source.
        """
        key = hashlib.sha256(source).digest()
        known = self._compiled.get(key)
        if known is not None:
            self._compiled.move_to_end(key)
            return known
        compiled = self._compile(source, limits)
        if isinstance(compiled, _Code) or compiled.reason is Reason.IMPORT_ERROR:
            self._compiled[key] = compiled
            while len(self._compiled) > _COMPILED_KEPT:
                _release(self._compiled.popitem(last=False)[1])
        return compiled

    def _compile(self, source: bytes, limits: Limits) -> _Code | Answer:
        self.compilations += 1
        order = _order(wire.MODE_COMPILE, limits, len(source), 0, 0)
        allowance = Allowance(limits.seconds, limits.output_bytes, _CODE_BYTES)
        source_fd = sealed_memfd(source, "source")
        try:
            nonce, seen = self._run_child(order, b"", source_fd, allowance, None)
        finally:
            os.close(source_fd)
        head = nonce + b"C"
        if seen.overstep is None and seen.ending.status == 0 and seen.frame.startswith(head):
            code = seen.frame[len(head) :]
            return _Code(sealed_memfd(code, "code"), len(code))
        return read_answer(seen, order, nonce, budget_refused=False)


def _order(mode: int, limits: Limits, code: int, solution: int, task: int) -> wire.Order:
    return wire.Order(mode, math.ceil(limits.seconds), limits.memory_mb << 20, code, solution, task)


def _release(kept: _Code | Answer) -> None:
    if isinstance(kept, _Code):
        os.close(kept.fd)
