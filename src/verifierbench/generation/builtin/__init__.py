"""The agents that need no model."""

from .constant import Constant
from .heuristic import HEURISTIC_VERSION, Heuristic

__all__ = ["HEURISTIC_VERSION", "Constant", "Heuristic"]
