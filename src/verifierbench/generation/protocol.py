"""The protocol record, where the rooms of this folder look for it."""

from verifierbench.core import Effort, Protocol

__all__ = ["Effort", "Protocol"]
