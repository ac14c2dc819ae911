"""The environments upstream published for each repository: a Python and pinned packages, in folders of their own.

`environments.toml` is the list. An environment is installed once, with the interpreter it is for, into the source's
folder (`sources.environment`): wheels alone, each of a known hash.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from verifierbench.core import sha256
from verifierbench.core.files import write_atomically
from verifierbench.families.code.environment import Packages
from verifierbench.sources.environment import install, is_installed


class Published(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One environment."""

    repo: str
    versions: tuple[str, ...]
    """Of the repository, as rows name them."""
    python: str
    """`major.minor`."""
    pins: Mapping[str, tuple[str, ...]]
    """`name==version` → SHA-256 of each wheel that may be taken."""

    @property
    def requirements(self) -> str:
        """The pins as an installer reads them."""
        return "".join(f"{pin} {' '.join(f'--hash=sha256:{each}' for each in self.pins[pin])}\n" for pin in self.pins)

    def folder(self, home: Path) -> Path:
        """Where its packages lie, or will."""
        return home / "environments" / f"{self.repo.replace('/', '__')}-{self.python}-{self._hash[:12]}"

    def packages(self, home: Path) -> Packages | None:
        """What was installed of it, None where it was not."""
        here = is_installed(self.folder(home), self._list(home), self.python)
        return Packages(folder=self.folder(home), version=self._hash) if here else None

    def install(self, home: Path, python: str) -> None:
        """Install it with an interpreter of its version; raises `Unavailable`."""
        self._list(home).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self._list(home), self.requirements.encode())
        install(self.folder(home), self._list(home), python=python, version=self.python)

    @property
    def _hash(self) -> str:
        return sha256(self.requirements.encode())

    def _list(self, home: Path) -> Path:
        return self.folder(home).with_name(self.folder(home).name + ".txt")


@cache
def published() -> tuple[Published, ...]:
    """Every environment."""
    table = tomllib.loads((Path(__file__).parent / "environments.toml").read_text(encoding="utf-8"))
    return tuple(msgspec.convert(table["environment"], list[Published]))


def environment_of(repo: str, version: str) -> Published | None:
    """The environment of a repository's version, None where none is listed."""
    return next((each for each in published() if each.repo == repo and version in each.versions), None)
