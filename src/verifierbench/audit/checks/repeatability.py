"""Repeatability: whoever looks at a case again sees the same and decides the same.

A label can rest only on what every verifier would be told. What an environment says once and not again, or a
reference that decides by the order of a set, would make a score a matter of luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from verifierbench.core import Case, canonical_hash

from ..findings import Check, Examined, Flaw
from ..reproduction import script
from ..subject import Fresh, Subject

ENOUGH = 3
"""Observations of a case: the recorded one, made when the suite was built, and two or more fresh ones."""

_DIFFER = """
def flawed():
    for number, seen in enumerate(DATA["observations"]):
        print(f"observation {number}: {seen}")
    return len({seen[DATA["of"]] for seen in DATA["observations"]}) > 1
"""
_FEW = """
def flawed():
    for case, number in DATA["observations"].items():
        print(case, "was seen", number, "times")
    return any(number < DATA["enough"] for number in DATA["observations"].values())
"""


def _examine(subject: Subject) -> Examined:
    cases = [case for case in subject.cases if subject.again is None or case.id in subject.again]
    seen = {case.id: _observations(subject, case) for case in cases}
    flaws = [flaw for case in cases for flaw in _differences(case, seen[case.id])]
    few = {case: len(observed) for case, observed in seen.items() if len(observed) < ENOUGH}
    wrong = {flaw.case for flaw in flaws} | set(few)
    if few:
        flaws.append(_few(subject, few))
    return Examined(
        check=CHECK.name,
        task=subject.task.id,
        passed=len(seen) - len(wrong),
        flaws=tuple(flaws),
        facts={"observations": sum(map(len, seen.values()))},
    )


def _observations(subject: Subject, case: Case) -> tuple[Fresh, ...]:
    """The recorded evidence first, if there is some, then the fresh runs."""
    finding = subject.finding(case)
    recorded = () if finding is None else (Fresh(view=canonical_hash(subject.views[case.id]), ok=finding.ok),)
    return (*recorded, *subject.runs.get(case.id, ()))


def _differences(case: Case, observed: Sequence[Fresh]) -> list[Flaw]:
    found = []
    if len({seen.view for seen in observed}) > 1:
        found.append(_differs(case, observed, "view_differs", "view", "what a verifier sees of it is not the same"))
    if len({seen.ok for seen in observed}) > 1:
        found.append(_differs(case, observed, "decision_differs", "ok", "the reference does not decide it the same"))
    return found


def _differs(case: Case, observed: Sequence[Fresh], reason: str, of: str, what: str) -> Flaw:
    values = [getattr(seen, of) for seen in observed]
    shown = ", ".join(value[:12] if isinstance(value, str) else "PASS" if value else "FAIL" for value in values)
    says = f"{case.id}: {what} each time; {len(observed)} observations from a reset state: {shown}"
    evidence: dict[str, Any] = {"observations": [msgspec.to_builtins(seen) for seen in observed]}
    return Flaw(
        check=CHECK.name,
        reason=reason,
        task=case.task,
        case=case.id,
        says=says,
        evidence=evidence,
        reproduction=script(says, {**evidence, "of": of}, _DIFFER),
    )


def _few(subject: Subject, few: dict[str, int]) -> Flaw:
    """One flaw for all of a task's cases: what makes runs few is seldom about a case."""
    first = next(iter(few))
    others = f" (and {len(few) - 1} more cases)" if len(few) > 1 else ""
    says = f"{first}{others}: seen {few[first]} times, which shows nothing; {ENOUGH} observations are the least"
    return Flaw(
        check=CHECK.name,
        reason="few_runs",
        task=subject.task.id,
        case=first if len(few) == 1 else "",
        says=says,
        evidence={"observations": few},
        reproduction=script(says, {"observations": few, "enough": ENOUGH}, _FEW),
    )


CHECK = Check(
    name="repeatability",
    question="Does every case look the same, and get the same decision, each time it is run?",
    prose="""
A case is seen at least three times: once when the suite was built, as its recorded evidence tells, and twice or more
now, each time in a process of its own, with the environment opened anew, without the recorded evidence, in another
order of tasks and cases and with another seed of Python's hashing. What a verifier would see (the solution and all
that the environment answers) is compared as a whole, and so is what the reference decides on it.

`view_differs` means that the environment answers the same request in two ways: by a clock, an address, an order, or
something an earlier request left behind. Verifiers would be told different things about one solution, and a verifier
that relies on it is right or wrong by luck. Mend the environment, or exclude the task. `decision_differs` means that
the reference itself decides in two ways; where the views agree, the fault is in its checks alone.

Of a suite with more than 800 cases of code tasks, which take seconds each, not all are seen again: gold and what is
left unrepaired always, and of each other kind one case in every task.

`few_runs` means that nobody looked often enough to know. Runs that the clock stopped or that our own machinery spoilt
are made again and never count as a difference.

Repeatability cannot see what differs between machines or on another day: the environment's version is what ties an
observation to a machine, and provenance compares that.
""",
    reasons={
        "view_differs": "what a verifier sees of the case is not the same in every run from a reset state",
        "decision_differs": "the reference does not decide the case the same in every run",
        "few_runs": f"some of the task's cases were observed fewer than {ENOUGH} times",
    },
    examine=_examine,
)
