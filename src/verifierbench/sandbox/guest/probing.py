"""What this machine offers a sandbox: each capability is tried for real, in a process of its own.

Run in a fresh interpreter, so that no thread or lock of the asking process is forked. Prints one JSON object:
capability to "" where it works, else to the reason it does not.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable

from .. import seccomp, syscalls
from . import lockdown

BOOTSTRAP = "import sys; sys.path.append(sys.argv[1]); from verifierbench.sandbox.guest import probing; probing.main()"


def main() -> None:
    """Try everything and print the findings."""
    sys.stdout.write(json.dumps({name: _attempt(trial) for name, trial in TRIALS.items()}))


def _attempt(trial: Callable[[], None]) -> str:
    """Return "" where `trial` succeeds in a child process, else its error."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            trial()
            os.write(write_end, b"works")
        except BaseException as error:  # reported, whatever it is
            os.write(write_end, str(error).encode() or type(error).__name__.encode())
        finally:
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    os.waitpid(pid, 0)
    return "" if said == "works" else said or "it ended without a word"


def _user_namespace() -> None:
    syscalls.unshare(syscalls.CLONE_NEWUSER | syscalls.CLONE_NEWPID)


def _namespaces() -> None:
    lockdown.lock_down(lockdown.NAMESPACES)


def _pidfd_setns() -> None:
    lockdown.lock_down(lockdown.NAMESPACES)
    syscalls.setns(os.pidfd_open(os.getpid()), syscalls.CLONE_NEWPID)


def _seccomp() -> None:
    syscalls.no_new_privileges()
    names = seccomp.ZYGOTE
    seccomp.Filter(seccomp.program(names, os.uname().machine)).install()
    try:
        os.stat("/")  # noqa: PTH116  # it must be refused
    except PermissionError:
        return
    raise OSError("a filter was installed and refuses nothing")


def _mount_namespace() -> str:
    me, group = os.getuid(), os.getgid()
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY)
    syscalls.unshare(syscalls.CLONE_NEWUSER | syscalls.CLONE_NEWNS)
    syscalls.write_id_maps(proc, inner=0, uid=me, gid=group)
    syscalls.mount("none", "/", None, syscalls.MS_REC | syscalls.MS_PRIVATE)
    syscalls.mount("tmpfs", "/tmp", "tmpfs")  # noqa: S108  # a mount of this namespace alone
    return "/tmp"  # noqa: S108


def _overlay() -> None:
    base = _mount_namespace()
    for name in ("lower", "upper", "work", "merged"):
        os.mkdir(f"{base}/{name}")  # noqa: PTH102
    layers = f"lowerdir={base}/lower,upperdir={base}/upper,workdir={base}/work,userxattr"
    syscalls.mount("overlay", f"{base}/merged", "overlay", 0, layers)


def _mount_setattr() -> None:
    base = _mount_namespace()
    attributes = (1).to_bytes(8, sys.byteorder) + bytes(24)
    syscalls.syscall("mount_setattr", syscalls.AT_FDCWD, os.fsencode(base), 0, attributes, len(attributes))


TRIALS: dict[str, Callable[[], None]] = {
    "user_namespaces": _user_namespace,
    "pidfd_setns": _pidfd_setns,
    "empty_world": _namespaces,
    "seccomp": _seccomp,
    "overlay": _overlay,
    "mount_setattr": _mount_setattr,
}
