"""Repositories on disk: written so that a sandbox can lay an overlay over them, and looked at before it does.

An overlay shows the owners and permissions of what lies below, so its user can edit only what it owns or what
everyone may write. A tree made here belongs to the commands' user; any other tree is judged by a look at each entry.
"""

from __future__ import annotations

import os
import stat
import subprocess
import tempfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from verifierbench.core.errors import MalformedInput, Unavailable
from verifierbench.sandbox import syscalls

if TYPE_CHECKING:
    from collections.abc import Mapping

COMMAND_UID = 64_322
"""Whom commands run as when we are root: nobody's account, so nothing else on the machine belongs to it."""
EPOCH = 1_577_836_800
"""2020-01-01: the time of every materialised file, and SOURCE_DATE_EPOCH; zip cannot say earlier than 1980."""
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_COMPILED = "__pycache__"
"""Where an interpreter keeps what it compiled: no part of any repository, whose trees are text."""


def command_user() -> int:
    """Return the uid commands have on this machine: one of their own where we are root, else ours."""
    root = syscalls.is_privileged() and syscalls.is_mapped(COMMAND_UID)
    return COMMAND_UID if root else os.getuid()


def materialise(files: Mapping[str, str], into: Path, *, compiled: str = "") -> None:
    """Write a repository tree the sandbox can use in place; nothing is done where `into` is that tree already.

    `compiled` is the interpreter that compiles its modules beforehand, where importing them would otherwise take most
    of a command's time; what it made is checked by content, so that an edited module is compiled anew.

    A file that begins with "#!" is executable. It appears whole or not at all, and takes the place of whatever else
    has its name. As root it is given to the commands' user, who owns (and so can edit, through the overlay only)
    everything in it. Raises MalformedInput for a path that leads out of it, Unavailable where it cannot be written.
    """
    for name in files:
        if not is_inner_path(name):
            raise MalformedInput(into, name, "a path in a repository is relative and has no '..'")
    wanted = {str(PurePosixPath(name)): text for name, text in files.items()}
    try:
        if not _holds(into, wanted):
            _make(into, wanted, compiled)
    except OSError as error:
        raise Unavailable(
            f"a copy of a repository cannot be written to {into} ({error.strerror}); "
            "make that place writable, or name another in XDG_CACHE_HOME"
        ) from error


def _make(into: Path, files: Mapping[str, str], compiled: str) -> None:
    into.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # What is exchanged for the tree is removed with the directory, as far as it lets itself be removed.
    with tempfile.TemporaryDirectory(prefix=f".{into.name}.", dir=into.parent, ignore_cleanup_errors=True) as temporary:
        tree = Path(temporary) / "tree"
        tree.mkdir()
        for name, text in files.items():
            _write_file(tree / name, text)
        if compiled:
            _compile(tree, compiled)
        _settle(tree)
        try:
            tree.rename(into)
        except OSError:
            if not os.path.lexists(into):
                raise
            if not _holds(into, files):  # else another process was first, and its tree is the same
                _exchange(tree, into)


def _compile(tree: Path, python: str) -> None:
    """Files that are no Python of this interpreter's are left as they are, as importing them would."""
    where = ["-d", "/repository", "--invalidation-mode", "checked-hash"]
    subprocess.run([python, "-I", "-m", "compileall", "-q", "-q", *where, str(tree)], check=False, capture_output=True)


def _exchange(one: Path, other: Path) -> None:
    """Swap what two paths name, in one step where the kernel and the file system can."""
    try:
        syscalls.syscall("renameat2", _AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
    except OSError as error:
        if error.errno not in syscalls.NOT_HERE:
            raise
        other.rename(one.with_name("aside"))
        one.rename(other)


def _holds(top: Path, files: Mapping[str, str]) -> bool:
    """Whether a directory holds these files and nothing else; one that cannot be looked at does not."""
    try:
        if not stat.S_ISDIR(top.lstat().st_mode):
            return False
        found = {str(path.relative_to(top)): path for path in top.rglob("*") if _COMPILED not in path.parts}
        folders = {str(parent) for name in files for parent in PurePosixPath(name).parents} - {"."}
        if found.keys() != files.keys() | folders:
            return False
        return all(stat.S_ISDIR(found[name].lstat().st_mode) for name in folders) and all(
            _is_file(found[name], text) for name, text in files.items()
        )
    except OSError:
        return False


def _is_file(path: Path, text: str) -> bool:
    return path.lstat().st_mode == stat.S_IFREG | _mode(text) and path.read_bytes() == text.encode()


def _mode(text: str) -> int:
    return 0o755 if text.startswith("#!") else 0o644


def _write_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    path.chmod(_mode(text))


def _settle(tree: Path) -> None:
    """Give every entry its owner and time; from the leaves, because a new entry changes its directory's time."""
    uid = command_user()
    for path in [*sorted(tree.rglob("*"), reverse=True), tree]:
        if path.is_dir():
            path.chmod(0o755)
        if uid != os.getuid():
            os.chown(path, uid, uid, follow_symlinks=False)
        os.utime(path, (EPOCH, EPOCH), follow_symlinks=False)


class Tree(msgspec.Struct, frozen=True):
    """What a repository takes: its entries, their bytes, and whether the commands' user may edit each of them."""

    entries: int
    bytes: int
    editable: bool


def survey(top: Path) -> Tree:
    """Look at every entry of a repository once."""
    uid = command_user()
    statuses = [path.lstat() for path in [top, *top.rglob("*")]]
    # A copy occupies whole pages.
    size = sum(-(-status.st_size // 4096) * 4096 for status in statuses)
    # Of a link the permissions say nothing; whoever may edit its directory may replace it.
    editable = all(s.st_uid == uid or s.st_mode & 0o002 for s in statuses)
    return Tree(len(statuses), size, editable)


def is_inner_path(path: str) -> bool:
    """Whether a path names something inside a repository: relative, without ".."."""
    parts = PurePosixPath(path).parts
    return bool(parts) and not path.startswith("/") and ".." not in parts and "\0" not in path
