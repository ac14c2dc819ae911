"""Upstream's data onto this machine: one commit of its repository, or files that are here already; whole or not at all.

Upstream publishes its data in a repository and nowhere else. The commit is fetched by its id, so that what arrives can
be nothing else, and every file is then compared with the pins of `data`. Nothing that came along is executed, and only
the pinned files are kept. The folder appears by one rename.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from verifierbench.core import MalformedInput, Unavailable

from .data import COMMIT, FILES, REPOSITORY, SOURCE_VERSION, check_files

_AS_IT_IS = ("-c", "core.autocrlf=false", "-c", "advice.detachedHead=false")
"""Options under which a checkout has the commit's own bytes, whatever the user's configuration says."""
_NO_GIT = "installing acebench needs git: install it, or give a folder that has the files with --from PATH"


def is_here(target: Path, files: Mapping[str, str] = FILES) -> bool:
    """Whether a folder has every pinned file with its bytes."""
    try:
        check_files(target, files)
    except MalformedInput:
        return False
    return True


def bring(
    target: Path,
    origin: Path | None,
    *,
    repository: str = REPOSITORY,
    commit: str = COMMIT,
    files: Mapping[str, str] = FILES,
) -> None:
    """Put the pinned files into `target`, or leave everything as it was and raise `Unavailable`.

    `origin` is a folder with upstream's layout; without it the commit is fetched from the repository. A folder that has
    the files already is left alone.
    """
    if is_here(target, files):
        return
    with _scratch(target) as around:
        source = around / "clone" if origin is None else origin
        if origin is None:
            _clone(source, repository, commit)
        _checked(source, files, repository if origin is None else str(origin))
        for name in files:
            (around / "new" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, around / "new" / name)
        if target.exists():
            target.rename(around / "old")
        (around / "new").rename(target)


def _clone(folder: Path, repository: str, commit: str) -> None:
    """One commit of a repository; raises `Unavailable` where git has not brought exactly that."""
    git = shutil.which("git")
    if git is None:
        raise Unavailable(_NO_GIT)
    _git(git, "init", "--quiet", str(folder))
    _git(git, "-C", str(folder), "fetch", "--quiet", "--depth", "1", repository, commit)
    _git(git, "-C", str(folder), *_AS_IT_IS, "checkout", "--quiet", "FETCH_HEAD")
    if (found := _git(git, "-C", str(folder), "rev-parse", "HEAD").strip()) != commit:
        raise Unavailable(f"{repository} gave commit {found} where {commit} was asked for; try again")


def _git(*command: str) -> str:
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()] or ["git said nothing"]
        raise Unavailable(
            f"ACEBench's data could not be fetched ({lines[-1]}); connect to its repository, or give a folder that has "
            "the files with --from PATH"
        )
    return done.stdout


def _checked(source: Path, files: Mapping[str, str], said: str) -> None:
    try:
        check_files(source, files)
    except MalformedInput as error:
        raise Unavailable(
            f"{said} has not the files of {SOURCE_VERSION} ({error}); give a folder that has data_all and LICENSE.md"
        ) from error


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
