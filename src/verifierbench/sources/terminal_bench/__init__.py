"""Terminal-Bench 1: folders in its format, its own parser of test output, and what that parser lets through.

Upstream's tasks are not in its package, and none is here. The folders under `tasks` are ours, one for each way in which
a test counts as passed that has not passed. Each is a candidate twice: read by upstream's parser, which a build leaves
out with the case that shows why, and read by a structured reporter, which it keeps. Folders of a user's own are looked
at, not built: nobody has labelled solutions for them (`looking`).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache
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
    sha256,
)
from verifierbench.core.files import read_bytes
from verifierbench.sources.environment import install, is_installed
from verifierbench.sources.home import source_home

__all__ = ["TERMINAL_BENCH", "TerminalBench"]

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
COMMAND = "verifierbench sources install terminal-bench"
NEEDS = (
    f"upstream's parser is not here: run `{COMMAND}` (2 MB from a package index, or `--from` a folder of the wheels; "
    "`--from` a folder of task folders keeps copies of these as well)"
)


class TerminalBench:
    """Meets `core.Source`."""

    name = "terminal-bench"

    @property
    def archives(self) -> Path:
        """Where upstream's wheel lies; it is read, never installed."""
        return source_home(self.name) / "archives"

    @property
    def packages(self) -> Path:
        """What every folder's tests can import: pytest, and its plug-in for subtests."""
        return source_home(self.name) / "packages"

    @property
    def folders(self) -> Path:
        """Where copies of a user's task folders lie."""
        return source_home(self.name) / "folders"

    def status(self) -> SourceStatus:
        """Whether the wheel and the packages are here; nothing is downloaded."""
        from .reading import OWN_VERSION
        from .upstream import ARCHIVES, VERSION

        ready = is_installed(self.packages, REQUIREMENTS) and not ARCHIVES.missing(self.archives)
        return SourceStatus(
            name=self.name,
            ready=ready,
            needs="" if ready else NEEDS,
            version=f"{VERSION}, folders {OWN_VERSION}",
            licence="Apache-2.0",
            families=(Family.CODE,),
        )

    def install(self, origin: Path | None) -> None:
        """Bring upstream's wheel and the packages; of an `origin` with task folders keep copies, without looking."""
        from .folder import task_folders
        from .upstream import ARCHIVES, WHEEL

        for folder in task_folders(origin) if origin is not None else ():
            _copy(folder, self.folders / folder.name)
        wheels = origin if origin is not None and (origin / WHEEL.file).is_file() else None
        if origin is not None and wheels is None and not task_folders(origin):
            raise Unavailable(f"{origin} has neither {WHEEL.file} nor a folder with a task.yaml; give a path that does")
        ARCHIVES.bring(self.archives, wheels)
        install(self.packages, REQUIREMENTS, wheels)

    def candidates(self, season: Season) -> Iterator[Candidate]:
        """Each of our folders twice, once per reader; raises `Unavailable` where something is not here."""
        from verifierbench.families.code.operators import cases

        from .reading import READERS, own_folders

        if not self.status().ready:
            raise Unavailable(NEEDS)
        for folder in own_folders():
            for reader in READERS:
                made = tuple(cases(folder.draft(reader), season))
                yield Candidate(task=folder.task(reader), cases=made)

    def environment(self, task: Task) -> Environment:
        """Fresh copies of what the `Dockerfile` copies, with pytest beside them; and upstream's parser, or not."""
        return _environment(task.id, self.archives, self.packages)

    def checker(self) -> SourceChecker | None:
        """Return None: upstream's reading is a candidate of its own here, and left out for what it accepts."""
        return None

    def explain(self, task: Task, case: Case, decision: Decision) -> Explanation | None:  # noqa: ARG002  # the protocol's
        """Return None: there is no checker whose decision could be explained."""
        return None


@cache
def _environment(task_id: str, archives: Path, packages: Path) -> Environment:
    from verifierbench.families.code.environment import CodeEnvironment, Packages

    from .reading import own_folder
    from .upstream import Parser, WithParser

    folder, reader = own_folder(task_id)
    version = sha256(read_bytes(REQUIREMENTS))
    environment = CodeEnvironment(folder.copied, packages=Packages(folder=packages, version=version))
    return WithParser(environment, Parser(archives)) if reader == "parser" else environment


def _copy(folder: Path, target: Path) -> None:
    """Put a copy in the place of an earlier one; links are kept as links, so that nothing outside is read."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder, target, symlinks=True)


TERMINAL_BENCH = TerminalBench()
"""What the registry knows this source by."""
