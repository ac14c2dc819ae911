"""Apply a patch, write files, run commands, read files: in a fresh root of its own, as pid 1.

The request (JSON) is standard input. Answers are JSON lines on the descriptor given to `main`, one as each step
ends, so that what happened before a death is known:

    {"unavailable": why} | {"failed": why} | {"refused": why}     and nothing after
    {"patch": "" or git's words}                                  nothing after words
    {"command": {"exit", "stdout", "stderr", "ended", "detail"}}  one per command
    {"files": {path: text or null}}                               the end

The commands may do what they like to one another's traces; they can neither write to that descriptor (closed
before their exec), nor read or trace this process (not dumpable), nor signal it (it is pid 1), nor outlive it.
"""

# Every import costs a guest time, and pathlib is a dear one.
# ruff: noqa: PTH101, PTH103, PTH108, PTH116, PTH118, PTH119, PTH120, PTH123, PTH208

from __future__ import annotations

import errno
import fcntl
import json
import os
import signal
import socket
import stat
import struct
from contextlib import suppress
from typing import Any, NoReturn

from .. import syscalls as sc
from .command import run_command
from .rootfs import REPOSITORY, build_root

INNER_UID = 1000
NAMESPACES = sc.CLONE_NEWNS | sc.CLONE_NEWPID | sc.CLONE_NEWNET | sc.CLONE_NEWIPC | sc.CLONE_NEWUTS | sc.CLONE_NEWCGROUP
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
PER_NAMESPACE_PROCESS_COUNT = (5, 14)
"""Since this kernel RLIMIT_NPROC counts within the user namespace; before, all of the uid's processes."""


class Refused(Exception):
    """The request asks for what cannot be done; its author may read why."""


def main(result_fd: str) -> None:
    """Enter the namespaces and leave the work to their pid 1."""
    out = int(result_fd)
    with open(0, "rb", closefd=False) as file:
        request = json.load(file)
    sc.die_with_parent()
    try:
        privileged = request["uid"] != os.getuid()
        enter = enter_as_root if privileged else enter_as_user
        proc = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        enter(proc)
    except OSError as error:
        return report(out, {"unavailable": str(error)})
    pid = os.fork()
    if pid == 0:
        become_init(request, out, proc, privileged=privileged)
    os.close(out)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGKILL))
    os.waitpid(pid, 0)  # returns when the whole namespace is gone
    os._exit(0)


def report(out: int, frame: dict[str, Any]) -> None:
    """Write one frame whole."""
    view = memoryview(json.dumps(frame).encode() + b"\n")
    while view:
        view = view[os.write(out, view) :]


def enter_as_root(_proc: int) -> None:
    """Root needs no user namespace to build a root directory; one follows when its privileges go."""
    sc.unshare(NAMESPACES)


def enter_as_user(proc: int) -> None:
    """Everything at once: in the new user namespace this process may mount."""
    uid, gid = os.getuid(), os.getgid()
    if uid == 0 and not sc.is_privileged() and not in_user_namespace():
        # As the machine's real root the limit on processes would not hold.
        raise OSError(errno.EPERM, "root without CAP_SYS_ADMIN, CAP_SETUID and CAP_SETGID")
    sc.unshare(sc.CLONE_NEWUSER | NAMESPACES)
    sc.write_id_maps(proc, inner=INNER_UID, uid=uid, gid=gid)


def in_user_namespace() -> bool:
    """Whether uid 0 here is another uid outside."""
    with open("/proc/self/uid_map") as file:
        return file.read().split()[:2] != ["0", "0"]


def become_init(request: dict[str, Any], out: int, proc: int, *, privileged: bool) -> NoReturn:
    """Be pid 1: build the root, give everything up, serve the request, exit. Never returns."""
    try:
        leave_signals_to_the_kernel()
        sc.die_with_parent()
        # This process counts, and so does its parent where both are in the user namespace.
        request["limits"]["processes"] += 1 if privileged else 2
        if not has_own_processes_limit():
            request["limits"]["processes"] += count_processes(request["uid"] if privileged else os.getuid())
        prepare(request, proc, privileged=privileged)
        serve(request, out)
    except Refused as refusal:
        report(out, {"refused": str(refusal)})
    except BaseException as error:
        report(out, {"failed": f"{type(error).__name__}: {error}"})
    finally:
        os._exit(0)


def leave_signals_to_the_kernel() -> None:
    """Give up Python's handlers: of signals from its own namespace pid 1 receives those alone that it handles."""
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)


def prepare(request: dict[str, Any], proc: int, *, privileged: bool) -> None:
    """Build the root directory, then drop every privilege for good."""
    uid = request["uid"] if privileged else INNER_UID
    bring_up_loopback()
    socket.sethostname("sandbox")
    build_root(request, uid, in_user_namespace=not privileged)
    if privileged:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        sc.prctl(sc.PR_SET_DUMPABLE, 1)  # else /proc/self/uid_map belongs to root
        sc.unshare(sc.CLONE_NEWUSER)
        sc.write_id_maps(proc, inner=INNER_UID, uid=uid, gid=uid)
    forbid_user_namespaces(proc)
    os.close(proc)
    sc.drop_bounding_set()
    sc.no_new_privileges()
    sc.drop_capabilities()
    sc.prctl(sc.PR_SET_DUMPABLE, 0)
    sc.die_with_parent()


