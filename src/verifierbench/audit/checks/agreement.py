"""Agreement: what upstream's own checker decides, and why wherever that is not the label.

The checker is measured and never trusted. But two judges that differ are a question, and a suite must have an answer
to each: an entry of the source's ledger of defects that is true of this very case.
"""

from __future__ import annotations

from typing import Any

import msgspec

from verifierbench.core import Case, Decision, Explanation, SourceRecord, Verdict

from ..findings import Check, Examined, Flaw
from ..reproduction import script
from ..subject import Subject

_EXPLAIN = """
import msgspec

from verifierbench.core import Case, Decision, Task
from verifierbench.sources import source


def flawed():
    task, case = msgspec.convert(DATA["task"], Task), msgspec.convert(DATA["case"], Case)
    decision = msgspec.convert(DATA["decision"], Decision)
    print("label:", case.label.value, " checker:", decision.verdict or f"none ({decision.reason}: {decision.detail})")
    if decision.verdict is case.label:
        return False
    why = source(task.source).explain(task, case, decision)
    print("ledger:", why)
    return why is None
"""
_RECORDED = """
def flawed():
    found = [record for record in DATA["records"] if record == DATA["wanted"]]
    print("records of", DATA["wanted"], "among", len(DATA["records"]), ":", len(found))
    return not found
"""


def _examine(subject: Subject) -> Examined:
    said = {(record.case, record.case_hash): record for record in subject.source_records}
    judged = [(case, said.get((case.id, case.content_hash))) for case in subject.cases]
    judged = judged if said or subject.measured else []
    wrong = [(case, record) for case, record in judged if record is None or record.decision.verdict is not case.label]
    why = {case.id: _explanation(subject, case, record) for case, record in wrong}
    flaws = tuple(_flaw(subject, case, record) for case, record in wrong if why[case.id] is None)
    explained = len(wrong) - len(flaws)
    return Examined(
        check=CHECK.name,
        task=subject.task.id,
        passed=len(judged) - len(flaws),
        flaws=flaws,
        facts={"cases": len(judged), "agree": len(judged) - len(wrong), "explained": explained, **_rates(judged)},
    )


def _explanation(subject: Subject, case: Case, record: SourceRecord | None) -> Explanation | None:
    return None if record is None else subject.explain(case, record.decision)


def _rates(judged: list[tuple[Case, SourceRecord | None]]) -> dict[str, int]:
    """What BA_norm is made of: accepted positives of the positives, rejected negatives of the negatives."""
    right = [case.label for case, record in judged if record is not None and record.decision.verdict is case.label]
    labels = [case.label for case, _ in judged]
    return {
        "tp": right.count(Verdict.PASS),
        "pos": labels.count(Verdict.PASS),
        "tn": right.count(Verdict.FAIL),
        "neg": labels.count(Verdict.FAIL),
    }


def _flaw(subject: Subject, case: Case, record: SourceRecord | None) -> Flaw:
    if record is None:
        return _missing(subject, case)
    decision = record.decision
    if decision.verdict is None:
        reason, said = "no_decision", f"decides nothing ({decision.reason}: {decision.detail})"
    else:
        reason, said = "unexplained", f"says {decision.verdict}"
    says = (
        f"{case.id}: labelled {case.label}, the source's checker {said}, and no entry of its ledger holds of the case"
    )
    return Flaw(
        check=CHECK.name,
        reason=reason,
        task=case.task,
        case=case.id,
        says=says,
        evidence=_evidence(case, decision, record),
        reproduction=script(says, _data(subject, case, decision), _EXPLAIN),
    )


def _missing(subject: Subject, case: Case) -> Flaw:
    says = f"{case.id}: what the source's checker decides of this content is not recorded"
    wanted = [case.id, case.content_hash]
    records = [[record.case, record.case_hash] for record in subject.source_records]
    return Flaw(
        check=CHECK.name,
        reason="missing",
        task=case.task,
        case=case.id,
        says=says,
        evidence={"content_hash": case.content_hash, "records": len(records)},
        reproduction=script(says, {"wanted": wanted, "records": records}, _RECORDED),
    )


def _evidence(case: Case, decision: Decision, record: SourceRecord) -> dict[str, Any]:
    return {
        "label": case.label.value,
        "checker": None if decision.verdict is None else decision.verdict.value,
        "detail": decision.detail,
        "checker_version": record.checker_version,
        "operator": case.operator,
        "grounds": [{"clause": ground.clause, "note": ground.note} for ground in case.grounds],
        "content": case.content,
    }


def _data(subject: Subject, case: Case, decision: Decision) -> dict[str, Any]:
    parts = {"task": subject.task, "case": case, "decision": decision}
    return {name: msgspec.to_builtins(part) for name, part in parts.items()}


CHECK = Check(
    name="agreement",
    question="Is every disagreement between the source's own checker and the labels accounted for?",
    prose="""
Where a source brings its own checker, that checker has decided every case of the suite, after the labels were written
down. Agreement compares the two, and looks up every disagreement in the source's ledger of defects.

An entry of the ledger is not a list of cases to overlook. It is a predicate over the task, the case and the decision
("the value is right once the characters that the checker deletes are deleted from both"), and it has to hold of this
very case. The figures per source, how many decisions agree and the checker's own BA_norm, say how good a verifier the
checker would be.

A flaw means that the suite and an independent judge differ and nobody knows why. Read the case against the words its
grounds cite. If the label follows from them, find out what the checker does and write an entry that shows it; if not,
the label is wrong, whatever else agrees with it. Never change a label only because the checker says so.

Agreement cannot see what both get wrong in the same way, and it says nothing of a source without a checker.
""",
    reasons={
        "unexplained": "the checker's decision is not the label, and no entry of the ledger holds of the case",
        "no_decision": "the checker decided nothing, and no entry of the ledger holds of the case",
        "missing": "the source has a checker, and what it decides of this content is not recorded",
    },
    examine=_examine,
)
