"""What a way gives for an instance: its repository before and after the repair, and what its commands run with.

A way is how a machine comes to that: from the instance's container image, from a git clone, from a release. A way that
the machine lacks, or that does not have this instance, gives nothing, and never breaks anything: the next is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from verifierbench.families.code.content import Tree, touched
from verifierbench.families.code.environment import Packages
from verifierbench.sources.sdists import under

from .rows import Row


class Wanted(NamedTuple):
    """What a way is asked for."""

    row: Row
    package: str
    release: str
    """The release of that package which contains the repair."""
    archives: Path
    """The folder of releases."""
    places: tuple[tuple[str, ...], ...]
    """What is looked at besides the files that the patches touch: lists as `sources.sdists.under` takes them."""

    @property
    def home(self) -> Path:
        """The source's folder; a way keeps what it makes below it."""
        return self.archives.parent


def needed(tree: Tree, wanted: Wanted) -> dict[str, str]:
    """The files of a tree that are looked at: a repository has many times as many."""
    named = {*touched(wanted.row.patch), *touched(wanted.row.test_patch)}
    looked_at = named.union(*(under(tree, places) for places in wanted.places))
    return {path: text for path, text in tree.items() if path in looked_at}


class Checkout(msgspec.Struct, frozen=True, kw_only=True):
    """One instance's repository, and what runs its commands."""

    version: str
    """Which repository, and by which way: what `Task.source_version` records."""
    before: Tree
    """What a solver finds: neither the repair nor the tests that came with it."""
    after: Tree
    """The same with both."""
    python: str
    """The interpreter's path."""
    python_version: tuple[int, int]
    packages: Packages


class Way(Protocol):
    """One way to checkouts."""

    name: str
    mark: str
    """Words that the version of each of its checkouts has, and that of no other way's."""

    def has(self, rows: Sequence[Row], home: Path) -> set[str]:
        """The instances that the machine has what it takes for: cheap, and nothing is made or fetched."""

    def checkout(self, wanted: Wanted) -> Checkout | None:
        """The instance's; None where the machine lacks something, `VerifierBenchError` where it cannot be made."""
