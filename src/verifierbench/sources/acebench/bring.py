"""Upstream's data onto this machine: which repository, which commit, which files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from verifierbench.sources import bringing

from .data import COMMIT, FILES, REPOSITORY, SOURCE_VERSION


def is_here(target: Path, files: Mapping[str, str] = FILES) -> bool:
    """Whether a folder has every pinned file with its bytes."""
    return bringing.is_here(target, files)


def bring(
    target: Path,
    origin: Path | None,
    *,
    repository: str = REPOSITORY,
    commit: str = COMMIT,
    files: Mapping[str, str] = FILES,
) -> None:
    """Put the pinned files into `target`, or leave everything as it was and raise `Unavailable`."""
    upstream = bringing.Upstream(
        source="acebench",
        title="ACEBench",
        version=SOURCE_VERSION,
        repository=repository,
        commit=commit,
        files=files,
        holds="data_all and LICENSE.md",
    )
    bringing.bring(target, origin, upstream)
