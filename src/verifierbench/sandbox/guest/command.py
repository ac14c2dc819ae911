"""Run one untrusted command as pid 1 of its namespace: its limits, its output, its end, and nothing left of it."""

from __future__ import annotations

import os
import resource
import select
import signal
import time
import warnings  # noqa: F401  # os.execvpe imports it, when this interpreter's files are out of reach
from contextlib import suppress
from typing import Any, NoReturn

from .. import syscalls as sc
from . import filters

ENVIRONMENT = {
    "PATH": "/interpreter:/usr/bin:/bin:/usr/sbin:/sbin",
    "HOME": "/home/user",
    "USER": "user",
    "TMPDIR": "/tmp",  # noqa: S108  # the sandbox's own
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "GIT_CONFIG_NOSYSTEM": "1",
}
NO_SUCH_COMMAND = 127
"""The exit status shells use for it."""


def run_command(command: list[str], request: dict[str, Any], stdin: bytes) -> dict[str, Any]:
    """Run one command to its end or to a limit; afterwards no process but this one is left."""
    cap = request["limits"]["output_bytes"]
    standard_input = sc.sealed_memfd(stdin, "stdin")
    (out, out_end), (err, err_end) = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        execute(command, request, (standard_input, out_end, err_end))
    for fd in (standard_input, out_end, err_end):
        os.close(fd)
    output = {out: bytearray(), err: bytearray()}
    ended = watch(pid, output, time.monotonic() + request["limits"]["seconds"], cap)
    status = kill_all(pid)
    for fd, text in output.items():
        while read_some(fd, text):  # every writer is dead: what the pipe still holds comes to an end
            pass
        os.close(fd)
    if ended == "exit" and max(map(len, output.values())) > cap:
        ended = "output"
    stdout, stderr = (bytes(text[:cap]).decode("utf-8", "replace") for text in output.values())
    return describe(ended, status, request["limits"]) | {"stdout": stdout, "stderr": stderr}


def execute(command: list[str], request: dict[str, Any], standard: tuple[int, int, int]) -> NoReturn:
    """Become the command: between fork and exec."""
    try:
        os.setsid()
        for number, fd in enumerate(standard):
            os.dup2(fd, number)
        sc.close_range(3)
        set_limits(request["limits"])
        for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # ignored by Python; inherited through exec
            signal.signal(ignored, signal.SIG_DFL)
        with suppress(OSError):  # containers may forbid it
            sc.fix_addresses()
        filters.command_filter().install()
        os.execvpe(command[0], command, request["environment"])  # noqa: S606
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(NO_SUCH_COMMAND)


def set_limits(limits: dict[str, Any]) -> None:
    """Limit what one process may use; descendants inherit it."""
    table = {
        resource.RLIMIT_AS: limits["memory_mb"] << 20,
        resource.RLIMIT_FSIZE: limits["file_mb"] << 20,
        resource.RLIMIT_NPROC: limits["processes"],
        resource.RLIMIT_NOFILE: 1024,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
    }
    for kind, value in table.items():
        hard = resource.getrlimit(kind)[1]
        ceiling = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (ceiling, ceiling))


def watch(pid: int, output: dict[int, bytearray], deadline: float, cap: int) -> str:
    """Collect output until the command is over or at a limit; return "exit", "timeout" or "output"."""
    poll = select.poll()
    process = sc.pidfd_open(pid)
    for fd in (process, *output):
        poll.register(fd, select.POLLIN)
    try:
        while True:
            ready = [fd for fd, _ in poll.poll(max(0.0, deadline - time.monotonic()) * 1000)]
            for fd in output.keys() & ready:
                if not read_some(fd, output[fd]):
                    poll.unregister(fd)
            if max(map(len, output.values())) > cap:
                return "output"
            if process in ready:
                return "exit"
            if time.monotonic() >= deadline:
                return "timeout"
    finally:
        os.close(process)


def read_some(fd: int, into: bytearray) -> bool:
    """Append what one read gives; False at the end."""
    data = os.read(fd, 1 << 16)
    into += data
    return bool(data)


def kill_all(pid: int) -> int:
    """Kill and reap everything else in the namespace; return the wait status of `pid`."""
    status = 0
    while True:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
        try:
            gone, how = os.waitpid(-1, 0)
        except ChildProcessError:
            return status
        status = how if gone == pid else status


def describe(ended: str, status: int, limits: dict[str, Any]) -> dict[str, Any]:
    """Say how a command ended."""
    if ended == "timeout":
        return {"exit": None, "ended": ended, "detail": f"stopped after {limits['seconds']} s"}
    if ended == "output":
        return {"exit": None, "ended": ended, "detail": f"wrote more than {limits['output_bytes']} bytes"}
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
        return {"exit": None, "ended": "signal", "detail": name}
    return {"exit": os.WEXITSTATUS(status), "ended": "exit", "detail": ""}
