"""A worker: load a script's packages, give everything up, then handle each request in a process of its own.

Three processes, from the outside in. The first is what was started; it loads, forks, and from then on only waits:
for the second to end, or for the caller to be gone. The second locks itself down and serves: it forks per request,
passes on what the request's process writes, and never executes upstream code after the load. The third handles
one request in the state `load` left, and is killed. So nothing of a request reaches a later one, not even from
upstream code that evaluates a hostile string; what such code can do is lie in its own answer.

No file can be opened after the load: `load` imports and reads all that `handle` needs.
"""

from __future__ import annotations

import gc
import json
import os
import random
import resource
import select
import signal
import sys
import time
import types
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from .. import published
from .. import syscalls as sc
from . import determinism, filters, frames, lockdown

if TYPE_CHECKING:
    from collections.abc import Callable

_DURATIONS = (
    "monotonic",
    "monotonic_ns",
    "perf_counter",
    "perf_counter_ns",
    "process_time",
    "process_time_ns",
    "thread_time",
    "thread_time_ns",
)
_LAZY_PARTS = (*published.LAZY_PARTS, "concurrent.futures.thread")
"""What the standard library imports on first use, when there is no file to load from any more."""
_PROCESSES = 64


class Refusal(Exception):
    """What a script raises (the name is given to it) when a request is at fault; the text goes to the verifier."""


def main(control: str) -> NoReturn:
    """Load, fork, and wait while the other process serves."""
    fd = int(control)
    try:
        order = json.loads(frames.receive(partial(os.read, fd)).body)
        ready, handle = load(order)
        # A fork leaves threads behind: a user namespace can only be entered by a process that has one.
        pid = os.fork()
        if pid == 0:
            confine_and_serve(fd, order, ready, handle)
        wait(fd, pid)
    except BaseException as error:
        frames.send(fd, frames.Message(frames.FAILED, text_of(error).encode()))
    finally:
        os._exit(0)  # an ordinary end would wait for threads the packages started


def wait(fd: int, pid: int) -> None:
    """Wait for the serving process to end, or end it when the caller has hung up."""
    poll = select.poll()
    poll.register(fd, 0)  # a hang-up is reported unasked; what is sent is for the other process
    poll.register(sc.pidfd_open(pid), select.POLLIN)
    poll.poll()
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def text_of(error: BaseException) -> str:
    """Return an error as one line for a person."""
    return f"{type(error).__name__}: {error}"[:2000]


def load(order: dict[str, Any]) -> tuple[bytes, Callable[[Any], Any]]:
    """Run the script and its `load`; return what it said as JSON, and `handle`."""
    freeze_clocks()
    for name in _LAZY_PARTS:
        import_module(name)
    sys.path += order["search_path"]
    script = types.ModuleType("worker_script")
    script.__file__ = order["script"]
    vars(script)["Refusal"] = Refusal
    sys.modules[script.__name__] = script
    with open(order["script"], "rb") as file:  # noqa: PTH123  # pathlib costs the guest an import
        code = compile(file.read(), order["script"], "exec", dont_inherit=True)
    exec(code, vars(script))  # noqa: S102  # it is what this process is for
    ready = json.dumps(script.load(order["arguments"]), allow_nan=False).encode()
    return ready, script.handle


def freeze_clocks() -> None:
    """Stop the calendar and leave the stopwatches: event loops and locks would wait for ever on a stopped one."""
    running = {name: getattr(time, name) for name in _DURATIONS}
    determinism.make_deterministic()
    vars(time).update(running)


def confine_and_serve(fd: int, order: dict[str, Any], ready: bytes, handle: Callable[[Any], Any]) -> NoReturn:
    """Become the serving process; never returns."""
    try:
        os.dup2(1, 2)  # the caller's log is a file, and below no file may grow
        confine = confinement(order)
    except BaseException as error:
        frames.send(fd, frames.Message(frames.UNCONFINED, text_of(error).encode()))
        os._exit(1)
    try:
        frames.send(fd, frames.Message(frames.READY, ready))
        while True:
            serve_one(fd, handle, confine)
    finally:  # EOFError: the caller is gone
        os._exit(0)


def confinement(order: dict[str, Any]) -> Callable[[], None]:
    """Lock this process down; return what confines the process of a request further."""
    of_server, of_request = filters.server_filter(), filters.request_filter()
    gc.collect()
    gc.freeze()
    lockdown.lower_limit(resource.RLIMIT_AS, order["memory_bytes"])
    lockdown.lock_down(order["tier"], uid=order["uid"])
    sc.drop_capabilities()
    if order["tier"] == lockdown.NAMESPACES:  # elsewhere all processes of the user count
        lockdown.lower_limit(resource.RLIMIT_NPROC, _PROCESSES)
    sc.die_with_parent()
    of_server.install()

    def confine_request() -> None:
        sc.die_with_parent()
        of_request.install()

    return confine_request


def serve_one(fd: int, handle: Callable[[Any], Any], confine: Callable[[], None]) -> None:
    """Take one request, have a process handle it, and pass on its words or say how it ended."""
    request = frames.receive(partial(os.read, fd))
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(fd)
        os.close(out)
        answer(into, request.body, handle, confine)
    os.close(into)
    kind, said = collect(out, request.seconds)
    os.kill(pid, signal.SIGKILL)
    os.close(out)
    _, status = os.waitpid(pid, 0)
    if kind == frames.ANSWER and not said:
        kind, said = frames.ENDED, f"its process ended with status {status:#06x}".encode()
    frames.send(fd, frames.Message(kind, said))


def collect(out: int, seconds: float) -> tuple[int, bytes]:
    """Read until the writer is done; return ANSWER and what it wrote, or what limit it passed."""
    deadline = time.monotonic() + seconds
    said = bytearray()
    while len(said) <= frames.LONGEST:
        left = deadline - time.monotonic()
        if left <= 0 or not sc.readable(out, left):
            return frames.TOO_LATE, b""
        data = os.read(out, 1 << 16)
        if not data:
            return frames.ANSWER, bytes(said)
        said += data
    return frames.TOO_LONG, b""


def answer(into: int, request: bytes, handle: Callable[[Any], Any], confine: Callable[[], None]) -> NoReturn:
    """Handle one request in this process, write the answer, end."""
    try:
        confine()
        seed()
        said = in_json(reply(request, handle))
    except BaseException as error:
        said = json.dumps({"error": text_of(error)}).encode()
    try:
        view = memoryview(said)
        while view:
            view = view[os.write(into, view) :]
    finally:
        os._exit(0)


def reply(request: bytes, handle: Callable[[Any], Any]) -> dict[str, Any]:
    """Return `{"result"}`, or `{"refusal"}` where the script says the request is at fault."""
    try:
        return {"result": handle(json.loads(request))}
    except Refusal as refusal:
        return {"refusal": str(refusal)}


def in_json(answered: dict[str, Any]) -> bytes:
    """The reply as JSON; where it cannot be said in JSON, such as a number without bounds, the request is at fault."""
    try:
        return json.dumps(answered, allow_nan=False).encode()
    except ValueError as error:
        return json.dumps({"refusal": f"what this request leads to cannot be said in JSON: {error}"}).encode()


def seed() -> None:
    """Start every source of chance that Python code reads from one place."""
    random.seed(published.RANDOM_SEED)
    source = random.Random(published.RANDOM_SEED).randbytes  # noqa: S311  # repeatable on purpose
    os.urandom = source
    vars(random)["_urandom"] = source
