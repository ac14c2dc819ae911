"""The public environment of multi-turn tasks: upstream's simulators, one guarded worker for all of them.

A version names upstream's pinned package and what is public of the task, so it is known without upstream: a suite with
warm evidence starts no process and needs no package.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from verifierbench.core import Task
from verifierbench.families.tool_call.session.environment import Session, Simulators

from ..data import SOURCE_VERSION
from .curation import curation
from .data import load

NAME = "bfcl_simulators"
SCRIPT = Path(__file__).with_name("simulator_worker.py")


def environment(task: Task, packages: Path) -> Session:
    """The environment of one task; nothing starts before something is executed."""
    ours = simulators(packages)
    public = [{"name": material.name, "content": material.content} for material in task.materials]
    version = ours.version([SOURCE_VERSION, task.id, public])
    return Session(simulators=ours, scenario=task.id.partition("/")[2], version=version)


@functools.cache
def simulators(packages: Path) -> Simulators:
    """The one worker of this process for a package directory."""

    def arguments() -> dict[str, Any]:
        entries = load(packages, [task.id for task in curation().task])
        return {"scenarios": {name: entry.scenario for name, entry in entries.items()}}

    return Simulators(SCRIPT, lambda: (packages,), arguments)
