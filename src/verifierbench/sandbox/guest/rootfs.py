"""The root directory that untrusted commands see: what is named in the plan, and nothing else of the host.

`build_root` runs once, in the process that serves all requests of a plan: it pivots to a new root, read-only from
then on, in which everything is mounted that is the same for every request. Behind it, in a stage mounted over the
empty directory, lie the host's root and the places where a request prepares its own.

`complete_root` runs as pid 1 of a request, in a mount namespace of its own, before any privilege is dropped and
before any untrusted code runs. It mounts what is the request's own, and detaches the stage: from then on no path
leads out. Requests share nothing that any of them can write.

The plan is data from the trusted side: absolute paths with no symbolic link in them.
"""

# Every import costs a guest time, and pathlib is a dear one.
# ruff: noqa: PTH101, PTH102, PTH103, PTH106, PTH110, PTH112, PTH114, PTH115, PTH116, PTH118, PTH120, PTH208, PTH211

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress

from .. import syscalls as sc

EMPTY = "/.empty"
"""An empty directory: it covers what is hidden, and is itself covered by the stage until a root is complete."""
OLD, SCRATCH, LOWER = f"{EMPTY}/old", f"{EMPTY}/scratch", f"{EMPTY}/lower"
_BARE = "/.bare"
REPOSITORY = "/repository"
HOME = "/home/user"
DEVICES = ("null", "zero", "full", "random", "urandom")
SYSTEM_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
ETC_BINDS = ("alternatives", "ld.so.cache")
ETC_FILES = {
    "passwd": "root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:user:/home/user:/bin/sh\n",
    "group": "root:x:0:\nuser:x:1000:\n",
    "hosts": "127.0.0.1 localhost sandbox\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
_MOUNT_POINTS = ("/tmp", "/mnt", "/usr")  # noqa: S108  # any that exists: the root leaves it by the pivot
_WRITABLE = {"/tmp": ("tmp", 0o1777), HOME: ("home", 0o755), "/dev/shm": ("shm", 0o1777)}  # noqa: S108


def build_root(plan: dict[str, object]) -> None:
    """Replace the root of this mount namespace by that of the plan; raises OSError naming the call that failed."""
    _pivot_to_empty_root()
    for path in _strings(plan["binds"]):
        _bind_read_only(path, path)
    for number, path in enumerate(_strings(plan["packages"])):
        _bind_read_only(path, f"/packages/{number}")
    _link_system_directories()
    _hide(_strings(plan["hide"]))
    _populate_etc()
    _populate_dev()
    _link_interpreter(str(plan["python"]))
    for point in (*_WRITABLE, REPOSITORY, "/proc"):
        os.makedirs(point, exist_ok=True)
    sc.make_mount_read_only("/")


def complete_root(request: dict[str, object], uid: int, *, in_user_namespace: bool) -> None:
    """Mount what belongs to one request alone, and let go of the host; `uid` will own what is writable.

    Raises OSError naming the call that failed.
    """
    _mount_proc()
    _mount_writable(request, uid, in_user_namespace=in_user_namespace)
    sc.umount2(EMPTY, sc.MNT_DETACH)
    if os.listdir(EMPTY):
        raise OSError(errno.EBUSY, "the host's root is still in sight")


def _strings(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def _pivot_to_empty_root() -> None:
    # What the host mounts later is seen; nothing mounted here is seen there.
    sc.mount("none", "/", None, sc.MS_REC | sc.MS_SLAVE)
    point = next(path for path in _MOUNT_POINTS if os.path.isdir(path))
    sc.mount("tmpfs", point, "tmpfs", sc.MS_NOSUID | sc.MS_NODEV, "size=16m,mode=755")
    os.chdir(point)
    os.mkdir(EMPTY[1:])
    # Shown at another place too, because there it stays in sight when the stage covers it.
    os.mkdir(_BARE[1:])
    sc.mount(EMPTY[1:], _BARE[1:], None, sc.MS_BIND)
    sc.mount("tmpfs", EMPTY[1:], "tmpfs", sc.MS_NOSUID | sc.MS_NODEV, "size=64k,mode=700")
    for path in (OLD, SCRATCH, LOWER):
        os.mkdir(path[1:], 0o700)
    sc.pivot_root(".", OLD[1:])
    os.chdir("/")


def _mount_proc() -> None:
    """Show the commands their own processes, and not pid 1, whose command line names places of the host.

    A host whose own /proc is partly masked does not allow it; the sandbox has none then.
    """
    with suppress(OSError):
        sc.mount("proc", "/proc", "proc", sc.MS_NOSUID | sc.MS_NODEV | sc.MS_NOEXEC, "hidepid=2")


def _bind_read_only(source: str, target: str) -> None:
    if _is_covered(target):
        return
    _make_mount_point(OLD + source, target)
    sc.mount(OLD + source, target, None, sc.MS_BIND | sc.MS_REC)
    sc.make_mount_read_only(target, recursive=True)


def _is_covered(target: str) -> bool:
    """Whether an earlier, read-only bind already shows `target`: nothing could be made there."""
    return os.path.exists(target) and os.stat(target).st_dev != os.stat("/").st_dev


def _make_mount_point(source: str, target: str) -> None:
    directory = os.path.isdir(source)
    os.makedirs(target if directory else os.path.dirname(target), exist_ok=True)
    if not directory:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))


