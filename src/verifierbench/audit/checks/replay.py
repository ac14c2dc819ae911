"""Replay: the reference still decides every case as it was labelled.

The label was written down when the case was made, from the task's requirements, before any checker ran. Where the
two differ one of them is wrong, and no score computed on that case means anything.
"""

from __future__ import annotations

from typing import Any

from verifierbench.core import Case, Finding, Verdict, content_hash

from ..findings import Check, Examined, Flaw
from ..reproduction import script
from ..subject import Subject

_BODY = """
from verifierbench.audit import judge_from


def flawed():
    found = judge_from(DATA["judge"]).decide(DATA["view"])
    print("label:", DATA["label"], " reference:", "PASS" if found.ok else "FAIL", [atom.name for atom in found.failed])
    return found.ok is not (DATA["label"] == "PASS")
"""


def _examine(subject: Subject) -> Examined:
    flaws = tuple(_flaw(subject, case) for case in subject.cases if not _holds(subject.finding(case), case))
    return Examined(check=CHECK.name, task=subject.task.id, passed=len(subject.cases) - len(flaws), flaws=flaws)


def _holds(finding: Finding | None, case: Case) -> bool:
    return finding is not None and finding.ok is (case.label is Verdict.PASS)


def _flaw(subject: Subject, case: Case) -> Flaw:
    finding = subject.finding(case)
    if finding is None:
        says = f"{case.id}: nothing is recorded of what a verifier would see of this case"
        return Flaw(check=CHECK.name, reason="no_evidence", task=case.task, case=case.id, says=says)
    said = Verdict.PASS if finding.ok else Verdict.FAIL
    failed = [atom.name for atom in finding.failed]
    says = f"{case.id}: labelled {case.label}, but the reference decides {said}" + (
        f" (not satisfied: {', '.join(failed)})" if failed else ""
    )
    return Flaw(
        check=CHECK.name,
        reason="reference_disagrees",
        task=case.task,
        case=case.id,
        says=says,
        evidence=_evidence(case, said, failed),
        reproduction=_reproduction(subject, case, says),
    )


def _reproduction(subject: Subject, case: Case, says: str) -> str:
    view = subject.views[case.id]
    return script(says, {"judge": subject.judge.spec(view), "view": view, "label": case.label.value}, _BODY)


def _evidence(case: Case, said: Verdict, failed: list[str]) -> dict[str, Any]:
    return {
        "label": case.label.value,
        "reference": said.value,
        "failed": failed,
        "operator": case.operator,
        "grounds": [{"clause": ground.clause, "note": ground.note} for ground in case.grounds],
        "content_hash": content_hash(case.content),
    }


CHECK = Check(
    name="replay",
    question="Does the reference decide every case as it was labelled?",
    prose="""
Every case carries a label that was written down when the case was made, from what the task asks for and before any
checker ran. Replay lets the reference decide every case again, on exactly what a verifier would see, and compares.

A flaw means that the label or the reference is wrong; the clause named in the case's grounds says which words of the
task decide. If the label follows from those words, mend the reference; if it does not, relabel or drop the case. Never
change a label only because a checker says so.

Replay cannot see a case that both the label and the reference get wrong in the same way. Grounding, agreement with an
independent checker, and readers who judge cases without seeing their labels are there for that.
""",
    reasons={
        "reference_disagrees": "the reference's decision is not the label",
        "no_evidence": "what a verifier would see of the case is not recorded and cannot be executed here",
    },
    examine=_examine,
)
