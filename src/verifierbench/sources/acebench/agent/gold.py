"""Upstream's gold against ours: after our calls the state is upstream's end state, but for what the ledger says.

Upstream's milestones are texts, several of them no calls at all, so gold's calls stand in our table. What vouches for
them is upstream's end state: each difference must be an entry of the ledger, and each entry must be a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from verifierbench.core import Inconsistent
from verifierbench.families.guest.diffs import changes

from .curation import Defect
from .data import Entry


def agree(entry: Entry, state: Any, defects: Iterable[Defect]) -> None:
    """Raise `Inconsistent` where a state after gold's calls and upstream's end state differ otherwise than said."""
    known = {pointer for defect in defects if defect.task == entry.id for pointer in defect.at}
    found = set(_differences(entry, state))
    if found != known:
        raise Inconsistent(f"{entry.id}: gold ends elsewhere at {sorted(found)}, and the ledger says {sorted(known)}")


def _differences(entry: Entry, state: Any) -> Iterator[str]:
    """Pointers into upstream's end state; passwords, which no state of ours has, are left out."""
    for part in entry.end:
        for name, attributes in part.items():
            if name not in state:
                yield f"/{name}"
                continue
            ours = {key: state[name].get(key) for key in attributes}
            yield from (change.path for change in changes(_shown(attributes), ours, f"/{name}"))


def _shown(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shown(part) for key, part in value.items() if key != "password"}
    return [_shown(part) for part in value] if isinstance(value, list) else value
