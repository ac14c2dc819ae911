"""Give up everything this process could do to the machine, after it has loaded what it needs.

`lock_down` is called once, by a process that has imported its modules and opened its descriptors. Afterwards it is
an unprivileged user who can gain nothing; in the namespaces tier it is also alone: no other process, no network,
no file (an empty read-only root), no host name, no IPC. Nothing is executed afterwards, so the interpreter may
live where that user could never read it.

It may never return half done: every step raises OSError, and the caller must treat that as "no sandbox". Seccomp
is the caller's next step, because only the caller knows which calls it still needs.
"""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Callable

from .. import syscalls

NAMESPACES, SECCOMP = "namespaces", "seccomp"
GUEST_UID = 64_321
"""Who a guest is when it is started by root: a user and group that own nothing."""

_ALL_NAMESPACES = (
    syscalls.CLONE_NEWUSER
    | syscalls.CLONE_NEWNS
    | syscalls.CLONE_NEWPID
    | syscalls.CLONE_NEWNET
    | syscalls.CLONE_NEWIPC
    | syscalls.CLONE_NEWUTS
    | syscalls.CLONE_NEWCGROUP
)
_EMPTY_ROOT_FLAGS = syscalls.MS_RDONLY | syscalls.MS_NOSUID | syscalls.MS_NODEV | syscalls.MS_NOEXEC
_MOUNT_POINTS = ("/tmp", "/proc", "/usr", "/etc")  # noqa: S108  # a place to mount on, nothing is written
_IDENTITY_MAP = (0, 0, 4_294_967_295)

_LIMITS = {
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_FSIZE: 0,
    resource.RLIMIT_MEMLOCK: 0,
    resource.RLIMIT_MSGQUEUE: 0,
    resource.RLIMIT_SIGPENDING: 64,
    resource.RLIMIT_NOFILE: 64,
    resource.RLIMIT_STACK: 8 << 20,
}
"""Ceilings every guest lives under; time, memory and processes are set by whoever runs one."""


def lock_down(tier: str, *, uid: int = GUEST_UID) -> None:
    """Confine this process for good; `uid` is who it becomes when it is root now.

    In the namespaces tier it returns in a child that is process 1 of its own pid namespace; the caller's process
    stays behind, holds no descriptor, and ends with the child's status. Both keep what was imported.
    """
    if tier not in (NAMESPACES, SECCOMP):
        raise ValueError(f"no tier is called {tier!r}")
    steps: dict[str, Callable[[int], None]] = {NAMESPACES: _into_namespaces, SECCOMP: _without_namespaces}
    steps[tier](uid)
    syscalls.no_new_privileges()
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)
    for kind, ceiling in _LIMITS.items():
        lower_limit(kind, ceiling)


def lower_limit(kind: int, ceiling: int) -> None:
    """Set a resource limit, soft and hard, to `ceiling` or to the present hard limit if that is lower."""
    hard = resource.getrlimit(kind)[1]
    value = ceiling if hard == resource.RLIM_INFINITY else min(ceiling, hard)
    resource.setrlimit(kind, (value, value))


def _without_namespaces(uid: int) -> None:
    if syscalls.effective_capabilities():
        syscalls.drop_bounding_set()
    _become(uid)
    syscalls.drop_capabilities()
    _leave_session()


def _into_namespaces(uid: int) -> None:
    proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    _become(uid)
    me, group = os.getuid(), os.getgid()
    syscalls.unshare(_ALL_NAMESPACES)
    syscalls.write_id_maps(proc, inner=me, uid=me, gid=group)
    os.close(proc)
    syscalls.drop_bounding_set()
    _empty_root()
    _become_process_one()


def _become(uid: int) -> None:
    """Leave root for a user who owns nothing; anyone else stays who they are."""
    if os.geteuid() != 0:
        return
    try:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.EPERM) and not _is_real_root():
            return  # inside a rootless container this root is an ordinary user, and the only one it has
        raise
    # A change of uid hides /proc/self from its owner, who still has to write its id maps there.
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 1)


def _is_real_root() -> bool:
    with open("/proc/self/uid_map") as file:  # noqa: PTH123  # pathlib costs the guest an import
        return tuple(int(number) for number in file.read().split()) == _IDENTITY_MAP


def _empty_root() -> None:
    """Swap the root for an empty file system that can never be written, and let go of the old one."""
    syscalls.mount("none", "/", None, syscalls.MS_REC | syscalls.MS_PRIVATE)
    place = next(path for path in _MOUNT_POINTS if os.path.isdir(path))  # noqa: PTH112
    syscalls.mount("tmpfs", place, "tmpfs", _EMPTY_ROOT_FLAGS, "size=4k,nr_inodes=1,mode=555")
    os.chdir(place)
    syscalls.pivot_root(".", ".")
    syscalls.umount2(".", syscalls.MNT_DETACH)
    os.chdir("/")


def _become_process_one() -> None:
    """Fork into the new pid namespace; the parent only waits, so that its own parent learns the ending."""
    child = os.fork()
    if child:
        syscalls.close_range(0)
        _, status = os.waitpid(child, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    syscalls.die_with_parent()
    _leave_session()
    if os.getpid() != 1 or os.listdir("/"):  # noqa: PTH208  # a call that silently did nothing is no sandbox
        raise OSError(errno.EINVAL, "the new namespaces are not empty")


def _leave_session() -> None:
    """Let go of the terminal, if there is one."""
    if os.getsid(0) != os.getpid():
        os.setsid()
