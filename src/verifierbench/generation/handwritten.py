"""Verifiers somebody wrote already, handed in like an agent's.

A folder holds `<alias>.py` for one task, or `<family>.py` for every task of a family; the first that exists is handed
in, and a task for which there is none is missing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from verifierbench.core import UserError
from verifierbench.core.files import decode, read_bytes, write_atomically

from .workspace import VERIFIER


class Handwritten:
    """Meets `generation.agents.Agent`."""

    harness = "files"

    def __init__(self, folder: Path) -> None:
        """Take a folder; raises `UserError` where there is none."""
        if not folder.is_dir():
            raise UserError(f"{folder}: no such folder; put <alias>.py or <family>.py files into one and name it")
        self._folder = folder
        self.name = self.model = folder.resolve().name

    def write(self, workspace: Path) -> tuple[dict[str, Any], ...]:
        """Copy the task's verifier, or its family's."""
        task = decode(workspace / "task.json", dict)
        for name in (f"{task['task']}.py", f"{task['family']}.py"):
            if (self._folder / name).is_file():
                write_atomically(workspace / VERIFIER, read_bytes(self._folder / name))
                return ({"event": "copied", "file": name},)
        return ({"event": "none", "wanted": f"{task['task']}.py or {task['family']}.py"},)
