"""Upstream benchmarks turned into tasks: one folder each, one registry.

Third parties add a source by the entry point group `verifierbench.sources`, whose value is an object that meets
`core.Source` and carries `PLUGIN_API`. A source is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
from functools import cache
from importlib.metadata import entry_points
from typing import cast

from verifierbench.core import PLUGIN_API, Environment, Source, SourceChecker, Task, Unavailable, UnknownName

__all__ = ["checker_for", "environment_for", "source", "source_names"]

_BUNDLED = {
    "handmade": "verifierbench.sources.handmade:HANDMADE",
    "bfcl": "verifierbench.sources.bfcl:BFCL",
    "acebench": "verifierbench.sources.acebench:ACEBENCH",
    "tau2": "verifierbench.sources.tau2:TAU2",
    "agentdojo": "verifierbench.sources.agentdojo:AGENTDOJO",
    "appworld": "verifierbench.sources.appworld:APPWORLD",
    "releases": "verifierbench.sources.releases:RELEASES",
    "swebench": "verifierbench.sources.swebench:SWEBENCH",
    "terminal-bench": "verifierbench.sources.terminal_bench:TERMINAL_BENCH",
}
_GROUP = "verifierbench.sources"


def source_names() -> tuple[str, ...]:
    """Every source's name, the bundled ones first."""
    return (*_BUNDLED, *sorted(point.name for point in entry_points(group=_GROUP) if point.name not in _BUNDLED))


@cache
def source(name: str) -> Source:
    """A source by its name; raises `UnknownName`, or `Unavailable` for a plug-in of another API version."""
    if name in _BUNDLED:
        module, _, attribute = _BUNDLED[name].partition(":")
        return cast("Source", getattr(importlib.import_module(module), attribute))
    for point in entry_points(group=_GROUP, name=name):
        return _third_party(name, point.load())
    raise UnknownName("source", name, source_names())


def environment_for(task: Task) -> Environment | None:
    """The public environment of a task, from the source it came from."""
    return source(task.source).environment(task) if task.environment else None


def checker_for(name: str) -> SourceChecker | None:
    """Upstream's own checker of a source, where there is one."""
    return source(name).checker()


def _third_party(name: str, found: object) -> Source:
    api = getattr(found, "PLUGIN_API", None)
    if api != PLUGIN_API:
        raise Unavailable(
            f"source {name!r} speaks plug-in API {api}, this version speaks {PLUGIN_API}: update one of them"
        )
    return cast("Source", found)
