"""Runs untrusted code: verifiers (forked from a zygote) and environment commands (over an overlay).

Knows nothing of tasks, labels or suites. Importing this package imports nothing: guests do it in an interpreter
that has the standard library alone, so names are resolved on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .box import Execution, VerifierBox
    from .capabilities import Probe, probe
    from .commands import CommandLimits, CommandOutcome, CommandResult, CommandSandbox, materialise
    from .selftest import self_test
    from .tier import Tier
    from .tiers import choose_tier
    from .worker import GuardedWorker

_HOME = {
    "CommandLimits": "commands",
    "CommandOutcome": "commands",
    "CommandResult": "commands",
    "CommandSandbox": "commands",
    "Execution": "box",
    "VerifierBox": "box",
    "GuardedWorker": "worker",
    "Probe": "capabilities",
    "materialise": "commands",
    "probe": "capabilities",
    "self_test": "selftest",
    "Tier": "tier",
    "choose_tier": "tiers",
}

__all__ = [
    "CommandLimits",
    "CommandOutcome",
    "CommandResult",
    "CommandSandbox",
    "Execution",
    "GuardedWorker",
    "Probe",
    "Tier",
    "VerifierBox",
    "choose_tier",
    "materialise",
    "probe",
    "self_test",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)
