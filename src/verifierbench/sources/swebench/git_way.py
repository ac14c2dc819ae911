"""From a git clone: the tree of the base commit, with the published pins on the published Python.

The clone is one the user has; the interpreter is one the machine has. The tests and the repair are upstream's patches
applied to that tree, so it is the instance as published, except that only text files are in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from .checkout import Checkout, Wanted, needed
from .clones import clones, commits, tree
from .interpreters import find_python, parsed
from .published import Published, environment_of
from .rows import Row
from .trees import having


class Git:
    """Meets `Way`."""

    name = "git"
    mark = "from a git clone"

    def has(self, rows: Sequence[Row], home: Path) -> set[str]:
        """Those whose clone has the base commit and whose environment is installed."""
        return {row.instance_id for row, published, _ in _possible(rows, home) if published.packages(home)}

    def checkout(self, wanted: Wanted) -> Checkout | None:
        """The instance's, with its published environment."""
        for row, published, python in _possible([wanted.row], wanted.home):
            if packages := published.packages(wanted.home):
                before = tree(clones(wanted.home)[row.repo], row.base_commit)
                return Checkout(
                    version=f"{row.repo} at {row.base_commit}, {self.mark}, with Python {published.python}",
                    before=needed(before, wanted),
                    after=needed(having(having(before, row.patch), row.test_patch), wanted),
                    python=python,
                    python_version=parsed(published.python),
                    packages=packages,
                )
        return None

    def install(self, rows: Sequence[Row], home: Path) -> None:
        """Install what the instances with a clone need; raises `Unavailable`."""
        needed = {published.folder(home): (published, python) for _, published, python in _possible(rows, home)}
        for published, python in needed.values():
            published.install(home, python)


def _possible(rows: Sequence[Row], home: Path) -> Iterator[tuple[Row, Published, str]]:
    """Instances that the machine has a clone with the base commit and an interpreter for."""
    for repo, clone in clones(home).items():
        mine = [row for row in rows if row.repo == repo]
        there = commits(clone, (row.base_commit for row in mine)) if mine else set()
        for row in mine:
            published = environment_of(row.repo, row.version)
            if published and row.base_commit in there and (python := find_python(published.python)):
                yield row, published, python
