"""What the tasks of one kind share: solution schema, conventions, check library, operators.

The three families never import one another; `family` is how the rest of the house reaches one by its name.
"""

from __future__ import annotations

import importlib
from typing import cast

from verifierbench.core import Family, FamilyDefinition

from .view import decide, view

__all__ = ["decide", "family", "view"]


def family(name: Family) -> FamilyDefinition:
    """The definition of a family; its folder is imported on first use."""
    return cast("FamilyDefinition", importlib.import_module(f"{__name__}.{name.value}").FAMILY)
