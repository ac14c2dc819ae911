"""The root directory of a cell: the commands' root, what command line programs expect beside it, the plan's mounts.

What the commands' sandbox shows of the host is decided in one place, `guest.rootfs`; this module takes that root,
opens it once more while nothing untrusted runs, and adds. Afterwards the root is read-only again and the host is out
of sight. Nothing is mounted inside another mount of the plan, so that no link an agent left there is ever followed.

The plan is data from the trusted side: absolute paths with no symbolic link in them.
"""

# Every import costs a guest time, and pathlib is a dear one.
# ruff: noqa: PTH101, PTH102, PTH103, PTH106, PTH110, PTH112, PTH120, PTH123, PTH208, PTH211

from __future__ import annotations

import errno
import os
from contextlib import suppress
from typing import Any

from .. import syscalls as sc
from ..guest.rootfs import EMPTY, HOME, OLD, REPOSITORY, SCRATCH, build_root

AGENT_HOME = "/home/agent"
ETC_FILES = {
    "passwd": f"root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1000:agent:{AGENT_HOME}:/bin/bash\n",
    "group": "root:x:0:\nagent:x:1000:\n",
    "shells": "/bin/sh\n/bin/bash\n",
    "hostname": "sandbox\n",
    "resolv.conf": "# there is no name server\n",
}
_WRITABLE = {"/tmp": ("tmp", 0o1777), AGENT_HOME: ("home", 0o755), "/dev/shm": ("shm", 0o1777)}  # noqa: S108
_INODES = 200_000
_TTY = "/dev/tty"
_OF_THE_WHOLE_MACHINE = ("/proc/keys", "/proc/key-users", "/proc/timer_list", "/proc/sched_debug")
"""No namespace narrows these: the first names the keys of everyone who has our uid outside."""


def build(plan: dict[str, Any], uid: int) -> None:
    """Replace the root of this mount namespace by the cell's; `uid` will own what is writable, and the host is gone.

    Raises OSError naming the call that failed. Runs as pid 1, so that /proc is of its own pid namespace.
    """
    build_root({**plan, "packages": []})
    sc.mount("none", "/", None, sc.MS_REMOUNT | sc.MS_BIND | sc.MS_NOSUID | sc.MS_NODEV)
    for unused in (REPOSITORY, HOME):
        os.rmdir(unused)
    _populate_etc()
    _populate_dev()
    _mount_proc()
    _mount_scratch(plan, uid)
    for mount in plan["mounts"]:
        _mount(mount)
    sc.make_mount_read_only("/")


def let_go_of_the_host() -> None:
    """Detach the stage that the host's root lies on; from then on no path leads out."""
    sc.umount2(EMPTY, sc.MNT_DETACH)
    if os.listdir(EMPTY):
        raise OSError(errno.EBUSY, "the host's root is still in sight")


def _populate_etc() -> None:
    for name, text in ETC_FILES.items():
        with open(f"/etc/{name}", "w", encoding="ascii") as file:
            file.write(text)
    if os.path.exists("/usr/lib/os-release"):
        os.symlink("/usr/lib/os-release", "/etc/os-release")


def _populate_dev() -> None:
    """Terminals of the cell's own: some programs run the agent's commands in one."""
    if os.path.exists(OLD + _TTY):
        _make_mount_point(OLD + _TTY, _TTY)
        sc.mount(OLD + _TTY, _TTY, None, sc.MS_BIND)
    os.mkdir("/dev/pts")
    with suppress(OSError):  # a container may forbid it; programs then do without
        sc.mount("devpts", "/dev/pts", "devpts", sc.MS_NOSUID | sc.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620")
        os.symlink("pts/ptmx", "/dev/ptmx")


def _mount_proc() -> None:
    """Show the cell its own processes, and not pid 1, which was started with names of the host.

    A host whose own /proc is partly masked does not allow it; the cell has none then.
    """
    with suppress(OSError):
        sc.mount("proc", "/proc", "proc", sc.MS_NOSUID | sc.MS_NODEV | sc.MS_NOEXEC, "hidepid=2")
    for name in filter(os.path.exists, _OF_THE_WHOLE_MACHINE):
        sc.mount("/dev/null", name, None, sc.MS_BIND)


def _mount_scratch(plan: dict[str, Any], uid: int) -> None:
    """One tmpfs behind everything that is writable and ends with the cell, so that one size limits it all."""
    size = f"size={plan['scratch_bytes']},nr_inodes={_INODES},mode=755"
    sc.mount("tmpfs", SCRATCH, "tmpfs", sc.MS_NOSUID | sc.MS_NODEV, size)
    taken = {mount["inside"] for mount in plan["mounts"]}
    for target, (name, mode) in _WRITABLE.items():
        if target not in taken:
            source = f"{SCRATCH}/{name}"
            os.mkdir(source)
            os.chmod(source, mode)
            os.chown(source, uid, uid)
            os.makedirs(target, exist_ok=True)
            sc.mount(source, target, None, sc.MS_BIND)


def _mount(mount: dict[str, Any]) -> None:
    source, target = OLD + mount["outside"], mount["inside"]
    _make_mount_point(source, target)
    sc.mount(source, target, None, sc.MS_BIND | sc.MS_REC)
    if not mount["writable"]:
        sc.make_mount_read_only(target, recursive=True)


def _make_mount_point(source: str, target: str) -> None:
    directory = os.path.isdir(source)
    os.makedirs(target if directory else os.path.dirname(target), exist_ok=True)
    if not directory:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
