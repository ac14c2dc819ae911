"""Agents whose verifier always says the same: what every table must show at 0."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from verifierbench.core.files import write_atomically
from verifierbench.generation.workspace import VERIFIER

_SOURCE = '''\
"""Always the same verdict."""


def verify(solution, env):
    return "{verdict}"
'''


class Constant:
    """Meets `generation.agents.Agent`."""

    harness = "builtin"

    def __init__(self, name: str, verdict: Literal["PASS", "FAIL"]) -> None:
        self.name = self.model = name
        self._verdict = verdict

    def write(self, workspace: Path) -> tuple[dict[str, Any], ...]:
        """Write the constant verifier."""
        write_atomically(workspace / VERIFIER, _SOURCE.format(verdict=self._verdict).encode())
        return ({"event": "wrote", "file": VERIFIER, "verdict": self._verdict},)
