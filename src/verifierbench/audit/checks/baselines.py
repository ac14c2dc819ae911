"""Baselines: a verifier that knows nothing must look bad on every task.

A task on which "accept", "reject" or "is it gold?" goes unpunished measures nothing. Each baseline here is one line of
code that looks at no requirement; each must be wrong on cases that were made to expose it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from verifierbench.core import Case, CaseKind, Verdict, content_bytes

from ..findings import Check, Examined, Flaw
from ..reproduction import script
from ..subject import Subject

LENGTH_LIMIT = 0.9
"""What J (TPR + TNR - 1) the best threshold on a solution's length may not reach."""
ENOUGH = 5
"""Cases of each label below which a threshold fits by chance."""

_BODY = """
def flawed():
    exposing = [case["id"] for case in DATA["cases"] if DATA["baseline"] in case["exposes"]]
    print("cases that expose", DATA["baseline"] + ":", exposing or "none")
    return not exposing
"""
_LENGTH = """
def flawed():
    valid = [length for length, label in DATA["cases"] if label == "PASS"]
    wrong = [length for length, label in DATA["cases"] if label == "FAIL"]

    def j(limit):
        return abs(sum(x <= limit for x in valid) / len(valid) - sum(x <= limit for x in wrong) / len(wrong))

    best = max(valid + wrong, key=j)
    print("solutions of up to", best, "bytes against longer ones: J =", round(j(best), 3))
    return j(best) >= DATA["limit"]
"""


class _Threshold(NamedTuple):
    """The best verifier that looks at a solution's length alone."""

    j: float
    bytes: int
    shorter_passes: bool


_Exposes: TypeAlias = Callable[[Case, Sequence[Any]], bool]
"""Whether a case catches a baseline, given the gold solutions."""

_EXPOSES: dict[str, _Exposes] = {
    "always_accept": lambda case, gold: case.label is Verdict.FAIL and not _left_undone(case, gold),
    "always_reject": lambda case, _: case.label is Verdict.PASS and case.kind is not CaseKind.GOLD,
    "exact_match": lambda case, gold: case.label is Verdict.PASS and case.content not in gold,
}
_NEEDS = {
    "always_accept": "no wrong case beside the task left undone",
    "always_reject": "no valid case beside gold",
    "exact_match": "no valid case that differs from gold as data",
}


_IDLE: dict[str, Callable[[Any], bool]] = {
    "turns": lambda turns: all(turn == {**turn, "calls": []} for turn in turns),
    "events": lambda events: not any("call" in event for event in events),
    "patch": lambda patch: patch.strip() == "",
}
"""A solution's first key, by family → whether what stands there does nothing."""


def _left_undone(case: Case, gold: Sequence[Any]) -> bool:
    """Doing nothing under whatever name; where nothing is what is asked for, only the kind can tell."""
    return case.kind is CaseKind.BASE or (_idle(case.content) and not any(map(_idle, gold)))


def _idle(solution: Any) -> bool:
    try:
        return any(idle(solution[key]) for key, idle in _IDLE.items() if key in solution)
    except (TypeError, AttributeError):
        return False  # a solution of another shape, which happens to use the word


def _examine(subject: Subject) -> Examined:
    best = _best_threshold(subject.cases)
    flaws = [*_unexposed(subject), *_length(subject, best)]
    return Examined(
        check=CHECK.name,
        task=subject.task.id,
        passed=len(_EXPOSES) + (best is not None) - len(flaws),
        flaws=tuple(flaws),
        facts={"length_thresholds": int(best is not None), "length_j": 0.0 if best is None else best.j},
    )


def _unexposed(subject: Subject) -> list[Flaw]:
    gold = [case.content for case in subject.cases if case.kind is CaseKind.GOLD]
    caught = {case.id: [name for name, exposes in _EXPOSES.items() if exposes(case, gold)] for case in subject.cases}
    free = [name for name in _EXPOSES if not any(name in names for names in caught.values())]
    if not gold and "exact_match" not in free:
        free.append("exact_match")
    return [_unpunished(subject, name, caught, known=bool(gold)) for name in free]


