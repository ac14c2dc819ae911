"""Interpreters of another version than ours, found where uv, pyenv and the search path have them; none is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

OLDEST = (3, 8)
"""The oldest Python on which what we write into a copy runs."""
_SECONDS = 60


@cache
def find_python(version: str) -> str | None:
    """The path of an interpreter of a version as `3.9`, None where there is none or it is too old for us."""
    wanted = parsed(version)
    if wanted < OLDEST:
        return None
    return next((path for path in _candidates(version) if version_of(path) == wanted), None)


@cache
def version_of(python: str) -> tuple[int, int] | None:
    """Major and minor version of an interpreter, None where it does not run."""
    if python == sys.executable:
        return sys.version_info[:2]
    said = _said(python, "-I", "-S", "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
    return parsed(said) if said else None


def parsed(version: str) -> tuple[int, int]:
    """`3.9` as numbers."""
    major, _, minor = version.partition(".")
    return int(major), int(minor)


def _candidates(version: str) -> Iterator[str]:
    if parsed(version) == sys.version_info[:2]:
        yield sys.executable
    if uv := shutil.which("uv"):
        yield from filter(None, [_said(uv, "python", "find", "--system", "--no-python-downloads", version)])
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for folder in sorted((root / "versions").glob(f"{version}.*"), key=_numbers, reverse=True):
        yield str(folder / "bin" / "python")
    yield from filter(None, [shutil.which(f"python{version}")])


def _numbers(folder: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", folder.name)]


def _said(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=_SECONDS)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
