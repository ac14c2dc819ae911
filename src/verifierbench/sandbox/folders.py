"""Folders that an agent wrote in: handed over, opened up again, deleted, whatever it left there.

It may have left folders nobody may enter, pipes that block whoever opens them, links to places of the host, and
trees deeper than any path or stack. So nothing here opens a file, follows a link or calls itself: entries are named
relative to a descriptor, and looked at through descriptors that neither read nor wait (O_PATH). All of it is for
folders whose cell is closed; while one runs, what was looked at could be exchanged.
"""

# The calls here take descriptors, which pathlib does not.
# ruff: noqa: PTH101, PTH208

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

from verifierbench.sandbox.trees import command_user

_LOOK = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
_AT_FDCWD = -100
_PATH_MAX = 4096
"""The kernel's, its end included."""


def hand_over(folder: Path) -> None:
    """Give a folder and all in it to the user that cells run as; where that is ourselves, nothing changes."""
    uid = command_user()
    if uid == os.getuid():
        return
    with _directory(folder) as top:
        os.fchown(top, uid, uid)
        for parent, name, _ in _entries(top):
            os.chown(name, uid, uid, dir_fd=parent, follow_symlinks=False)


def unlock(folder: Path) -> None:
    """Let us enter every folder and read every regular file below one, whatever their permissions were.

    What lies deeper than a path can say stays as it is.
    """
    with _directory(folder) as top:
        for parent, name, status in _entries(top):
            if stat.S_ISREG(status.st_mode):
                _permit(parent, name, status.st_mode | 0o600)


def sweep(folder: Path) -> None:
    """Delete a folder and all in it; nothing happens where there is none.

    Folders within folders are moved to the top before they are emptied, so that depth costs nothing.
    """
    with contextlib.suppress(FileNotFoundError), _directory(folder) as top:
        waiting = os.listdir(top)
        aside = (f".{secrets.token_hex(8)}.{number}" for number in range(1 << 62))
        while waiting:
            waiting += _empty(top, waiting.pop(), aside)
        folder.rmdir()


def _empty(top: int, name: str, aside: Iterator[str]) -> list[str]:
    """Delete an entry of `top`; return the names that its own folders have there now."""
    if not _is_directory(top, name):
        os.unlink(name, dir_fd=top)
        return []
    moved = []
    with _entered(top, name) as fd:
        for child in os.listdir(fd):
            if _is_directory(fd, child):
                _permit(fd, child, 0o700)  # its ".." changes as it moves
                moved.append(next(aside))
                os.rename(child, moved[-1], src_dir_fd=fd, dst_dir_fd=top)
            else:
                os.unlink(child, dir_fd=fd)
    os.rmdir(name, dir_fd=top)
    return moved


def _entries(top: int) -> Iterator[tuple[int, str, os.stat_result]]:
    """Every entry below a folder: a descriptor of its parent, its name, what it is; folders are opened up first."""
    waiting = ["."]
    while waiting:
        here = waiting.pop()
        if len(os.fsencode(here)) >= _PATH_MAX:
            continue
        with _entered(top, here) as fd:
            for name in os.listdir(fd):
                status = os.stat(name, dir_fd=fd, follow_symlinks=False)
                yield fd, name, status
                if stat.S_ISDIR(status.st_mode):
                    waiting.append(f"{here}/{name}")


def _is_directory(parent: int, name: str) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)


def _permit(parent: int, name: str, mode: int) -> None:
    """Set the permissions of what `name` is itself; a path would lead where a link says."""
    fd = os.open(name, _LOOK, dir_fd=parent)
    try:
        os.chmod(_itself(fd), stat.S_IMODE(mode))
    finally:
        os.close(fd)


@contextlib.contextmanager
def _entered(parent: int, name: str) -> Iterator[int]:
    """A readable descriptor of a folder that its owner may use from now on."""
    looked = os.open(name, _LOOK | os.O_DIRECTORY, dir_fd=parent)
    try:
        mode = os.fstat(looked).st_mode
        if mode & 0o700 != 0o700:
            os.chmod(_itself(looked), stat.S_IMODE(mode) | 0o700)
        fd = os.open(_itself(looked), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    finally:
        os.close(looked)
    try:
        yield fd
    finally:
        os.close(fd)


@contextlib.contextmanager
def _directory(folder: Path) -> Iterator[int]:
    """The same for the folder everything else is named relative to; OSError where it is a link or no folder."""
    with _entered(_AT_FDCWD, str(folder)) as fd:
        yield fd


def _itself(looked: int) -> str:
    return f"/proc/self/fd/{looked}"
