"""A reference verifier is data: a tree of named atoms over a *view*.

The view is exactly what a verifier may see: `{"solution": …, "runs": {probe: what env.run returned}}`. An atom has a
name, the clause it enforces and a check from its family's library; `all`, `any` and `one_to_one` (matching with
backtracking) combine them. Because the tree is data, mutation can drop or weaken one atom, a decision explains
itself by the atoms that failed, and two references compare by their specs. Evaluation is total: a check that
finds nothing where it looks is not satisfied; any other exception is a bug of ours and escapes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import msgspec

from .errors import Inconsistent
from .hashing import canonical_hash

Check: TypeAlias = Callable[[Any, Mapping[str, Any]], bool]
"""`check(view, parameters) -> satisfied`; pure, and raises `Absent` when the view lacks what it looks at."""


_INDEX = re.compile(r"0|[1-9][0-9]{0,17}")
"""RFC 6901 writes an index without leading zeros, in ASCII digits; no list has more than 10^18 elements."""


class Absent(LookupError):
    """The view has nothing at the place a check looked at."""


class Atom(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="atom"):
    """One named check, enforcing one clause."""

    name: str
    clause: str
    check: str
    parameters: dict[str, Any] = {}


class All(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="all"):
    """Satisfied when every part is."""

    of: tuple[Node, ...]


class AnyOf(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="any"):
    """Satisfied when some part is."""

    of: tuple[Node, ...]


class OneToOne(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="one_to_one"):
    """Every slot is satisfied by an item of its own.

    `over` is a JSON pointer to a list in the view; each slot sees one item as its whole view. Items left over are
    not this node's business: an atom beside it bounds their number.
    """

    over: str
    slots: tuple[Node, ...]


Node: TypeAlias = Atom | All | AnyOf | OneToOne


class Weakening(msgspec.Struct, frozen=True, kw_only=True):
    """One way to make an atom less strict: what a mutation puts in its place."""

    operator: str
    """`drop`, `loosen`, or what it loosens: `per_argument`, `per_path`, `per_test`, …"""
    part: str
    """Which part of the atom, where there are several; empty for the whole."""
    node: Node


class Reference(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tree, and the executions of the public environment whose results it looks at."""

    root: Node
    probes: dict[str, dict[str, Any]] = {}
    """Name → what is added to the solution to make a request of `env.run`."""
    library: str = ""
    """Version of the family's check library the tree was written for."""

    @property
    def hash(self) -> str:
        """Identity of the spec and of the check library it uses."""
        return canonical_hash(msgspec.to_builtins(self))


class Finding(msgspec.Struct, frozen=True):
    """Whether a node is satisfied, and the atoms that were not."""

    ok: bool
    failed: tuple[Atom, ...] = ()


def evaluate(node: Node, view: Any, checks: Mapping[str, Check]) -> Finding:
    """Decide a tree on a view; raises `Inconsistent` for an atom whose check the library lacks."""
    if isinstance(node, Atom):
        return _atom(node, view, checks)
    if isinstance(node, OneToOne):
        return _one_to_one(node, view, checks)
    parts = [evaluate(part, view, checks) for part in node.of]
    if isinstance(node, All):
        return Finding(all(p.ok for p in parts), _union(parts))
    ok = any(p.ok for p in parts)
    return Finding(ok, () if ok else _union(parts))


def atoms(node: Node) -> tuple[Atom, ...]:
    """Every atom of a tree, in the order it is written."""
    if isinstance(node, Atom):
        return (node,)
    parts = node.slots if isinstance(node, OneToOne) else node.of
    return tuple(atom for part in parts for atom in atoms(part))


def substitute(node: Node, name: str, by: Node) -> Node:
    """The tree with the atom of that name replaced; the tree itself where it has none."""
    if isinstance(node, Atom):
        return by if node.name == name else node
    if isinstance(node, OneToOne):
        return msgspec.structs.replace(node, slots=tuple(substitute(slot, name, by) for slot in node.slots))
    return msgspec.structs.replace(node, of=tuple(substitute(part, name, by) for part in node.of))


def at(view: Any, pointer: str) -> Any:
    """The value a JSON pointer (RFC 6901) names; raises `Absent` where there is none."""
    head, *tokens = pointer.split("/")
    if head:
        raise Absent(pointer)
    for token in tokens:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(view, dict) and key in view:
            view = view[key]
        elif isinstance(view, list) and _INDEX.fullmatch(key) and int(key) < len(view):
            view = view[int(key)]
        else:
            raise Absent(pointer)
    return view


def _atom(atom: Atom, view: Any, checks: Mapping[str, Check]) -> Finding:
    check = checks.get(atom.check)
    if check is None:
        raise Inconsistent(f"atom {atom.name!r} names the check {atom.check!r}, which its library lacks")
    try:
        ok = check(view, atom.parameters)
    except Absent:
        ok = False
    return Finding(ok, () if ok else (atom,))


def _one_to_one(node: OneToOne, view: Any, checks: Mapping[str, Check]) -> Finding:
    try:
        items = at(view, node.over)
    except Absent:
        items = []
    if not isinstance(items, list):
        items = []
    table = [[evaluate(slot, item, checks) for item in items] for slot in node.slots]
    matched = _match([[finding.ok for finding in row] for row in table])
    missing = [slot for slot in range(len(node.slots)) if slot not in matched]
    failed = [_closest(table[slot], node.slots[slot], set(matched.values())) for slot in missing]
    return Finding(not missing, _union(failed))


def _match(fits: list[list[bool]]) -> dict[int, int]:
    """Maximum bipartite matching by augmenting paths (Kuhn): slot → item."""
    owner: dict[int, int] = {}

    def place(slot: int, seen: set[int]) -> bool:
        for item, fit in enumerate(fits[slot]):
            if fit and item not in seen:
                seen.add(item)
                if item not in owner or place(owner[item], seen):
                    owner[item] = slot
                    return True
        return False

    for slot in range(len(fits)):
        place(slot, set())
    return {slot: item for item, slot in owner.items()}


def _closest(row: list[Finding], slot: Node, taken: set[int]) -> Finding:
    """What an unmatched slot lacks: against the free item that comes nearest, or all of it."""
    free = [finding for item, finding in enumerate(row) if item not in taken and not finding.ok]
    return min(free, key=lambda finding: len(finding.failed)) if free else Finding(False, atoms(slot))


def _union(findings: Iterable[Finding]) -> tuple[Atom, ...]:
    return tuple({atom.name: atom for finding in findings for atom in finding.failed}.values())
