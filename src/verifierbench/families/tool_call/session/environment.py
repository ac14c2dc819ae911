"""The public environment of an executable task: its source's simulators, playing a session in a guarded process.

A request is `{"turns": [{"calls": […]}, …]}`; every request starts from the task's initial state, in a process of its
own. A source brings a worker script (`load` gets what it needs of every scenario, `handle` gets the scenario's name
and a request and plays it with `session_loop`), and the version that identifies everything its answers depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from verifierbench.environments import simulators
from verifierbench.environments.simulators import Simulated as Session

__all__ = ["GUEST", "Session", "Simulators"]

GUEST = Path(__file__).with_name("guest")
"""On the search path of every worker: `session_loop`."""


class Simulators(simulators.Simulators):
    """The worker of a source whose script plays sessions."""

    def __init__(self, script: Path, packages: Callable[[], Sequence[Path]], arguments: Callable[[], Any]) -> None:
        super().__init__(script, packages, arguments, ours=[GUEST / "session_loop.py"], folders=[GUEST])
