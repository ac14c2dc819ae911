"""Ways to make an atom of this family less strict."""

from __future__ import annotations

from collections.abc import Iterator

from verifierbench.core import Atom, Weakening


def weaken(atom: Atom) -> Iterator[Weakening]:  # noqa: ARG001
    """None yet."""
    return iter(())
