"""From a release: a source distribution that contains the repair, with the repair and its tests taken back.

It needs a package index alone, so it is what a machine has that has nothing else. Commands run with our own interpreter
and one set of packages for all repositories; which tests pass is another list than the published one.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from verifierbench.core import sha256
from verifierbench.core.files import read_bytes
from verifierbench.families.code.environment import Packages
from verifierbench.sources.sdists import Sdists, files

from .checkout import Checkout, Wanted
from .rows import Row
from .trees import without

SDISTS = Sdists(Path(__file__).parent / "archives.toml")
REQUIREMENTS = Path(__file__).parent / "requirements.txt"


class Release:
    """Meets `Way`."""

    name = "release"
    mark = "the repair taken back"

    def has(self, rows: Sequence[Row], home: Path) -> set[str]:  # noqa: ARG002  # the protocol's
        """All: the source is not ready without its archives."""
        return {row.instance_id for row in rows}

    def checkout(self, wanted: Wanted) -> Checkout:
        """The instance's; raises `Inconsistent` where the release does not contain the patches."""
        after = files(wanted.archives / SDISTS.named(wanted.package, wanted.release).file)
        return Checkout(
            version=f"{wanted.row.repo} as in {wanted.package} {wanted.release}, {self.mark}",
            before=without(without(after, wanted.row.test_patch), wanted.row.patch),
            after=after,
            python=sys.executable,
            python_version=sys.version_info[:2],
            packages=Packages(folder=wanted.home / "packages", version=_packages_version()),
        )


@cache
def _packages_version() -> str:
    return sha256(read_bytes(REQUIREMENTS))
