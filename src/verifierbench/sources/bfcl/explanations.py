"""Why upstream's checker disagrees with a label: each entry of the ledger as a change to one comparison.

The reference matches calls to what is due, argument by argument. An entry of the ledger says where upstream compares
wider or narrower than that. So it explains a wrong acceptance exactly where the solution is right once that comparison
is widened, and a wrong rejection exactly where no matching is left once it is narrowed. Upstream is never asked, and
nothing of it need be installed: what it accepts follows from the reference and from the repairs the ledger made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verifierbench.core import Case, Decision, Explanation, Task, Verdict, evaluate
from verifierbench.families.tool_call import FAMILY
from verifierbench.sources.due import Place, Slot, besides_calls, entry_of, matchings, slots

from .lapses import OMITTED, Lapse, lapses


def explain(task: Task, case: Case, decision: Decision) -> Explanation | None:
    """The entry that explains a decision that is not the label; None where the two agree or no entry holds."""
    if decision.verdict is None or decision.verdict is case.label:
        return None
    calls = [call for turn in case.content["turns"] for call in turn["calls"]]
    due = slots(task)
    if len(due) != len(calls) or not besides_calls(task, case):
        return None
    wrongly = _accepted if decision.verdict is Verdict.PASS else _rejected
    return wrongly(due, calls, entry_of(task.id))


def _accepted(due: Sequence[Slot], calls: Sequence[Any], entry: str) -> Explanation | None:
    """One entry alone, or else all of them together, under which the calls are what is due."""
    known = lapses(Verdict.PASS, entry)
    for few in (*((lapse,) for lapse in known), known):
        table = [[_forgiven(slot, call, few) for call in calls] for slot in due]
        if not any(cell for row in table for cell in row):
            continue
        for matching in matchings([[cell is not None for cell in row] for row in table]):
            if excuses := [each for row, column in zip(table, matching, strict=True) for each in row[column] or ()]:
                return Explanation(defect=excuses[0][0], what="; ".join(says for _, says in excuses))
    return None


def _rejected(due: Sequence[Slot], calls: Sequence[Any], entry: str) -> Explanation | None:
    """One entry under which the calls, right as they are, match what is due no longer; or the way they are matched."""
    wider, known = lapses(Verdict.PASS, entry), lapses(Verdict.FAIL, entry)
    right = [[evaluate(slot.node, call, FAMILY.checks).ok for call in calls] for slot in due]
    matching = next(matchings(right), None)
    if matching is None:
        return None
    for lapse in known:
        hurt = [[_hurt(slot, call, lapse) for call in calls] for slot in due]
        left = [[fits and not bad for fits, bad in zip(*rows, strict=True)] for rows in zip(right, hurt, strict=True)]
        if next(matchings(left), None) is None:
            found = [says for row, column in zip(hurt, matching, strict=True) for says in row[column]]
            return Explanation(defect=lapse.defect, what="; ".join(found))
    return _mismatched(due, [[_passes(slot, call, wider, known) for call in calls] for slot in due])


def _mismatched(due: Sequence[Slot], passes: Sequence[Sequence[bool]]) -> Explanation | None:
    """B5: calls that upstream would let pass in another order, given away first come, first served as upstream does."""
    free = list(range(len(due)))
    for number, row in enumerate(passes, 1):
        taken = next((column for column in free if row[column]), None)
        if taken is None:
            return Explanation(defect="B5", what=f"an earlier due call has taken what call {number} would need")
        free.remove(taken)
    return None


def _passes(slot: Slot, call: Any, wider: Sequence[Lapse], narrower: Sequence[Lapse]) -> bool:
    """Whether upstream takes a call for a due one."""
    if any(_hurt(slot, call, lapse) for lapse in narrower):
        return False
    return evaluate(slot.node, call, FAMILY.checks).ok or _forgiven(slot, call, wider) is not None


def _hurt(slot: Slot, call: Any, lapse: Lapse) -> list[str]:
    """What upstream holds against a call by one entry."""
    values = ((place, call["arguments"].get(place.argument, OMITTED)) for place in slot.places.values())
    return [_sentence(place, value, lapse) for place, value in values if lapse.holds(place, value)]


def _forgiven(slot: Slot, call: Any, known: Sequence[Lapse]) -> list[tuple[str, str]] | None:
    """(Entry, sentence) for each thing wrong with a call; None where something is wrong that no entry forgives."""
    excuses, given = [], call["arguments"]
    for atom in evaluate(slot.node, call, FAMILY.checks).failed:
        place = slot.places.get(atom.name)
        if place is None:
            return None
        value = given.get(place.argument, OMITTED)
        lapse = next((each for each in known if each.holds(place, value)), None)
        if lapse is None:
            return None
        excuses.append((lapse.defect, _sentence(place, value, lapse)))
    return excuses


def _sentence(place: Place, value: Any, lapse: Lapse) -> str:
    return f"call {place.call + 1}, {place.argument}: {lapse.says.format(value=repr(value))}"
