"""What is due, call by call, as the reference has it: the common ground of explaining an upstream checker.

A ledger's entry speaks of one value at one argument of one call that is due. All of that is read from the reference
and the public definition; neither upstream nor a label is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from verifierbench.core import All, Atom, Case, Node, OneToOne, Task, atoms, evaluate
from verifierbench.families.tool_call import FAMILY


class Place(NamedTuple):
    """One argument of a call that is due."""

    entry: str
    call: int
    argument: str
    schema: Mapping[str, Any]
    required: bool
    right: Mapping[str, Any]
    """The reference's policy."""
    may_omit: bool


class Slot(NamedTuple):
    """A call that is due: its part of the reference, and its arguments by the names of their atoms."""

    tool: str
    node: Node
    places: Mapping[str, Place]


def entry_of(task: str) -> str:
    """`bfcl/parallel_26` → `parallel_26`."""
    return task.partition("/")[2]


def slots(task: Task) -> list[Slot]:
    """What is due, call by call in upstream's order; nothing where no call is."""
    matched = (part for part in _parts(task) if isinstance(part, OneToOne))
    return [_slot(task, number, node) for part in matched for number, node in enumerate(part.slots)]


def besides_calls(task: Task, case: Case) -> bool:
    """Whether the reference holds wherever it does not look at one call alone."""
    view = {"solution": case.content, "runs": {}}
    return all(evaluate(part, view, FAMILY.checks).ok for part in _parts(task) if not isinstance(part, OneToOne))


def matchings(fits: Sequence[Sequence[bool]]) -> Iterator[list[int]]:
    """Every way to give each row a column of its own that fits it."""

    def place(row: int, free: frozenset[int]) -> Iterator[list[int]]:
        if row == len(fits):
            yield []
            return
        for column in sorted(free):
            if fits[row][column]:
                for rest in place(row + 1, free - {column}):
                    yield [column, *rest]

    return place(0, frozenset(range(len(fits))))


def rights(policy: Mapping[str, Any]) -> Iterator[Any]:
    """The values a policy is made of, in the order they are written; none where a schema alone decides."""
    match policy:
        case {"policy": "exact" | "number", "value": value} | {"policy": "wording" | "date", "text": value}:
            yield value
        case {"policy": "list" | "set", "items": items}:
            yield from map(list, product(*map(rights, items)))
        case {"policy": "object", "keys": keys}:
            for parts in product(*map(rights, keys.values())):
                yield dict(zip(keys, parts, strict=True))
        case {"policy": "one_of", "of": some}:
            for part in (*some, *policy.get("undecided", ())):
                yield from rights(part)


def _parts(task: Task) -> tuple[Node, ...]:
    root = task.reference.root
    return root.of if isinstance(root, All) else (root,)


def _slot(task: Task, number: int, node: Node) -> Slot:
    parts = atoms(node)
    tool = next(str(atom.parameters["name"]) for atom in parts if atom.check == "tool")
    parameters = _parameters(task, tool)
    placed = {atom.name: _place(task, number, atom, parameters) for atom in parts if "right" in atom.parameters}
    return Slot(tool, node, placed)


def _place(task: Task, number: int, atom: Atom, parameters: Mapping[str, Any]) -> Place:
    argument = atom.parameters["at"].removeprefix("/arguments/").replace("~1", "/").replace("~0", "~")
    return Place(
        entry=entry_of(task.id),
        call=number,
        argument=argument,
        schema=parameters.get("properties", {}).get(argument, {}),
        required=argument in parameters.get("required", ()),
        right=atom.parameters["right"],
        may_omit=atom.parameters.get("may_omit", False),
    )


def _parameters(task: Task, tool: str) -> Mapping[str, Any]:
    material = task.material("tools")
    found = (each["parameters"] for each in (material.content if material else ()) if each["name"] == tool)
    return next(found, {})
