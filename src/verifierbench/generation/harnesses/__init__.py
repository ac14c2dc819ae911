"""Programs that drive a model, each described in one module, and where to find them by name.

Third parties add one by the entry point group `verifierbench.harnesses`, whose value is an object that meets
`base.Harness` and carries `PLUGIN_API`. A harness is imported when it is first asked for.

mini-swe-agent is left out on purpose: it would bring 84 Python packages (728 MB), and what it is, a loop around one
tool that runs commands, is what `loop` is without any.
"""

from __future__ import annotations

import importlib
from functools import cache
from importlib.metadata import entry_points
from typing import cast

from verifierbench.core import PLUGIN_API, Unavailable, UnknownName

from .base import HOME, PROGRAM, WORKSPACE, Brief, Dialect, Harness, Launch

__all__ = ["HOME", "PROGRAM", "WORKSPACE", "Brief", "Dialect", "Harness", "Launch", "harness", "harness_names"]

_BUNDLED = {
    "pi": "verifierbench.generation.harnesses.pi:PI",
    "claude-code": "verifierbench.generation.harnesses.claude_code:CLAUDE_CODE",
    "codex": "verifierbench.generation.harnesses.codex:CODEX",
    "gemini-cli": "verifierbench.generation.harnesses.gemini_cli:GEMINI_CLI",
    "opencode": "verifierbench.generation.harnesses.opencode:OPENCODE",
    "loop": "verifierbench.generation.harnesses.loop:LOOP",
}
_GROUP = "verifierbench.harnesses"


def harness_names() -> tuple[str, ...]:
    """Every harness's name, the bundled ones first."""
    return (*_BUNDLED, *sorted(point.name for point in entry_points(group=_GROUP) if point.name not in _BUNDLED))


@cache
def harness(name: str) -> Harness:
    """A harness by its name; raises `UnknownName`, or `Unavailable` for a plug-in of another API version."""
    if name in _BUNDLED:
        module, _, attribute = _BUNDLED[name].partition(":")
        return cast("Harness", getattr(importlib.import_module(module), attribute))
    for point in entry_points(group=_GROUP, name=name):
        return _third_party(name, point.load())
    raise UnknownName("harness", name, harness_names())


def _third_party(name: str, found: object) -> Harness:
    api = getattr(found, "PLUGIN_API", None)
    if api != PLUGIN_API:
        raise Unavailable(
            f"harness {name!r} speaks plug-in API {api}, this version speaks {PLUGIN_API}: update one of them"
        )
    return cast("Harness", found)
