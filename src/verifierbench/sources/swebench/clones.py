"""Git clones a user has: where they are is recorded, they are read where they lie, and nothing is written to them.

A clone is a git directory or a work tree called `<owner>__<repo>` or `<owner>__<repo>.git`, in `clones` of the source's
folder or in a folder given to `sources install`, at its top or in its `clones`.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from verifierbench.core import MalformedInput, Unavailable
from verifierbench.core.files import decode, encode, write_atomically
from verifierbench.sandbox.commands import GIT
from verifierbench.sources.sdists import unpacked

from .trees import ONLY_THIS

_SECONDS = 600
_ALONE = {**ONLY_THIS, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where clones were found."""

    clones: dict[str, str]
    """Repository (`owner/name`) → absolute path."""


def clones(home: Path) -> dict[str, Path]:
    """Repository → its clone, of those recorded that are still there and those in the source's own folder."""
    try:
        recorded = decode(_record(home), _Record).clones
    except MalformedInput:
        recorded = {}
    kept = {repo: Path(path) for repo, path in recorded.items() if _is_clone(Path(path))}
    return kept | dict(_found(home / "clones"))


def record(home: Path, origin: Path) -> bool:
    """Record the clones that a folder has; return whether it has any."""
    found = {**dict(_found(origin)), **dict(_found(origin / "clones"))}
    if found:
        known = {repo: str(path) for repo, path in (clones(home) | found).items()}
        home.mkdir(parents=True, exist_ok=True)
        write_atomically(_record(home), encode(_Record(known)))
    return bool(found)


def commits(clone: Path, wanted: Iterable[str]) -> set[str]:
    """Which of these commits a clone has."""
    asked = "".join(f"{commit}\n" for commit in wanted).encode()
    lines = _git(clone, "cat-file", "--batch-check", given=asked).decode().splitlines()
    return {line.split()[0] for line in lines if line.split()[1:2] == ["commit"]}


def tree(clone: Path, commit: str) -> dict[str, str]:
    """Every text file of a commit; raises `Unavailable` where the clone does not give it."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "tree.tar"
        _git(clone, "archive", "--format=tar", "--prefix=tree/", f"--output={archive}", commit)
        return unpacked(archive)


def _git(clone: Path, *words: str, given: bytes = b"") -> bytes:
    # A clone may be another user's, as one that was brought into a container is.
    command = [str(GIT), "-c", "safe.directory=*", "-C", str(clone), *words]
    try:
        done = subprocess.run(command, input=given, capture_output=True, env=_ALONE, check=True, timeout=_SECONDS)
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip()
        raise Unavailable(f"git gives nothing from {clone} ({said}); clone the repository anew") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"git does not run on {clone} ({error}); install git") from error
    return done.stdout


def _record(home: Path) -> Path:
    return home / "clones.json"


def _found(folder: Path) -> Iterator[tuple[str, Path]]:
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        owner, between, name = path.name.removesuffix(".git").partition("__")
        if between and _is_clone(path):
            yield f"{owner}/{name}", Path(os.path.realpath(path))


def _is_clone(path: Path) -> bool:
    return (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir())