def _link_system_directories() -> None:
    """/lib and its like are links into /usr on a merged system, and directories of their own on others."""
    for name in SYSTEM_LINKS:
        old = f"{OLD}/{name}"
        if os.path.islink(old):
            os.symlink(os.readlink(old), f"/{name}")
        elif os.path.isdir(old):
            _bind_read_only(f"/{name}", f"/{name}")


def _hide(paths: list[str]) -> None:
    """Cover directories of the binds with an empty one."""
    for path in paths:
        if os.path.isdir(path):
            sc.mount(_BARE, path, None, sc.MS_BIND)
            sc.make_mount_read_only(path)
    sc.umount2(_BARE, sc.MNT_DETACH)
    os.rmdir(_BARE)


def _populate_etc() -> None:
    os.makedirs("/etc", exist_ok=True)
    for name in ETC_BINDS:
        if os.path.exists(f"{OLD}/etc/{name}"):
            _bind_read_only(f"/etc/{name}", f"/etc/{name}")
    for name, text in ETC_FILES.items():
        fd = os.open(f"/etc/{name}", os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644)
        os.write(fd, text.encode())
        os.close(fd)


def _populate_dev() -> None:
    os.makedirs("/dev/shm")  # noqa: S108
    for name in filter(lambda name: os.path.exists(f"{OLD}/dev/{name}"), DEVICES):
        _make_mount_point(f"{OLD}/dev/{name}", f"/dev/{name}")
        sc.mount(f"{OLD}/dev/{name}", f"/dev/{name}", None, sc.MS_BIND)
    for name, to in (("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")):
        os.symlink(f"/proc/self/fd{to}", f"/dev/{name}")


def _link_interpreter(python: str) -> None:
    os.makedirs("/interpreter")
    for name in ("python", "python3"):
        os.symlink(python, f"/interpreter/{name}")


def _mount_writable(plan: dict[str, object], uid: int, *, in_user_namespace: bool) -> None:
    """Mount one tmpfs behind everything writable, so that one size limits it all."""
    size = f"size={plan['writable_bytes']},nr_inodes={plan['writable_inodes']},mode=755"
    sc.mount("tmpfs", SCRATCH, "tmpfs", sc.MS_NOSUID | sc.MS_NODEV, size)
    for target, (name, mode) in _WRITABLE.items():
        _own_directory(f"{SCRATCH}/{name}", uid, mode)
        sc.mount(f"{SCRATCH}/{name}", target, None, sc.MS_BIND)
    _mount_repository(plan, uid, in_user_namespace=in_user_namespace)


def _own_directory(path: str, uid: int, mode: int) -> None:
    os.mkdir(path)
    os.chmod(path, mode)
    os.chown(path, uid, uid)


def _mount_repository(plan: dict[str, object], uid: int, *, in_user_namespace: bool) -> None:
    source = OLD + str(plan["repository"])
    if plan["tree"] == "overlay":
        try:
            return _overlay(source, uid, in_user_namespace=in_user_namespace)
        except OSError:  # a kernel before 5.11, or a file system that cannot be a lower layer
            with suppress(OSError):
                sc.umount2(LOWER, sc.MNT_DETACH)
    copy_tree(source, f"{SCRATCH}/copy", uid)
    return sc.mount(f"{SCRATCH}/copy", REPOSITORY, None, sc.MS_BIND)


def _overlay(source: str, uid: int, *, in_user_namespace: bool) -> None:
    for name in ("upper", "work"):
        _own_directory(f"{SCRATCH}/{name}", uid, 0o755)
    # A bind under a plain name: overlay options have no safe spelling for ':' and ',' in a path.
    sc.mount(source, LOWER, None, sc.MS_BIND)
    layers = f"lowerdir={LOWER},upperdir={SCRATCH}/upper,workdir={SCRATCH}/work"
    # Without privileges the overlay keeps its marks in user.* attributes, the only ones it may write.
    options = f"userxattr,{layers}" if in_user_namespace else layers
    sc.mount("overlay", REPOSITORY, "overlay", sc.MS_NOSUID | sc.MS_NODEV, options)


def copy_tree(source: str, target: str, uid: int) -> None:
    """Copy directories, regular files and symbolic links; everything belongs to `uid`."""
    os.makedirs(target)
    with os.scandir(source) as entries:
        for entry in entries:
            _copy_entry(entry, os.path.join(target, entry.name), uid)
    os.chmod(target, 0o755)  # noqa: S103
    _copy_times(os.stat(source), target)
    os.chown(target, uid, uid)


def _copy_entry(entry: os.DirEntry[str], target: str, uid: int) -> None:
    if entry.is_symlink():
        os.symlink(os.readlink(entry.path), target)
        os.chown(target, uid, uid, follow_symlinks=False)
    elif entry.is_dir():
        copy_tree(entry.path, target, uid)
    elif entry.is_file():
        status = entry.stat()
        shutil.copyfile(entry.path, target)
        os.chmod(target, status.st_mode & 0o755 | 0o600)
        _copy_times(status, target)
        os.chown(target, uid, uid)


def _copy_times(status: os.stat_result, target: str) -> None:
    os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
