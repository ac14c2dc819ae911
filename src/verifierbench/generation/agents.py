"""Agents that write a verifier from a laid-out workspace and nothing else: no model, no tools.

An agent is given a workspace and leaves `verifier.py` in it. The built-in ones are two constants, whose score is 0 by
construction, and a heuristic that reads the public material as a model would.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from verifierbench.core import Limits, Submission, Task, UnknownName

from . import submission
from .builtin import Constant, Heuristic
from .workspace import lay_out

__all__ = ["Agent", "Unaided", "agent", "agent_names"]


@runtime_checkable
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


class Unaided:
    """Has an agent write: meets `runs.Writer`."""

    def __init__(self, writer: Agent) -> None:
        self._agent = writer
        self.name, self.harness, self.model = writer.name, writer.harness, writer.model

    def about(self) -> dict[str, Any]:
        """Nothing is to be said of a run beside who wrote."""
        return {}

    def attempt(self, task: Task, schema: Mapping[str, Any], run: Path, limits: Limits) -> Submission:
        """One workspace, one verifier."""
        with tempfile.TemporaryDirectory(prefix="verifierbench-") as folder:
            workspace = Path(folder)
            lay_out(task, schema, workspace, limits)
            start = time.monotonic()
            trace = self._agent.write(workspace)
            return submission.collect(workspace, task.alias, run, trace, round(time.monotonic() - start, 3))


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
