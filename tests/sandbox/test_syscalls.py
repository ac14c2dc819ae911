"""The kernel calls, made for real: in processes of their own, and with mounts only in namespaces of their own."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from verifierbench.sandbox import syscalls

FOLDER = str(Path(syscalls.__file__).parent)
NEW_NAMESPACES = """
proc = os.open("/proc", os.O_PATH)
uid, gid = os.getuid(), os.getgid()
sc.unshare(sc.CLONE_NEWUSER | sc.CLONE_NEWNS)
sc.write_id_maps(proc, inner=1000, uid=uid, gid=gid)
sc.mount("none", "/", None, sc.MS_REC | sc.MS_PRIVATE)
"""


def run_alone(script: str, *arguments: str) -> str:
    """Run a script as a guest would: the standard library and this one module."""
    header = "import errno, os, sys; sys.path.insert(0, sys.argv[1]); import syscalls as sc\n"
    command = [sys.executable, "-I", "-S", "-E", "-c", header + script, FOLDER, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def can_make_namespaces() -> bool:
    try:
        run_alone(NEW_NAMESPACES)
    except AssertionError:
        return False
    return True


needs_namespaces = pytest.mark.skipif(
    not can_make_namespaces(), reason="no user namespaces here: `unshare --user --mount true` fails"
)


def test_an_unknown_architecture_is_refused_with_a_sentence(monkeypatch):
    monkeypatch.setattr(syscalls, "SYSCALL_NUMBERS", {"pdp11": {}})
    with pytest.raises(OSError, match=r"pivot_root: no system call numbers for the architecture .*pdp11"):
        syscalls.pivot_root("/nowhere", "/nowhere")


def test_both_architectures_have_the_same_calls():
    x86, arm = syscalls.SYSCALL_NUMBERS["x86_64"], syscalls.SYSCALL_NUMBERS["aarch64"]
    assert x86.keys() == arm.keys()
    # asm-generic and x86-64 number every call since 5.0 (424 and up) alike; older ones differ.
    assert {name for name in x86 if x86[name] != arm[name]} == {"pivot_root", "renameat2"}


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: syscalls.mount("/nowhere", "/nowhere", "tmpfs"), "mount('/nowhere'"),
        (lambda: syscalls.umount2("/nowhere"), "umount2('/nowhere')"),
        (lambda: syscalls.pivot_root("/nowhere", "/nowhere"), "pivot_root"),
        (lambda: syscalls.setns(-1, syscalls.CLONE_NEWNET), "setns(0x40000000)"),
        (lambda: syscalls.unshare(1), "unshare(0x1)"),
        (lambda: syscalls.prctl(-1), "prctl(-1)"),
        (lambda: syscalls.pidfd_open(-1), "pidfd_open"),
        (lambda: syscalls.make_mount_read_only("/nowhere"), "mount"),
    ],
)
def test_a_failure_names_its_call_and_carries_its_errno(call, named):
    with pytest.raises(OSError) as caught:  # noqa: PT011  # the message is judged below
        call()
    assert named in str(caught.value)
    assert caught.value.errno in (errno.ENOENT, errno.EPERM, errno.EBADF, errno.EINVAL)


def test_a_sealed_memfd_holds_its_data_and_cannot_be_changed():
    data = os.urandom(3 << 20)
    fd = syscalls.sealed_memfd(data)
    try:
        assert os.read(fd, len(data) + 1) == data
        for change in (lambda: os.pwrite(fd, b"x", 0), lambda: os.ftruncate(fd, 1)):
            with pytest.raises(PermissionError):
                change()
        assert not os.get_inheritable(fd)
    finally:
        os.close(fd)


def test_a_pidfd_stands_for_the_process():
    with subprocess.Popen([sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE) as process:
        fd = syscalls.pidfd_open(process.pid)
        assert not syscalls.readable(fd, 0.0)
        process.communicate(b"\n")
        assert syscalls.readable(fd, 5.0)
        os.close(fd)


@pytest.mark.parametrize("close", ["close_range", "close_one_by_one"])
def test_closing_from_a_descriptor_on_leaves_those_below(close):
    script = f"""
kept, gone = os.dup(1), [os.dup(1) for _ in range(20)]
sc.{close}(kept + 1)
def is_open(fd):
    try:
        return bool(os.fstat(fd))
    except OSError:
        return False
print(is_open(kept), [fd for fd in gone if is_open(fd)])
"""
    assert run_alone(script) == "True []"


def test_closing_one_by_one_works_without_proc(monkeypatch):
    def no_proc(path):
        raise FileNotFoundError(path)

    monkeypatch.setattr(syscalls.os, "listdir", no_proc)
    monkeypatch.setattr(syscalls.resource, "getrlimit", lambda _: (4096, 4096))
    closed = []
    monkeypatch.setattr(syscalls.os, "closerange", lambda low, high: closed.append((low, high)))
    syscalls.close_one_by_one(7)
    assert closed == [(7, 4096)]


@needs_namespaces
def test_dropped_capabilities_are_gone_for_good():
    script = """
print(sc.effective_capabilities() > 0)
sc.drop_bounding_set(); sc.no_new_privileges(); sc.drop_capabilities()
print(sc.effective_capabilities())
lines = (line.split(":\\t") for line in open("/proc/self/status"))
print({name: int(value, 16) for name, value in lines if name.startswith(("Cap", "NoNew"))})
"""
    first, second, third = run_alone(NEW_NAMESPACES + script).splitlines()
    assert (first, second) == ("True", "0")
    assert third == str({"CapInh": 0, "CapPrm": 0, "CapEff": 0, "CapBnd": 0, "CapAmb": 0, "NoNewPrivs": 1})


@needs_namespaces
@pytest.mark.parametrize("way", ["make_mount_read_only", "remount_read_only"])
def test_a_read_only_mount_keeps_its_other_flags_and_covers_what_is_below(way, tmp_path):
    script = f"""
top = sys.argv[2]
sc.mount("tmpfs", top, "tmpfs", sc.MS_NOSUID | sc.MS_NODEV | sc.MS_NOEXEC)
below = top + "/be low"
os.mkdir(below)
sc.mount("tmpfs", below, "tmpfs", sc.MS_NOEXEC)
sc.{way}(top, recursive=True)
for place in (top, below):
    flags = os.statvfs(place).f_flag
    print([bool(flags & flag) for flag in (os.ST_RDONLY, os.ST_NOSUID, os.ST_NOEXEC)])
    try:
        os.mkdir(place + "/x")
    except OSError as error:
        print(errno.errorcode[error.errno])
"""
    assert run_alone(NEW_NAMESPACES + script, str(tmp_path)).splitlines() == ["[True, True, True]", "EROFS"] * 2


@needs_namespaces
def test_a_mount_is_made_read_only_alone_unless_asked(tmp_path):
    script = """
top = sys.argv[2]
sc.mount("tmpfs", top, "tmpfs"); os.mkdir(top + "/below"); sc.mount("tmpfs", top + "/below", "tmpfs")
sc.make_mount_read_only(top)
os.mkdir(top + "/below/x")
print(bool(os.statvfs(top).f_flag & os.ST_RDONLY))
"""
    assert run_alone(NEW_NAMESPACES + script, str(tmp_path)) == "True"


def test_fixed_addresses_repeat_across_processes():
    script = """
try:
    sc.fix_addresses()
except OSError:
    print("forbidden")
else:
    os.execv(sys.executable, [sys.executable, "-I", "-S", "-E", "-c", "print(object())"])
"""
    assert len({run_alone(script) for _ in range(3)}) == 1
