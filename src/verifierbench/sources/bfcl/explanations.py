"""Why upstream's checker disagrees with a label: each entry of the ledger as a change to one comparison.

The reference matches calls to what is due, argument by argument. An entry of the ledger says where upstream compares
wider or narrower than that. So it explains a wrong acceptance exactly where the solution is right once that comparison
is widened, and a wrong rejection exactly where no matching is left once it is narrowed. Upstream is never asked, and
nothing of it need be installed: what it accepts follows from the reference and from the repairs the ledger made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from verifierbench.core import (
    All,
    Atom,
    Case,
    Decision,
    Explanation,
    Node,
    OneToOne,
    Task,
    Verdict,
    atoms,
    evaluate,
)
from verifierbench.families.tool_call import FAMILY

from .lapses import Lapse, Place, lapses
from .tasks import entry_id


class Slot(NamedTuple):
    """A call that is due: its part of the reference, and its arguments by the names of their atoms."""

    tool: str
    node: Node
    places: Mapping[str, Place]


def explain(task: Task, case: Case, decision: Decision) -> Explanation | None:
    """The entry that explains a decision that is not the label; None where the two agree or no entry holds."""
    if decision.verdict is None or decision.verdict is case.label:
        return None
    calls = [call for turn in case.content["turns"] for call in turn["calls"]]
    due = slots(task)
    if len(due) != len(calls) or not _all_but_arguments(task, case):
        return None
    wrongly = _accepted if decision.verdict is Verdict.PASS else _rejected
    return wrongly(due, calls, lapses(decision.verdict, entry_id(task.id)))


def _all_but_arguments(task: Task, case: Case) -> bool:
    """Whether the reference holds wherever it does not look at one call alone: no entry speaks of anything else."""
    view = {"solution": case.content, "runs": {}}
    return all(evaluate(part, view, FAMILY.checks).ok for part in _parts(task) if not isinstance(part, OneToOne))


def _parts(task: Task) -> tuple[Node, ...]:
    root = task.reference.root
    return root.of if isinstance(root, All) else (root,)


def slots(task: Task) -> list[Slot]:
    """What is due, call by call in upstream's order; nothing where no call is."""
    matched = (part for part in _parts(task) if isinstance(part, OneToOne))
    return [_slot(task, number, node) for part in matched for number, node in enumerate(part.slots)]


def _accepted(due: Sequence[Slot], calls: Sequence[Any], known: Sequence[Lapse]) -> Explanation | None:
    """One entry alone, or else all of them together, under which the calls are what is due."""
    for few in (*((lapse,) for lapse in known), known):
        table = [[_forgiven(slot, call, few) for call in calls] for slot in due]
        if not any(cell for row in table for cell in row):
            continue
        for matching in _matchings([[cell is not None for cell in row] for row in table]):
            if excuses := [each for row, column in zip(table, matching, strict=True) for each in row[column] or ()]:
                return Explanation(defect=excuses[0][0], what="; ".join(says for _, says in excuses))
    return None


def _rejected(due: Sequence[Slot], calls: Sequence[Any], known: Sequence[Lapse]) -> Explanation | None:
    """One entry under which the calls, right as they are, match what is due no longer."""
    right = [[evaluate(slot.node, call, FAMILY.checks).ok for call in calls] for slot in due]
    matching = next(_matchings(right), None)
    if matching is None:
        return None
    for lapse in known:
        hurt = [[_hurt(slot, call, lapse) for call in calls] for slot in due]
        left = [[fits and not bad for fits, bad in zip(*rows, strict=True)] for rows in zip(right, hurt, strict=True)]
        if next(_matchings(left), None) is None:
            found = [says for row, column in zip(hurt, matching, strict=True) for says in row[column]]
            return Explanation(defect=lapse.defect, what="; ".join(found))
    return None


def _hurt(slot: Slot, call: Any, lapse: Lapse) -> list[str]:
    """What upstream holds against a call by one entry."""
    given = call["arguments"]
    return [
        _sentence(place, given[place.argument], lapse)
        for place in slot.places.values()
        if place.argument in given and lapse.holds(place, given[place.argument])
    ]


def _forgiven(slot: Slot, call: Any, known: Sequence[Lapse]) -> list[tuple[str, str]] | None:
    """(Entry, sentence) for each thing wrong with a call; None where something is wrong that no entry forgives."""
    excuses, given = [], call["arguments"]
    for atom in evaluate(slot.node, call, FAMILY.checks).failed:
        place = slot.places.get(atom.name)
        if place is None or place.argument not in given:
            return None
        lapse = next((each for each in known if each.holds(place, given[place.argument])), None)
        if lapse is None:
            return None
        excuses.append((lapse.defect, _sentence(place, given[place.argument], lapse)))
    return excuses


def _sentence(place: Place, value: Any, lapse: Lapse) -> str:
    return f"call {place.call + 1}, {place.argument}: {lapse.says.format(value=repr(value))}"


def _matchings(fits: Sequence[Sequence[bool]]) -> Iterator[list[int]]:
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


def _slot(task: Task, number: int, node: Node) -> Slot:
    parts = atoms(node)
    tool = next(str(atom.parameters["name"]) for atom in parts if atom.check == "tool")
    parameters = _parameters(task, tool)
    placed = {atom.name: _place(task, number, atom, parameters) for atom in parts if "right" in atom.parameters}
    return Slot(tool, node, placed)


def _place(task: Task, number: int, atom: Atom, parameters: Mapping[str, Any]) -> Place:
    argument = atom.parameters["at"].removeprefix("/arguments/").replace("~1", "/").replace("~0", "~")
    return Place(
        entry=entry_id(task.id),
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
