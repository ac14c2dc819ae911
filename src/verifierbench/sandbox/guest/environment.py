"""The `env` a verifier receives: the public task, and requests answered by the trusted side.

Every rule (budgets, sizes, what may be asked) is enforced outside; this side only asks and waits. One request is
in flight at a time: a JSON line out, a JSON line back.
"""

from __future__ import annotations

import json
import os
from typing import Any

from ..published import REQUEST_BYTES
from . import wire

_READ_SIZE = 1 << 16


class EnvError(Exception):
    """The public environment declined a request; the text says why."""


class BudgetExhausted(EnvError):
    """The executions of this case are used up."""


EnvError.__module__ = BudgetExhausted.__module__ = "verifier"


class Environment:
    """`env`: `task`, `read`, `run`."""

    EnvError = EnvError
    BudgetExhausted = BudgetExhausted

    def __init__(self, order: wire.Order, *, connected: bool) -> None:
        self._order, self._connected, self._count = order, connected, 0

    @property
    def task(self) -> Any:
        """The public task."""
        task = self.__dict__.get("_task")
        if task is None:
            start = wire.NONCE_BYTES + self._order.solution_bytes
            task = json.loads(os.pread(wire.PAYLOAD_FD, self._order.task_bytes, start))
            self.__dict__["_task"] = task
        return task

    def read(self, material: str, pointer: str = "") -> Any:
        """Return a part of a public material: the value at a JSON pointer. Raises EnvError."""
        return self._ask({"op": "read", "material": material, "pointer": pointer})

    def run(self, request: Any) -> Any:
        """Execute the public environment and return what it shows. Raises EnvError, BudgetExhausted."""
        return self._ask({"op": "run", "request": request})

    def _ask(self, request: dict[str, Any]) -> Any:
        if not self._connected:
            raise EnvError("this case has no public environment")
        text = json.dumps({"id": self._count + 1, **request}, allow_nan=False)
        if len(text) >= REQUEST_BYTES:
            raise EnvError(f"a request may be {REQUEST_BYTES} bytes long; this one has {len(text)}")
        self._count += 1
        _write_all(text.encode() + b"\n")
        reply = json.loads(_read_line())
        if "result" in reply:
            return reply["result"]
        raise (BudgetExhausted if reply["error"] == "budget" else EnvError)(reply["text"])


def _write_all(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(wire.CASE_ENVIRONMENT_FD, view) :]


def _read_line() -> bytes:
    parts: list[bytes] = []
    while not parts or not parts[-1].endswith(b"\n"):
        part = os.read(wire.CASE_ENVIRONMENT_FD, _READ_SIZE)
        if not part:
            raise EnvError("the public environment is gone")
        parts.append(part)
    return b"".join(parts)
