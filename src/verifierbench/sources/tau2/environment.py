"""The public environment of a task: upstream's domain, one guarded worker for each of the three.

A version names our code, upstream's package and the pins of its data, so it is known without upstream: a suite with
warm evidence starts no process and needs no package.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from verifierbench.core import Task, sha256
from verifierbench.core.files import read_bytes
from verifierbench.environments.simulators import Simulated, Simulators
from verifierbench.families.guest import SEARCH_PATH

from .data import CODE_VERSION, SOURCE_VERSION, domain_of, load, pins

NAME = "tau2_domains"
HERE = Path(__file__).parent
SCRIPT = HERE / "simulator_worker.py"
GUEST = HERE / "guest"
REQUIREMENTS = HERE / "requirements.txt"
OURS = (
    GUEST / "overlay.py",
    GUEST / "states.py",
    GUEST / "toolkits.py",
    GUEST / "worlds.py",
    SEARCH_PATH / "guest" / "diffs.py",
    SEARCH_PATH / "guest" / "replaying.py",
)
"""What the workers import of ours."""


def environment(task: Task, packages: Path, folder: Path) -> Simulated:
    """The environment of one task; nothing starts before something is executed."""
    entry = task.id.partition("/")[2]
    ours = simulators(packages, folder, domain_of(entry))
    depends = [SOURCE_VERSION, CODE_VERSION, sha256(read_bytes(REQUIREMENTS)), pins(domain_of(entry)), entry]
    return Simulated(simulators=ours, scenario=entry, version=ours.version(depends))


@functools.cache
def simulators(packages: Path, folder: Path, domain: str) -> Simulators:
    """The one worker of this process for a domain."""

    def arguments() -> dict[str, Any]:
        from .curation import curation

        entries = load(folder, [row.id for row in curation(domain).task])
        prepared = {name: entry.prepared for name, entry in entries.items()}
        return {"domain": domain, "folder": str(folder), "scenarios": prepared}

    return Simulators(SCRIPT, lambda: (packages,), arguments, ours=OURS, folders=(GUEST, SEARCH_PATH))