def bring_up_loopback() -> None:
    """Test suites talk to themselves over 127.0.0.1; there is no other interface."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        fcntl.ioctl(channel, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))


def forbid_user_namespaces(proc: int) -> None:
    """Commands shall not gain capabilities in namespaces of their own; an extra, absent where sysctls are locked."""
    with suppress(OSError):
        fd = os.open("sys/user/max_user_namespaces", os.O_WRONLY | os.O_CLOEXEC, dir_fd=proc)
        try:
            os.write(fd, b"0")
        finally:
            os.close(fd)


def has_own_processes_limit() -> bool:
    """Whether the limit on processes counts this sandbox alone."""
    major, minor = os.uname().release.split(".")[:2]
    return (int(major), int("".join(c for c in minor if c.isdigit()))) >= PER_NAMESPACE_PROCESS_COUNT


def count_processes(uid: int) -> int:
    """Count the processes the uid runs outside."""
    owners = []
    for name in os.listdir("/proc"):
        with suppress(OSError):
            owners += [os.stat(f"/proc/{name}").st_uid] if name.isdigit() else []
    return owners.count(uid)


def serve(request: dict[str, Any], out: int) -> None:
    """Patch, files, commands, files: the request's steps in their order."""
    limits = request["limits"]
    os.umask(0o022)
    os.chdir(REPOSITORY)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    trouble = apply_patch(request["patch"], limits) if request["patch"] else ""
    report(out, {"patch": trouble})
    if trouble:
        return
    for path, text in request["files"].items():
        write_file(path, text)
    left = request["answer_bytes"]
    for command in request["commands"]:
        outcome = run_command(command, request, b"")
        left = take(left, outcome["stdout"] + outcome["stderr"], request)
        report(out, {"command": outcome})
    files: dict[str, str | None] = {}
    for path in dict.fromkeys(request["read"]):
        files[path] = read_file(path, limits["output_bytes"])
        left = take(left, files[path] or "", request)
    report(out, {"files": files})


def take(left: int, text: str, request: dict[str, Any]) -> int:
    """Return how many bytes of the answer are left after `text`; refused where they do not suffice."""
    left -= len(text.encode())
    if left < 0:
        raise Refused(f"the answer is larger than {request['answer_bytes']} bytes; print or read less")
    return left


def apply_patch(patch: str, limits: dict[str, Any]) -> str:
    """Let git apply the patch, all of it or nothing; return "" or why not."""
    command = ["git", "apply", "--whitespace=nowarn", "-"]
    outcome = run_command(command, {"limits": limits, "environment": {}}, patch.encode())
    if outcome["ended"] == "exit" and outcome["exit"] == 0:
        return ""
    said = outcome["stderr"].strip() or outcome["detail"] or f"git apply ended with {outcome['exit']}"
    return str(said)


def inside(path: str) -> str:
    """Return where `path` really leads; refused if a symbolic link takes it out of the repository."""
    parent = os.path.realpath(os.path.join(REPOSITORY, os.path.dirname(path)))
    if parent != REPOSITORY and not parent.startswith(REPOSITORY + "/"):
        raise Refused(f"{path}: a symbolic link leads out of the repository")
    return os.path.join(parent, os.path.basename(path))


def write_file(path: str, text: str | None) -> None:
    """Write or (None) remove one file of the request."""
    try:
        target = inside(path)
        if os.path.lexists(target):
            mode = os.lstat(target).st_mode
            os.unlink(target)  # writing through a link the patch made would write elsewhere
        else:
            mode = 0o644
        if text is not None:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            create(target, text.encode(), stat.S_IMODE(mode) if stat.S_ISREG(mode) else 0o644)
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from None
    except RecursionError:  # the standard library descends by calling itself
        raise Refused(f"{path}: too many directories or symbolic links") from None


def create(target: str, data: bytes, mode: int) -> None:
    """Write a new file with exactly this mode."""
    fd = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    with open(fd, "wb") as file:
        file.write(data)
    os.chmod(target, mode)


def read_file(path: str, limit: int) -> str | None:
    """Return a file's text, undecodable bytes replaced; None where there is no regular file.

    No command runs any more, so what is looked at cannot change under the look.
    """
    try:
        os.stat(path)  # the kernel gives up on a chain of links long before `realpath` runs out of stack
    except OSError:
        return None
    target = os.path.realpath(os.path.join(REPOSITORY, path))
    if not target.startswith(REPOSITORY + "/"):
        return None
    try:
        # Not blocking: opening a fifo would wait for a writer that never comes.
        fd = os.open(target, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            return None
        if status.st_size > limit:
            raise Refused(f"{path} has {status.st_size} bytes; at most {limit} can be read")
        with open(fd, "rb", closefd=False) as file:
            return file.read(limit).decode("utf-8", "replace")
    finally:
        os.close(fd)
