"""AppWorld: errands in a person's apps, in a world of nine apps with their APIs.

Upstream's package is installed pinned, in a folder of its own, and its apps are unpacked there by its own command
(`verifierbench sources install appworld`); its data are the user's to download. All of it is published encrypted and
may be passed on in no other form, so nothing of it is in this package, not even a task's id: which tasks are ours is a
rule (`curation`), computed where the data are. A suite made of them holds what is derived from it and must not be
published.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from verifierbench.core import (
    Candidate,
    Case,
    Decision,
    Environment,
    Explanation,
    Family,
    Season,
    SourceChecker,
    SourceStatus,
    Task,
    Unavailable,
)
from verifierbench.sources.home import source_home

from .data import COMMAND, SOURCE_VERSION, has_data

__all__ = ["APPWORLD", "AppWorld"]

NEEDS = f"AppWorld is not installed: run `{COMMAND}` (13 MB from a package index, or `--from` a folder with its wheels)"
LICENCE = "Apache-2.0; apps, data and what is derived from them only encrypted"


class AppWorld:
    """Meets `core.Source`."""

    name = "appworld"

    @property
    def packages(self) -> Path:
        """Where upstream is installed; for a worker's search path only."""
        return source_home(self.name) / "packages"

    @property
    def root(self) -> Path:
        """The folder with upstream's `data`."""
        return source_home(self.name) / "root"

    def status(self) -> SourceStatus:
        """Whether upstream is here; without its data it is ready, and has no tasks."""
        from .bring import is_ready

        ready = is_ready(self.packages)
        return SourceStatus(
            name=self.name,
            ready=ready,
            needs=self._needs(ready=ready),
            version=SOURCE_VERSION,
            licence=LICENCE,
            families=(Family.STATE,),
        )

    def install(self, origin: Path | None) -> None:
        """Install upstream's package, unpack its apps, and link its data where `origin` has them."""
        from .bring import bring

        bring(self.packages, self.root, origin)

    def candidates(self, season: Season) -> Iterator[Candidate]:
        """The tasks that the rule keeps, none without data; raises `Unavailable` where upstream is not installed."""
        from .environment import Place
        from .tasks import candidates

        if not self.status().ready:
            raise Unavailable(NEEDS)
        return candidates(Place(self.packages, self.root), season) if has_data(self.root) else iter(())

    def environment(self, task: Task) -> Environment | None:
        """The task's world."""
        from .environment import Place, environment

        return environment(task, Place(self.packages, self.root))

    def checker(self) -> SourceChecker | None:
        """Upstream's own evaluation; None where upstream or its data are not here."""
        from .checker import Evaluation
        from .environment import Place

        here = self.status().ready and has_data(self.root)
        return Evaluation(Place(self.packages, self.root)) if here else None

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:
        """The entry of `defects.toml` that holds of a decision; upstream need not be installed."""
        from .explanations import explain

        return explain(task, case, decision)

    def _needs(self, *, ready: bool) -> str:
        from .bring import data_sentence, fits_python, python_sentence

        if not fits_python():
            return python_sentence()
        if not ready:
            return NEEDS
        return "" if has_data(self.root) else data_sentence()


APPWORLD = AppWorld()
"""What the registry knows this source by."""
