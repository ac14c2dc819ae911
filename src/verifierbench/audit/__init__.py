"""V4V: is the suite itself right? Here, so far, the ladder: plain verifiers that show whether cases bite."""

from .ladder import Rung, Side, ladder

__all__ = ["Rung", "Side", "ladder"]