def _unpunished(subject: Subject, name: str, caught: dict[str, list[str]], *, known: bool) -> Flaw:
    why = _NEEDS[name] if known or name != "exact_match" else "no gold solution to compare with"
    says = f"{subject.task.id}: the baseline {name} goes unpunished, because there is {why}"
    cases = [{"id": case, "exposes": names if known else []} for case, names in caught.items()]
    counts = {kind.value: sum(case.kind is kind for case in subject.cases) for kind in CaseKind}
    return _flaw(subject, name, says, {"cases": counts}, script(says, {"baseline": name, "cases": cases}, _BODY))


def _length(subject: Subject, best: _Threshold | None) -> list[Flaw]:
    if best is None or best.j < LENGTH_LIMIT:
        return []
    side = "shorter" if best.shorter_passes else "longer"
    says = (
        f"{subject.task.id}: accepting every solution {side} than about {best.bytes} bytes reaches J = {best.j:.2f}; "
        f"length alone must stay below {LENGTH_LIMIT}"
    )
    cases = [[length, label.value] for length, label in _lengths(subject.cases)]
    evidence = {"j": best.j, "bytes": best.bytes, "accepted": side}
    return [_flaw(subject, "length", says, evidence, script(says, {"cases": cases, "limit": LENGTH_LIMIT}, _LENGTH))]


def _best_threshold(cases: Sequence[Case]) -> _Threshold | None:
    """None where there are too few cases of a label."""
    rows = sorted(_lengths(cases))
    valid = sum(label is Verdict.PASS for _, label in rows)
    wrong = len(rows) - valid
    if min(valid, wrong) < ENOUGH:
        return None
    best, passes, fails = _Threshold(0.0, 0, True), 0, 0
    for length, same in groupby(rows, key=lambda row: row[0]):
        labels = [label for _, label in same]
        passes += labels.count(Verdict.PASS)
        fails += labels.count(Verdict.FAIL)
        j = passes / valid - fails / wrong
        best = max(best, _Threshold(abs(j), length, j > 0), key=lambda one: one.j)
    return best


def _lengths(cases: Sequence[Case]) -> list[tuple[int, Verdict]]:
    return [(len(content_bytes(case.content)), case.label) for case in cases]


def _flaw(subject: Subject, name: str, says: str, evidence: dict[str, Any], reproduction: str) -> Flaw:
    return Flaw(
        check=CHECK.name,
        reason=name,
        task=subject.task.id,
        place=name,
        says=says,
        evidence=evidence,
        reproduction=reproduction,
    )


CHECK = Check(
    name="baselines",
    question="Is every verifier that knows nothing of the task exposed by its cases?",
    prose=f"""
Some verifiers look at no requirement at all: accept everything, reject everything, accept what equals gold, accept what
has the right length. Each is one line. If a task's cases do not punish it, a score on this task does not tell an
understanding of the task from that one line.

Accepting everything must be wrong on a case that is more than the task left undone; rejecting everything on a valid
case other than gold; exact match with gold (compared as data: the order of keys is nothing, and 6.0 is 6) on a valid
case that differs from gold. On a task with {ENOUGH} or more cases of each label, no threshold on the length of the
solution's JSON may reach a J (true accept rate plus true reject rate minus 1) of {LENGTH_LIMIT}.

A flaw is mended by a case: a near miss for `always_accept`, a valid alternative for `always_reject` and
`exact_match`, and for `length` valid solutions as long as the wrong ones, or the other way round.

These baselines know nothing. What a verifier can reach that knows the tool's name or the last exit code is measured
by potency, with the ladder.
""",
    reasons={
        "always_accept": "accepting everything is wrong on no case but the task left undone",
        "always_reject": "rejecting everything is wrong on no case but gold",
        "exact_match": "equality with gold as data is never wrong, or there is no gold",
        "length": f"a threshold on the solution's length alone reaches J >= {LENGTH_LIMIT}",
    },
    examine=_examine,
)
