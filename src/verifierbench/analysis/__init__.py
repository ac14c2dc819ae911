"""Why a verifier decided as it did."""

from .explain import BrokenAtom, Explanation, explain

__all__ = ["BrokenAtom", "Explanation", "explain"]
