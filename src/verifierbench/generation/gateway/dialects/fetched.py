"""Parts of a request that the provider itself would fetch: a way out of the cell that no tool's name tells of.

A part whose address is no `data:` is told to the model as withheld, wherever it stands in the conversation: in a
message, in a result of a tool, in a document of parts. What the model itself wrote (arguments of calls) is data and is
left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .edits import Body, Edits

WITHHELD = "[A part was withheld: it names an address outside.]"
_DEEPEST = 64
"""Levels of a conversation that are looked at; what lies deeper is no part that a provider knows."""


def withhold(
    edits: Edits,
    roots: Iterable[str],
    addresses: Callable[[Body], Iterable[Any]],
    instead: Body,
    opaque: frozenset[str] = frozenset(),
) -> None:
    """Put `instead` in the place of parts below `roots` of which one of the `addresses` leads outside.

    What stands under a key of `opaque` is not looked at.
    """

    def settled(value: Any, depth: int) -> Any:
        if depth > _DEEPEST and isinstance(value, dict | list):
            return instead
        leads = isinstance(value, dict) and value != instead and any(_outside(one) for one in addresses(value))
        return instead if leads else value

    for root in roots:
        edits.rewrite(settled, root, opaque)


def _outside(address: Any) -> bool:
    return isinstance(address, str) and not address.lstrip().lower().startswith("data:")
