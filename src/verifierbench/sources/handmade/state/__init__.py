"""Errands at the desk of a tool-lending library: the handmade state tasks and the small world they live in."""

from __future__ import annotations

from collections.abc import Iterator

from verifierbench.core import Candidate, Season

from .environment import environment

__all__ = ["candidates", "environment"]


def candidates(season: Season) -> Iterator[Candidate]:
    """Every errand with its labelled cases."""
    from .tasks import ERRANDS  # the environment is wanted more often than the cases

    return (errand.candidate(season) for errand in ERRANDS)
