"""The public environment of agent tasks: upstream's simulators, one guarded worker for all of them.

A version names the package the simulators come from and what is public of the task, so it is known without upstream: a
suite with warm evidence starts no process and needs no package.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from verifierbench.core import Task, sha256
from verifierbench.core.files import read_bytes
from verifierbench.families.tool_call.session.environment import Session, Simulators

from ..data import SOURCE_VERSION
from .curation import curation
from .data import load

NAME = "acebench_simulators"
PACKAGE_VERSION = "evalscope 1.14.1"
SCRIPT = Path(__file__).with_name("simulator_worker.py")
GUEST = Path(__file__).with_name("guest")
"""On the search path of both workers: `scenarios`."""


def environment(task: Task, packages: Path, folder: Path) -> Session:
    """The environment of one task; nothing starts before something is executed."""
    ours = simulators(packages, folder)
    public = [{"name": material.name, "content": material.content} for material in task.materials]
    code = sha256(read_bytes(GUEST / "scenarios.py"))
    version = ours.version([SOURCE_VERSION, PACKAGE_VERSION, code, task.id, public])
    return Session(simulators=ours, scenario=task.id.partition("/")[2], version=version)


@functools.cache
def simulators(packages: Path, folder: Path) -> Simulators:
    """The one worker of this process for a package directory and a folder of data."""

    def arguments() -> dict[str, Any]:
        tables = curation()
        entries = load(folder, [task.id for task in tables.task], tables.mended)
        return {"scenarios": {name: entry.scenario for name, entry in entries.items()}}

    return Simulators(SCRIPT, lambda: (GUEST, packages), arguments)
