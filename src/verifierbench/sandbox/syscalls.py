"""The kernel calls a sandbox is made of, through ctypes and the standard library alone.

Guests run under `python -I -S -E`, often an interpreter that is not ours, so nothing here may import anything
of ours or anything installed. Calls that the C library wraps go through it; the others go by number, and
numbers belong to an architecture: an unknown one is refused with a sentence, never guessed.

Every failure is an `OSError` that carries the errno and names the call. Nothing here decides a policy.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import resource
import select
import signal
import struct

CLONE_NEWNS = 0x0002_0000
CLONE_NEWCGROUP = 0x0200_0000
CLONE_NEWUTS = 0x0400_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_NOATIME = 1024
MS_NODIRATIME = 2048
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MS_SLAVE = 1 << 19
MS_RELATIME = 1 << 21
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

CAP_SETGID = 6
CAP_SETUID = 7
CAP_SYS_ADMIN = 21

AT_FDCWD = -100
AT_RECURSIVE = 0x8000
_MOUNT_ATTR_RDONLY = 1
_MOUNT_ATTR_NOSUID = 2
_CAPABILITY_VERSION_3 = 0x2008_0522
_ASK_PERSONALITY = 0xFFFF_FFFF
_ADDR_NO_RANDOMIZE = 0x0004_0000
_LARGEST_FD = 0xFFFF_FFFF
NOT_HERE = (errno.ENOSYS, errno.EPERM, errno.EINVAL)
"""How a kernel, or the seccomp profile of an outer container, says that it does not know a newer call."""

SYSCALL_NUMBERS = {
    "x86_64": {"pivot_root": 155, "renameat2": 316, "pidfd_open": 434, "close_range": 436, "mount_setattr": 442},
    "aarch64": {"pivot_root": 41, "renameat2": 276, "pidfd_open": 434, "close_range": 436, "mount_setattr": 442},
}
"""Architecture (as `platform.machine()` names it) to call to number."""

# statvfs has its own numbers for a mount's flags; a user namespace may not remount without those already set.
_KEPT_FLAGS = (
    (os.ST_NOSUID, MS_NOSUID),
    (os.ST_NODEV, MS_NODEV),
    (os.ST_NOEXEC, MS_NOEXEC),
    (os.ST_NOATIME, MS_NOATIME),
    (os.ST_NODIRATIME, MS_NODIRATIME),
    (os.ST_RELATIME, MS_RELATIME),
)

libc = ctypes.CDLL(None, use_errno=True)

# Built once: dropping capabilities happens in every forked child, and must cost one call.
_CAPABILITY_HEADER = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0))
_NO_CAPABILITIES = ctypes.create_string_buffer(24)


def check(result: int, call: str) -> int:
    """Return `result`, or raise the OSError of a failed C call, naming it."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{call}: {os.strerror(number)}")
    return result


def syscall_number(name: str) -> int:
    """Return the number of a call on this machine; OSError on an architecture without a table."""
    machine = machine_name()
    table = SYSCALL_NUMBERS.get(machine)
    if table is None:
        known = ", ".join(SYSCALL_NUMBERS)
        message = f"{name}: no system call numbers for the architecture {machine!r}; there are for {known}"
        raise OSError(errno.ENOSYS, message)
    return table[name]


def machine_name() -> str:
    """Return what `platform.machine()` would say, without an import a guest would pay for."""
    return os.uname().machine


def syscall(name: str, *arguments: int | bytes | ctypes.Array[ctypes.c_char]) -> int:
    """Make a call by number; integers go as longs, bytes and buffers as pointers."""
    number = ctypes.c_long(syscall_number(name))
    raw = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return check(libc.syscall(number, *raw), name)


def unshare(flags: int) -> None:
    """Leave the namespaces named by CLONE_NEW* `flags` for new ones."""
    check(libc.unshare(ctypes.c_int(flags)), f"unshare({flags:#x})")


def setns(fd: int, flags: int) -> None:
    """Enter the namespaces `fd` (a namespace file or a pidfd) stands for."""
    check(libc.setns(ctypes.c_int(fd), ctypes.c_int(flags)), f"setns({flags:#x})")


def write_id_maps(proc: int, *, inner: int, uid: int, gid: int) -> None:
    """Make outer `uid` and `gid` appear as `inner` in the user namespace just entered.

    `proc` is a descriptor of /proc opened beforehand, because by now the path may be gone.
    """
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{inner} {uid} 1"),
        ("gid_map", f"{inner} {gid} 1"),
    ):
        fd = os.open(f"self/{name}", os.O_WRONLY | os.O_CLOEXEC, dir_fd=proc)
        try:
            os.write(fd, text.encode())
        finally:
            os.close(fd)


def mount(source: str, target: str, kind: str | None = None, flags: int = 0, data: str | None = None) -> None:
    """Mount; `kind` is the file system, `data` its options."""
    arguments = [None if text is None else os.fsencode(text) for text in (source, target, kind, data)]
    result = libc.mount(arguments[0], arguments[1], arguments[2], ctypes.c_ulong(flags), arguments[3])
    check(result, f"mount({source!r}, {target!r}, {kind!r})")


def umount2(target: str, flags: int = 0) -> None:
    """Unmount, with MNT_DETACH for a tree that is still busy."""
    check(libc.umount2(os.fsencode(target), ctypes.c_int(flags)), f"umount2({target!r})")


def pivot_root(new_root: str, put_old: str) -> None:
    """Make `new_root` (a mount point) the root; the former one appears at `put_old`."""
    syscall("pivot_root", os.fsencode(new_root), os.fsencode(put_old))


