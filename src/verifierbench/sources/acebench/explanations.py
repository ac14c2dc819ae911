"""Why upstream's checker disagrees with a label: what the ledger says it takes, against what the reference holds.

A wrong acceptance is explained where the ledger's description of upstream takes the solution too, and names the entries
it does so by. A wrong rejection is explained where that description turns it down, and names why. Upstream is never
asked, and nothing of it need be installed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifierbench.core import Case, Decision, Explanation, Task, Verdict, atoms, evaluate
from verifierbench.families.tool_call import FAMILY
from verifierbench.sources.due import Place, Slot, matchings, rights, slots

from . import wording
from .comparison import ORDER, PRINTED, REPLY, SHARED, STATED, Entries, listed, taken, taken_call

_PHRASES = {
    "missing_parameters": wording.MISSING,
    "malformed_values": wording.MALFORMED,
    "no_fitting_tool": wording.UNFIT,
}
_SAYS = {
    ORDER: "{value} has the right elements, and upstream asks for its own order",
    PRINTED: "{value} is right, and upstream compares it as it is printed",
    STATED: "{value} is the documented default, and upstream's gold does not list the argument",
}


def explain(task: Task, case: Case, decision: Decision) -> Explanation | None:
    """The entry that explains a decision that is not the label; None where the two agree or no entry holds."""
    if decision.verdict is None or decision.verdict is case.label:
        return None
    due = slots(task)
    calls = [call for turn in case.content["turns"] for call in turn["calls"]]
    if decision.verdict is Verdict.PASS:
        return _accepted(due, calls) if due else _said(task, case)
    return _rejected(due, calls) if due else None


def _accepted(due: Sequence[Slot], calls: Sequence[Any]) -> Explanation | None:
    if Counter(slot.tool for slot in due) != Counter(call["name"] for call in calls):
        return None
    table = [[taken_call(slot, call) for call in calls] for slot in due]
    if not all(any(cell is not None for cell in row) for row in table):
        return None
    found = _own(table) or frozenset.union(*(_least(row) for row in table), {SHARED})
    if not found:
        return None
    entry = min(found)
    return Explanation(defect=entry, what=f"upstream takes each call that is due, by {', '.join(sorted(found))}")


def _own(table: Sequence[Sequence[Entries | None]]) -> Entries | None:
    """The entries by which every due call has a call of its own, where that can be."""
    fits = [[cell is not None for cell in row] for row in table]
    for matching in matchings(fits):
        return frozenset.union(*(row[column] or frozenset() for row, column in zip(table, matching, strict=True)))
    return None


def _least(row: Sequence[Entries | None]) -> Entries:
    return min((cell for cell in row if cell is not None), key=len)


def _rejected(due: Sequence[Slot], calls: Sequence[Any]) -> Explanation | None:
    right = [[evaluate(slot.node, call, FAMILY.checks).ok for call in calls] for slot in due]
    matching = next(matchings(right), None)
    if matching is None:
        return None
    for slot, column in zip(due, matching, strict=True):
        if all(taken_call(slot, call) is None for call in calls):
            for place, value, entry in _hurt(slot, calls[column]["arguments"]):
                text = _SAYS[entry].format(value=repr(value))
                return Explanation(defect=entry, what=f"call {place.call + 1}, {place.argument}: {text}")
    return None


def _hurt(slot: Slot, given: Mapping[str, Any]) -> Iterator[tuple[Place, Any, str]]:
    """What upstream holds against a right call, argument by argument."""
    for place in slot.places.values():
        if place.argument not in given:
            continue
        value = given[place.argument]
        if not listed(place):
            yield place, value, STATED
        elif taken(place, value) is None:
            moved = any(_loose(value) == _loose(gold) and value != gold for gold in rights(place.right))
            yield place, value, ORDER if moved and _lists(value) else PRINTED


def _lists(value: Any) -> bool:
    """Whether a value is a list of more than one element."""
    return isinstance(value, list) and len(value) > 1


def _loose(value: Any) -> Any:
    return sorted(map(repr, value)) if isinstance(value, list) else value


def _said(task: Task, case: Case) -> Explanation | None:
    """Upstream looks for some words in all that was said, and at nothing else."""
    right = {atom.name: atom.parameters["right"] for atom in atoms(task.reference.root) if "right" in atom.parameters}
    verdict = right["answer.verdict"]["value"]
    words = [_PHRASES[verdict], *_names(verdict, right)]
    text = wording.said(case.content)
    if not all(word in text for word in words):
        return None
    view = {"solution": case.content, "runs": {}}
    failed = [atom.clause for atom in evaluate(task.reference.root, view, FAMILY.checks).failed]
    return Explanation(defect=REPLY, what=f"the words are there, and {', '.join(failed)} is not looked at")


def _names(verdict: str, right: Mapping[str, Any]) -> Iterator[str]:
    if verdict == "missing_parameters":
        yield right["answer.tool"]["value"]
        yield from (item["value"] for item in right["answer.parameters"]["items"])
    if verdict == "malformed_values":
        yield from (part["value"] for part in right["answer.values"]["keys"].values())
