"""What a cell is made of, as its owner writes it and as its pid 1 reads it.

A plan that could not hold is refused here, in words, before anything is started: mounts within one another (a link
that an agent left in the outer one would be followed while the inner is mounted), or over a folder of the system.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from verifierbench.core.errors import MalformedInput
from verifierbench.sandbox.cell_guest.root import AGENT_HOME
from verifierbench.sandbox.commands import base_interpreter, hidden_places
from verifierbench.sandbox.trees import command_user

PATH = "/interpreter:/usr/bin:/bin:/usr/sbin:/sbin"
"""Where programs of the machine are found inside; `python3` is among them."""
ENVIRONMENT = {
    "PATH": PATH,
    "HOME": AGENT_HOME,
    "USER": "agent",
    "LOGNAME": "agent",
    "SHELL": "/bin/bash",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "TZ": "UTC",
    "TMPDIR": "/tmp",  # noqa: S108  # the cell's own
    "XDG_CACHE_HOME": f"{AGENT_HOME}/.cache",
    "XDG_CONFIG_HOME": f"{AGENT_HOME}/.config",
    "XDG_DATA_HOME": f"{AGENT_HOME}/.local/share",
    "XDG_STATE_HOME": f"{AGENT_HOME}/.local/state",
    "GIT_CONFIG_NOSYSTEM": "1",
}
"""What every program in a cell finds, unless its plan or its start says otherwise."""
MOST_DOORS = 32
_TAKEN = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"),
    *("/dev", "/proc", "/etc", "/interpreter", "/.empty"),
)


class Mount(msgspec.Struct, frozen=True, kw_only=True):
    """A file or folder of ours that a cell shows at an absolute path of its own."""

    outside: Path
    inside: str
    writable: bool = False
    """If so it is given to the cell's user, with everything in it."""


class CellLimits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the programs of a cell may use; memory as a whole is not among it."""

    processes: int = 512
    """Processes and threads alive at once."""
    file_mb: int = 256
    """The largest file one may write, in MiB."""
    scratch_mb: int = 1024
    """All of /tmp, /dev/shm and a home that no mount provides, in MiB."""
    output_bytes: int = 64 << 20
    """What is kept of a program's standard output, and of its errors; the rest is dropped, and the program lives."""


class CellPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a cell is made of."""

    mounts: tuple[Mount, ...] = ()
    """None lies inside another, nor in a folder of the system."""
    ports: tuple[int, ...] = ()
    """One door for each, in this order."""
    environment: Mapping[str, str] = {}
    """Over `ENVIRONMENT`."""
    cwd: str = "/"
    limits: CellLimits = CellLimits()


def order(plan: CellPlan) -> dict[str, Any]:
    """What pid 1 is told; raises MalformedInput for a plan that cannot hold, Unavailable without an interpreter."""
    prefix, python = base_interpreter(sys.executable)
    _check(plan, prefix)
    uid = command_user()
    return {
        "binds": ["/usr", prefix],
        "hide": hidden_places(prefix),
        "python": python,
        "uid": uid,
        "privileged": uid != os.getuid(),
        "mounts": [
            {"outside": str(mount.outside.resolve()), "inside": mount.inside, "writable": mount.writable}
            for mount in plan.mounts
        ],
        "ports": list(plan.ports),
        "scratch_bytes": plan.limits.scratch_mb << 20,
        "limits": msgspec.to_builtins(plan.limits),
    }


def _check(plan: CellPlan, prefix: str) -> None:
    if len(plan.ports) > MOST_DOORS:
        raise MalformedInput("plan", "ports", f"a cell has at most {MOST_DOORS} doors")
    others = [*_TAKEN, prefix]
    for mount in plan.mounts:
        if not mount.outside.exists():
            raise MalformedInput(mount.outside, "", "there is no such file or directory to mount")
        if mount.writable and not mount.outside.is_dir():
            raise MalformedInput(mount.outside, "", "a folder alone can be mounted writable")
        path = PurePosixPath(mount.inside)
        if not path.is_absolute() or ".." in path.parts or str(path) != mount.inside or mount.inside == "/":
            raise MalformedInput(mount.outside, mount.inside, "it can be mounted at a plain absolute path alone")
        for other in others:
            if path.is_relative_to(other) or PurePosixPath(other).is_relative_to(path):
                raise MalformedInput(mount.outside, mount.inside, f"{other} is mounted already")
        others.append(mount.inside)
