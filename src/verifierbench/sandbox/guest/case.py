"""Answer one order inside the confined child: compile a source, or run a verifier on a case.

The answer is one frame: the nonce, a space, one JSON object, a newline. Only PASS, FAIL and the kinds of the
verifier's own failures can be said here. A hostile verifier can forge the frame: it thereby says what it could
have returned. Whatever concerns time, signals, output and budgets is decided outside.
"""

from __future__ import annotations

import json
import marshal
import os
import sys
import types
import warnings
from collections import deque
from typing import Any, NoReturn

from ..published import TRAIL_LENGTH, VERIFIER_FILE
from . import wire
from .environment import BudgetExhausted, EnvError, Environment

PASS_FRAME, FAIL_FRAME = b' {"kind":"PASS"}\n', b' {"kind":"FAIL"}\n'
_DETAIL_LENGTH = 300

# Kept from before any verifier runs: it may rebind the names in the modules.
_write, _exit, _dumps = os.write, os._exit, json.dumps


def answer(order: wire.Order, *, with_environment: bool) -> NoReturn:
    """Write the frame and end the process with status 0."""
    size = wire.NONCE_BYTES + order.solution_bytes
    payload = os.pread(wire.PAYLOAD_FD, size, 0)
    nonce = payload[: wire.NONCE_BYTES]
    compiling = order.mode == wire.MODE_COMPILE
    _send(nonce + (_compile(order) if compiling else _decide(order, payload, with_environment)))
    _exit(0)


def _send(frame: bytes) -> None:
    view = memoryview(frame)
    while view:
        view = view[_write(wire.RESULT_FD, view) :]


def _compile(order: wire.Order) -> bytes:
    """Return the marshalled code after a `C`, or a frame that says why there is none."""
    warnings.simplefilter("ignore")
    try:
        code = compile(_take_code(order), VERIFIER_FILE, "exec", dont_inherit=True)
        return b"C" + marshal.dumps(code)
    except BaseException as error:  # a source may make the parser raise anything
        return _frame(_failure("import_error", error))


def _take_code(order: wire.Order) -> bytes:
    code = os.pread(wire.CODE_FD, order.code_bytes, 0)
    # All cases of a verifier share this open file: its position would carry a number from one to the next.
    os.close(wire.CODE_FD)
    return code


def _decide(order: wire.Order, payload: bytes, with_environment: bool) -> bytes:
    tracer = _Tracer() if order.mode == wire.MODE_EXPLAIN else None
    try:
        said = _run(order, payload, with_environment, tracer)
    except BaseException as error:  # SystemExit too: verifiers end in every way there is
        said = _failure("exception", error)
    sys.settrace(None)
    _flush()
    if tracer is None and len(said) == 1:
        return PASS_FRAME if said["kind"] == "PASS" else FAIL_FRAME
    return _frame(tracer.seen() | said if tracer else said)


def _run(order: wire.Order, payload: bytes, with_environment: bool, tracer: _Tracer | None) -> dict[str, Any]:
    try:
        code = marshal.loads(_take_code(order))  # noqa: S302  # written by our compiler, for this source alone
        solution = json.loads(payload[wire.NONCE_BYTES :].decode())
        module = types.ModuleType("verifier")
        module.__dict__.update(__file__=VERIFIER_FILE, EnvError=EnvError, BudgetExhausted=BudgetExhausted)
        sys.modules["verifier"] = module
        if tracer:
            sys.settrace(tracer)
        exec(code, module.__dict__)  # noqa: S102  # this process exists to run it
        verify = module.__dict__.get("verify")
    except BaseException as error:
        return _failure("import_error", error)
    if verify is None:
        return {"kind": "missing", "detail": "verifier.py defines no verify"}
    environment = Environment(order, connected=with_environment)
    if tracer:
        tracer.function = getattr(verify, "__code__", None)
    return _judge(verify(solution, environment))


def _judge(value: object) -> dict[str, Any]:
    # Exact type: a subclass of str can compare equal to anything.
    if type(value) is str:
        if value in ("PASS", "FAIL"):
            return {"kind": value}
        return {"kind": "bad_output", "detail": f"verify returned {value[:_DETAIL_LENGTH]!r}"}
    return {"kind": "bad_output", "detail": f"verify returned a value of type {_name(value)}"}


def _name(value: object) -> str:
    # The type's own attribute can be overridden by a metaclass; the slot behind it cannot.
    return str(type.__dict__["__name__"].__get__(type(value)))


def _failure(kind: str, error: BaseException) -> dict[str, Any]:
    """Describe an exception without trusting any of its methods."""
    if isinstance(error, MemoryError):
        return {"kind": "memory", "detail": "MemoryError", "line": _line(error)}
    if kind == "exception" and isinstance(error, BudgetExhausted):
        kind = "environment_budget"
    try:
        text = str(error)[:_DETAIL_LENGTH]
    except BaseException:
        text = "(its text cannot be shown)"
    if isinstance(error, SyntaxError) and error.filename == VERIFIER_FILE and error.lineno:
        text = f"{str(error.msg)[:_DETAIL_LENGTH]} (line {error.lineno})"
        return {"kind": kind, "detail": f"{_name(error)}: {text}", "line": error.lineno}
    return {"kind": kind, "detail": f"{_name(error)}: {text}".removesuffix(": "), "line": _line(error)}


def _line(error: BaseException) -> int | None:
    """Return the innermost line of the verifier's own file."""
    line, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == VERIFIER_FILE:
            line = step.tb_lineno
        step = step.tb_next
    return line


def _frame(said: dict[str, Any]) -> bytes:
    try:
        return f" {_dumps(said)}\n".encode()
    except BaseException:  # out of memory again, or a poisoned encoder
        return b' {"kind":"exception","detail":"its failure cannot be described"}\n'


def _flush() -> None:
    try:
        sys.stdout.flush()
    except BaseException:  # what it did to its own output is its own affair
        return


class _Tracer:
    """Record the last executed lines of verifier.py, and the line that returned from `verify`."""

    def __init__(self) -> None:
        self.trail: deque[int] = deque(maxlen=TRAIL_LENGTH)
        self.function: types.CodeType | None = None
        self.returned: int | None = None

    def __call__(self, frame: types.FrameType, event: str, _: object) -> _Tracer | None:
        """Be the global and the local trace function."""
        if frame.f_code.co_filename != VERIFIER_FILE:
            return None
        if event == "line":
            self.trail.append(frame.f_lineno)
        elif event == "return" and frame.f_code is self.function:
            self.returned = frame.f_lineno
        return self

    def seen(self) -> dict[str, Any]:
        """Return the frame's extra fields."""
        line = {} if self.returned is None else {"line": self.returned}
        return {"trail": list(self.trail), **line}
