"""Upstream's files onto this machine: one commit of a repository, or what is here already; whole or not at all.

Some upstreams publish their data in a repository and nowhere else. The commit is fetched by its id, so that what
arrives can be nothing else, and every file is then compared with its pin. Nothing that came along is executed, and
only the pinned files are kept. The folder appears by one rename.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from verifierbench.core import MalformedInput, Unavailable
from verifierbench.core import sha256 as hash_of
from verifierbench.core.files import read_bytes

_AS_IT_IS = ("-c", "core.autocrlf=false", "-c", "advice.detachedHead=false")
"""Options under which a checkout has the commit's own bytes, whatever the user's configuration says."""


class Upstream(msgspec.Struct, frozen=True, kw_only=True):
    """A repository at one commit, and the files of it that are wanted."""

    source: str
    """Our name of it."""
    title: str
    """Its own name, for sentences."""
    version: str
    repository: str
    commit: str
    files: Mapping[str, str]
    """Path under a root → SHA-256."""
    holds: str
    """What a folder given with `--from` has in it, for sentences."""
    roots: tuple[str, ...] = ("",)
    """Where in the repository, or in a folder given instead, the paths may begin."""
    only: str = ""
    """The one folder of a large repository that is checked out; empty for all of it."""


def is_here(target: Path, files: Mapping[str, str]) -> bool:
    """Whether a folder has every pinned file with its bytes."""
    try:
        check_files(target, files)
    except MalformedInput:
        return False
    return True


def check_files(folder: Path, files: Mapping[str, str]) -> None:
    """Raise `MalformedInput` unless every pinned file lies in the folder with its bytes."""
    for name, digest in files.items():
        if hash_of(read_bytes(folder / name)) != digest:
            raise MalformedInput(folder / name, "", "not the bytes that the curation speaks about")


def bring(target: Path, origin: Path | None, upstream: Upstream) -> None:
    """Put the pinned files into `target`, or leave everything as it was and raise `Unavailable`.

    `origin` is a folder with upstream's layout; without it the commit is fetched from the repository. A folder that has
    the files already is left alone.
    """
    if is_here(target, upstream.files):
        return
    with _scratch(target) as around:
        source = around / "clone" if origin is None else origin
        if origin is None:
            _clone(source, upstream)
        root = _checked(source, upstream, upstream.repository if origin is None else str(origin))
        for name in upstream.files:
            (around / "new" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / name, around / "new" / name)
        if target.exists():
            target.rename(around / "old")
        (around / "new").rename(target)


def _clone(folder: Path, upstream: Upstream) -> None:
    """One commit of a repository; raises `Unavailable` where git has not brought exactly that."""
    git = shutil.which("git")
    if git is None:
        raise Unavailable(
            f"installing {upstream.source} needs git: install it, or give a folder that has the files with --from PATH"
        )
    inside = (git, "-C", str(folder))
    part = ("--filter=blob:none",) if upstream.only else ()
    _git(upstream, git, "init", "--quiet", str(folder))
    _git(upstream, *inside, "remote", "add", "origin", upstream.repository)
    _git(upstream, *inside, "fetch", "--quiet", "--depth", "1", *part, "origin", upstream.commit)
    if upstream.only:
        _git(upstream, *inside, "sparse-checkout", "set", "--no-cone", f"/{upstream.only}/")
    _git(upstream, *inside, *_AS_IT_IS, "checkout", "--quiet", "FETCH_HEAD")
    found = _git(upstream, *inside, "rev-parse", "HEAD").strip()
    if found != upstream.commit:
        message = f"{upstream.repository} gave commit {found} where {upstream.commit} was asked for; try again"
        raise Unavailable(message)


def _git(upstream: Upstream, *command: str) -> str:
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()] or ["git said nothing"]
        raise Unavailable(
            f"{upstream.title}'s data could not be fetched ({lines[-1]}); connect to its repository, or give a folder "
            "that has the files with --from PATH"
        )
    return done.stdout


def _checked(source: Path, upstream: Upstream, said: str) -> Path:
    """The root under which the files are, all with their bytes."""
    first = next(iter(upstream.files))
    root = next((source / root for root in upstream.roots if (source / root / first).is_file()), source)
    try:
        check_files(root, upstream.files)
    except MalformedInput as error:
        raise Unavailable(
            f"{said} has not the files of {upstream.version} ({error}); give a folder that has {upstream.holds}"
        ) from error
    return root


@contextlib.contextmanager
def _scratch(target: Path) -> Iterator[Path]:
    """A folder beside the target, so that it can be renamed; removed whatever happens."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        around = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise Unavailable(
            f"{target.parent} cannot be written: {error.strerror}; set VERIFIERBENCH_HOME to a folder that can"
        ) from error
    try:
        (around / "new").mkdir()
        yield around
    finally:
        shutil.rmtree(around, ignore_errors=True)
