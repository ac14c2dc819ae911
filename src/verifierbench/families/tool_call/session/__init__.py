"""Executable tool-call tasks: several user turns, tools that act, judged by what `env.run` shows after each turn.

A source describes a task with `Spec`, gives an `execute` that plays sessions in its simulators, and hands both to
`build`. Nothing here knows a source or a domain: what depends on one (calls that only look, calls that intrude) is data
of the spec.
"""

from __future__ import annotations

from .checks import CHECKS
from .protocol import PROBES, request
from .weaken import weaken

__all__ = ["CHECKS", "PROBES", "request", "weaken"]
