"""The view without what carries no information: of JSON nobody described, that is nothing but the order of keys.

Whoever compares canonical views sorts their keys; whether 5 and 5.0 are the same, or the order of a list counts, only
the task knows.
"""

from __future__ import annotations

from typing import Any


def canonical(view: Any) -> Any:
    """The view as it is."""
    return view