def make_mount_read_only(path: str, *, recursive: bool = False) -> None:
    """Make the mount at `path` (and with `recursive` every mount below it) read-only and nosuid.

    One mount_setattr where the kernel has it (5.12); else remounts that keep the flags each mount already
    has, for which `recursive` reads /proc/self/mountinfo.
    """
    attributes = struct.pack("=QQQQ", _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID, 0, 0, 0)
    at = AT_RECURSIVE if recursive else 0
    try:
        syscall("mount_setattr", AT_FDCWD, os.fsencode(path), at, attributes, len(attributes))
    except OSError as error:
        if error.errno not in NOT_HERE:
            raise
        remount_read_only(path, recursive=recursive)


def remount_read_only(path: str, *, recursive: bool = False) -> None:
    """Do what `make_mount_read_only` does, in the way of kernels before 5.12."""
    for point in _mounts_under(path) if recursive else [path]:
        try:
            present = os.statvfs(point).f_flag
        except OSError as error:
            raise OSError(
                error.errno, f"{os.strerror(error.errno or 0)} in mount({point!r}), to remount it read-only"
            ) from error
        kept = sum(flag for seen, flag in _KEPT_FLAGS if present & seen)
        mount("none", point, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | kept)


def _mounts_under(path: str) -> list[str]:
    """List the mount points at and below `path`, in the order they were mounted."""
    top = os.path.realpath(path)
    prefix = top.rstrip("/") + "/"
    with open("/proc/self/mountinfo", "rb") as file:  # noqa: PTH123  # pathlib costs the guest an import
        points = [_unescape(line.split()[4]) for line in file]
    return [point for point in points if point == top or point.startswith(prefix)]


def _unescape(field: bytes) -> str:
    """Undo mountinfo's octal escapes of space, tab, newline and backslash."""
    first, *rest = field.split(b"\\")
    return os.fsdecode(first + b"".join(bytes([int(part[:3], 8)]) + part[3:] for part in rest))


def prctl(option: int, *arguments: object) -> int:
    """Set a property of this process; integers go as unsigned longs, ctypes objects as they are."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    raw = [ctypes.c_ulong(a) if isinstance(a, int) else a for a in padded]
    return check(libc.prctl(ctypes.c_int(option), *raw), f"prctl({option})")


def no_new_privileges() -> None:
    """No exec of this process or a descendant gains anything, setuid bits and file capabilities included."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def die_with_parent() -> None:
    """Be killed when the parent *thread* ends. A change of uid clears this, so it is set again after one."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def drop_bounding_set() -> None:
    """Empty the capability bounding and ambient sets: what an exec could give back."""
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError as error:
            if error.errno == errno.EINVAL:  # past the last one this kernel knows
                break
            raise
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)


def drop_capabilities() -> None:
    """Empty the effective, permitted and inheritable sets of this thread, in one call."""
    check(libc.capset(_CAPABILITY_HEADER, _NO_CAPABILITIES), "capset")


def effective_capabilities() -> int:
    """Return the effective capability set of this thread, as a bit mask."""
    data = ctypes.create_string_buffer(24)
    check(libc.capget(_CAPABILITY_HEADER, data), "capget")
    low, high = struct.unpack_from("=I", data, 0)[0], struct.unpack_from("=I", data, 12)[0]
    return int(low | high << 32)


def is_privileged() -> bool:
    """Can this process change its uid and mount? By capability: root in a container often cannot."""
    needed = 1 << CAP_SYS_ADMIN | 1 << CAP_SETUID | 1 << CAP_SETGID
    return effective_capabilities() & needed == needed


def fix_addresses() -> None:
    """Turn off address randomisation for what this process executes next: `<object at 0x…>` then repeats."""
    persona = check(libc.personality(ctypes.c_ulong(_ASK_PERSONALITY)), "personality")
    check(libc.personality(ctypes.c_ulong(persona | _ADDR_NO_RANDOMIZE)), "personality")


def is_mapped(uid: int) -> bool:
    """Whether this user namespace has the uid: root of a container may have few."""
    with open("/proc/self/uid_map") as file:  # noqa: PTH123  # pathlib costs the guest an import
        ranges = [[int(field) for field in line.split()] for line in file]
    return any(first <= uid < first + count for first, _, count in ranges)


def close_range(first: int) -> None:
    """Close every descriptor from `first` on."""
    try:
        syscall("close_range", first, _LARGEST_FD, 0)
    except OSError as error:
        if error.errno not in NOT_HERE:
            raise
        close_one_by_one(first)


def close_one_by_one(first: int) -> None:
    """Do what `close_range` does, in the way of kernels before 5.9: by /proc, or up to the hard limit."""
    try:
        open_now = [int(name) for name in os.listdir("/proc/self/fd")]  # noqa: PTH208
    except OSError:
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        os.closerange(first, 1 << 20 if hard == resource.RLIM_INFINITY else hard)
        return
    for fd in open_now:
        if fd >= first:
            os.closerange(fd, fd + 1)


def readable(fd: int, seconds: float) -> bool:
    """Wait until `fd` has data or its end; False when `seconds` pass first."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def pidfd_open(pid: int) -> int:
    """Return a close-on-exec descriptor that stands for process `pid`."""
    return syscall("pidfd_open", pid, 0)


def sealed_memfd(data: bytes, name: str = "data") -> int:
    """Return a descriptor of an anonymous file holding `data` that nobody can change, grow or shrink."""
    fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]
        os.lseek(fd, 0, os.SEEK_SET)
        seals = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)
    except BaseException:
        os.close(fd)
        raise
    return fd
