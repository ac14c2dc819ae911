"""The built-in loop: the least a harness can be, in any dialect, with nothing to install.

What runs in the cell is the package `loop_guest`, written into the agent's home and run by the machine's Python.
"""

from __future__ import annotations

import json
from pathlib import Path

from .base import HOME, Brief, Dialect, Launch
from .efforts import anthropic_thinking, gemini_thinking

_GUEST = Path(__file__).with_name("loop_guest")
_FOLDER = ".loop"


class Loop:
    """Meets `base.Harness`."""

    name = "loop"
    version = "1"
    dialects: tuple[Dialect, ...] = ("responses", "messages", "gemini", "chat")
    program = None

    def launch(self, brief: Brief) -> Launch:
        """The command line and settings of one attempt."""
        settings = {
            "dialect": brief.dialect,
            "url": brief.url,
            "model": brief.model,
            "effort": brief.effort,
            "thinking": anthropic_thinking(brief) if brief.dialect == "messages" else gemini_thinking(brief),
            "output_tokens": brief.output_tokens,
            "prompt": brief.prompt,
        }
        sources = {f"{_FOLDER}/{_GUEST.name}/{file.name}": file.read_text("utf-8") for file in _GUEST.glob("*.py")}
        return Launch(
            argv=("python3", "-P", "-B", "-m", _GUEST.name, f"{HOME}/{_FOLDER}/settings.json"),
            environment={"PYTHONPATH": f"{HOME}/{_FOLDER}", "MODEL_TOKEN": brief.token},
            files={**sources, f"{_FOLDER}/settings.json": json.dumps(settings)},
        )


LOOP = Loop()
