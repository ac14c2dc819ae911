"""Why upstream's multi-turn checker disagrees with a label: its entries of the ledger as predicates.

Upstream compares, turn by turn, the state and the texts of what calls returned, where gold calls something. So it takes
what only the calls, the tool list or the user's ear could tell, and rejects what brings the same about by other calls.
Each predicate looks at the solution, at what the reference asks for, and at what upstream said; none at the label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verifierbench.core import Atom, Case, Decision, Explanation, Task, Verdict, atoms
from verifierbench.families.tool_call.checks import accepts
from verifierbench.families.tool_call.session.checks import selects

_RESULTS, _STATE = "execution_response_mismatch", "instance_state_mismatch"


def explain(task: Task, case: Case, decision: Decision) -> Explanation | None:
    """The entry that explains a decision that is not the label; None where the two agree or no entry holds."""
    if decision.verdict is None or decision.verdict is case.label:
        return None
    named = {ground.clause for ground in case.grounds}
    if decision.verdict is Verdict.PASS:
        return _accepted(task, case.content["turns"], [atom for atom in _asked(task) if atom.clause in named])
    return _rejected(task, case.content["turns"], decision.detail)


def _accepted(task: Task, turns: Any, broken: list[Atom]) -> Explanation | None:
    """What upstream does not look at, if that is all a case is about."""
    waiting = {atom.parameters["turn"] for atom in _asked(task) if atom.check == "replied"}
    found = [_overlooked(atom, turns, waiting) for atom in broken]
    if not found or None in found:
        return None
    (defect, what), *_ = [each for each in found if each]
    return Explanation(defect=defect, what=what)


def _overlooked(atom: Atom, turns: Any, waiting: set[int]) -> tuple[str, str] | None:
    """The entry under which a broken requirement goes unseen."""
    number = atom.parameters.get("turn", 0)
    if atom.check == "available":
        return _not_there(atom.parameters["tools"], turns, waiting)
    if atom.check in ("replied", "turn_frame") and number in waiting:
        return "B12", f"turn {number + 1} has to wait, and is not checked"
    names = {way["name"] for way in atom.parameters["ways"]} if atom.check == "looked_up" else set()
    if called := [call["name"] for call in turns[number]["calls"] if call["name"] in names]:
        return "B11", f"turn {number + 1}: only what {called[0]} returned is compared, not what it was asked"
    return None


def _not_there(tools: Mapping[str, int], turns: Any, waiting: set[int]) -> tuple[str, str] | None:
    """A call of a tool that does not exist, or of one that comes later, made where nothing is checked."""
    early = [
        (number, call["name"])
        for number, turn in enumerate(turns)
        for call in turn["calls"]
        if tools.get(call["name"], number + 1) > number
    ]
    for number, name in early:
        if name not in tools:
            return "B11", f"turn {number + 1}: {name} does not exist, and its error is one result more"
        if number in waiting:
            return "B12", f"turn {number + 1} has to wait and is not checked, whatever {name} does in it"
    return None


def _rejected(task: Task, turns: Any, said: str) -> Explanation | None:
    if said.startswith(_RESULTS):
        return _integral(task, turns) or _other_way(task, turns, said)
    return _reordered(task, turns) if said.startswith(_STATE) else None


def _integral(task: Task, turns: Any) -> Explanation | None:
    """An integer written 5.0: results are compared as text."""
    for number, call, name, value in _arguments(turns):
        integer = _parameters(task, call).get(name, {}).get("type") == "integer"
        if integer and isinstance(value, float) and value.is_integer():
            what = f"turn {number + 1}, {name} of {call}: {value} is the integer {int(value)}"
            return Explanation(defect="B6", what=what)
    return None


def _other_way(task: Task, turns: Any, said: str) -> Explanation | None:
    """Everything that has to be looked up is, in its turn; what upstream misses is then a step of gold's own way."""
    lookups = [atom for atom in _asked(task) if atom.check == "looked_up"]
    if not all(_called(atom, turns) for atom in lookups):
        return None
    missed = said.partition(": ")[2][:120]
    return Explanation(defect="D25", what=f"nothing asks for the result that upstream misses: {missed}")


def _called(atom: Atom, turns: Any) -> bool:
    """Whether a turn makes a call that one of the ways selects."""
    calls = turns[atom.parameters["turn"]]["calls"]
    return any(selects(way, call["name"], call["arguments"]) for way in atom.parameters["ways"] for call in calls)


def _reordered(task: Task, turns: Any) -> Explanation | None:
    """A list of texts in another order than gold's."""
    for atom in _asked(task):
        right = atom.parameters.get("right", {})
        if right.get("policy") != "set":
            continue
        golds = [item["value"] for item in right["items"]]
        for number, call, name, value in _arguments(turns):
            if number == atom.parameters["turn"] and value != golds and accepts(right, value):
                what = f"turn {number + 1}, {name} of {call}: {value!r} is meant as a set"
                return Explanation(defect="B4", what=what)
    return None


def _asked(task: Task) -> tuple[Atom, ...]:
    return atoms(task.reference.root)


def _arguments(turns: Any) -> Iterator[tuple[int, str, str, Any]]:
    for number, turn in enumerate(turns):
        for call in turn["calls"]:
            yield from ((number, call["name"], name, value) for name, value in call["arguments"].items())


def _parameters(task: Task, tool: str) -> Mapping[str, Any]:
    material = task.material("tools")
    tools = material.content if material else ()
    return next((each["parameters"].get("properties", {}) for each in tools if each["name"] == tool), {})
