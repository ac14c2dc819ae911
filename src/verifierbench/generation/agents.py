"""Who writes verifiers, and one run of such an agent over a suite.

An agent is given a workspace and leaves `verifier.py` in it. The built-in ones use no model: two constants, whose
score is 0 by construction, and a heuristic that reads the public material as a model would. A run is resumable: a
finished submission is never made again, and a run's folder refuses to be continued by somebody else.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from verifierbench.core import Limits, MalformedInput, Run, Submission, Task, UnknownName
from verifierbench.core.files import decode, encode, write_atomically

from . import submission
from .builtin import Constant, Heuristic
from .workspace import lay_out

__all__ = ["Agent", "Tasks", "agent", "agent_names", "generate"]


class Agent(Protocol):
    """Something that writes a verifier."""

    @property
    def name(self) -> str:
        """What it is called on the command line and in tables."""

    @property
    def harness(self) -> str:
        """The program around the model; `builtin` for agents without one."""

    @property
    def model(self) -> str:
        """The model; a built-in agent's own name."""

    def write(self, workspace: Path) -> tuple[dict[str, Any], ...]:
        """Leave `verifier.py` in the workspace; returns the trace, one entry for each step."""


class Tasks(Protocol):
    """What a run needs of a suite: the public half of its tasks."""

    @property
    def path(self) -> Path:
        """Where it lies."""

    @property
    def hash(self) -> str:
        """Its identity."""

    @property
    def tasks(self) -> Iterable[Task]:
        """Its tasks."""


_BUILTIN: Mapping[str, Callable[[], Agent]] = {
    "accept-all": lambda: Constant("accept-all", "PASS"),
    "reject-all": lambda: Constant("reject-all", "FAIL"),
    "heuristic": Heuristic,
}


def agent_names() -> tuple[str, ...]:
    """The built-in agents."""
    return tuple(_BUILTIN)


def agent(name: str) -> Agent:
    """A built-in agent by its name; raises `UnknownName`."""
    if name not in _BUILTIN:
        raise UnknownName("built-in agent", name, agent_names())
    return _BUILTIN[name]()


def generate(
    suite: Tasks,
    writer: Agent,
    run: Path,
    *,
    name: str | None = None,
    limits: Limits | None = None,
    seed: str = "0",
    schema_of: Callable[[Task], Mapping[str, Any]] | None = None,
    done: Callable[[Submission], None] = lambda _: None,
) -> Run:
    """Have an agent write a verifier for every task of a suite; returns the run's description, as in `run.json`.

    `done` hears of each submission once it is kept, resumed ones included. Raises `MalformedInput` where the folder
    holds a run of another agent or suite.
    """
    description = _describe(suite, writer, run, name=name, limits=limits or Limits(), seed=seed)
    for task in suite.tasks:
        if submission.finished(run, task.alias):
            done(submission.load(run, task.alias)[0])
        else:
            done(_write_one(task, (schema_of or _schema)(task), writer, run, description.limits))
    return description


def _describe(suite: Tasks, writer: Agent, run: Path, *, name: str | None, limits: Limits, seed: str) -> Run:
    """The run's description: the one that is there, or a new one."""
    new = Run(
        name=name or writer.name,
        harness=writer.harness,
        model=writer.model,
        suite=os.path.relpath(suite.path, run),
        suite_hash=suite.hash,
        tier=None,
        limits=limits,
        seed=seed,
    )
    file = run / "run.json"
    if not file.exists():
        write_atomically(file, encode(new))
        return new
    old = decode(file, Run)
    for field in ("harness", "model", "suite_hash", "limits", "seed"):
        if getattr(old, field) != getattr(new, field):
            raise MalformedInput(file, f"$.{field}", "the folder holds another run: give this one a folder of its own")
    return old


def _write_one(task: Task, schema: Mapping[str, Any], writer: Agent, run: Path, limits: Limits) -> Submission:
    with tempfile.TemporaryDirectory(prefix="verifierbench-") as folder:
        workspace = Path(folder)
        lay_out(task, schema, workspace, limits)
        start = time.monotonic()
        trace = writer.write(workspace)
        return submission.collect(workspace, task.alias, run, trace, round(time.monotonic() - start, 3))


def _schema(task: Task) -> Mapping[str, Any]:
    from verifierbench.families import family

    return family(task.family).solution_schema
