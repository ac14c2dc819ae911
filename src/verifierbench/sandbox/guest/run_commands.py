"""Apply a patch, write files, run commands, read files: in a root of its own, as pid 1.

The request (JSON) is in a sealed file. Answers are JSON lines on a socket, one as each step ends, so that what
happened before a death is known:

    {"failed": why} | {"refused": why}                            and nothing after
    {"patch": "" or git's words}                                  nothing after words
    {"command": {"exit", "stdout", "stderr", "ended", "detail"}}  one per command
    {"files": {path: text or null}}                               the end

The commands may do what they like to one another's traces; they can neither write to that socket (closed before
they begin), nor read or trace this process (not dumpable), nor signal it (it is pid 1), nor outlive it.
"""

# Every import costs a guest time, and pathlib is a dear one.
# ruff: noqa: PTH101, PTH103, PTH108, PTH116, PTH118, PTH119, PTH120, PTH123, PTH208

from __future__ import annotations

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
from .rootfs import OLD, REPOSITORY, complete_root

INNER_UID = 1000
"""Whom commands take themselves for."""
NAMESPACES = sc.CLONE_NEWNS | sc.CLONE_NEWNET | sc.CLONE_NEWIPC | sc.CLONE_NEWUTS | sc.CLONE_NEWCGROUP
"""A request's own, beside the pid namespace it is forked into and the user namespace that follows."""
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
PER_NAMESPACE_PROCESS_COUNT = (5, 14)
"""Since this kernel RLIMIT_NPROC counts within the user namespace; before, all of the uid's processes."""
PROC, REQUEST, ANSWER = 3, 4, 5
"""Where pid 1 keeps the descriptors it has; it closes all others."""


class Refused(Exception):
    """The request asks for what cannot be done; its author may read why."""


def report(out: int, frame: dict[str, Any]) -> None:
    """Write one frame whole."""
    view = memoryview(json.dumps(frame).encode() + b"\n")
    while view:
        view = view[os.write(out, view) :]


def read_json(fd: int) -> Any:
    """What is written in a sealed file."""
    with open(fd, "rb", closefd=False) as file:
        return json.load(file)


def become_init(plan: dict[str, Any], proc: int, request: int, answer: int) -> NoReturn:
    """Be pid 1: complete the root, give everything up, serve the request, exit. Never returns."""
    try:
        keep(proc, request, answer)
        wanted = plan | read_json(REQUEST)
        prepare(wanted)
        serve(wanted, ANSWER)
    except Refused as refusal:
        report(ANSWER, {"refused": str(refusal)})
    except BaseException as error:
        report(ANSWER, {"failed": f"{type(error).__name__}: {error}"})
    finally:
        os._exit(0)


def keep(*descriptors: int) -> None:
    """Move these where they belong and close every other: those of other requests among them."""
    copies = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, ANSWER + 1) for fd in descriptors]
    for fd, place in zip(copies, (PROC, REQUEST, ANSWER), strict=True):
        os.dup2(fd, place, inheritable=False)
    sc.close_range(ANSWER + 1)


def prepare(request: dict[str, Any]) -> None:
    """Complete the root directory, then drop every privilege for good."""
    privileged = request["privileged"]
    outer = request["uid"] if privileged else INNER_UID
    sc.die_with_parent()
    sc.unshare(NAMESPACES)
    request["limits"]["processes"] += 1  # this process counts
    if not has_own_processes_limit():
        request["limits"]["processes"] += count_processes(outer)
    bring_up_loopback()
    socket.sethostname("sandbox")
    complete_root(request, outer, in_user_namespace=not privileged)
    if privileged:
        os.setgroups([])
        os.setresgid(outer, outer, outer)
        os.setresuid(outer, outer, outer)
        sc.prctl(sc.PR_SET_DUMPABLE, 1)  # else /proc/self/uid_map belongs to root
    sc.unshare(sc.CLONE_NEWUSER)
    sc.write_id_maps(PROC, inner=INNER_UID, uid=outer, gid=outer)
    forbid_user_namespaces(PROC)
    os.close(PROC)
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
    for name in os.listdir(f"{OLD}/proc"):
        with suppress(OSError):
            owners += [os.stat(f"{OLD}/proc/{name}").st_uid] if name.isdigit() else []
    return owners.count(uid)


def serve(request: dict[str, Any], out: int) -> None:
    """Patch, files, commands, files: the request's steps in their order."""
    limits = request["limits"]
    os.umask(0o022)
    os.chdir(REPOSITORY)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    trouble = apply_patch(request) if request["patch"] else ""
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


def apply_patch(request: dict[str, Any]) -> str:
    """Let git apply the patch, all of it or nothing; return "" or why not."""
    outcome = run_command(["git", "apply", "--whitespace=nowarn", "-"], request, request["patch"].encode())
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
