"""Why upstream's evaluation disagrees with a label: the entry of the ledger whose predicate holds of the case.

An entry says in which direction upstream errs and where it does not look, or which calls and spellings of a solution
mislead it. All of that is read from the case and the reference; upstream is never asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from verifierbench.core import Case, Decision, Explanation, Task, Verdict, atoms

from .curation import Defect, curation


def explain(task: Task, case: Case, decision: Decision) -> Explanation | None:
    """The first entry that explains a decision that is not the label; None where the two agree or none holds."""
    if decision.verdict is None or decision.verdict is case.label:
        return None
    wrongly = "accepts" if decision.verdict is Verdict.PASS else "rejects"
    known = (defect for defect in curation().defect if (defect.kind, defect.wrongly) == ("checker", wrongly))
    found = next((defect for defect in known if all(holds(defect, task, case) for holds in _PARTS.values())), None)
    return None if found is None else Explanation(defect=found.id, what=found.what)


def _on_task(defect: Defect, task: Task, case: Case) -> bool:  # noqa: ARG001
    scenario = task.id.partition("/")[2]
    return not defect.tasks or any(scenario == name or scenario.startswith(f"{name}_") for name in defect.tasks)


def _on_clause(defect: Defect, task: Task, case: Case) -> bool:
    enforced = {atom.clause for atom in atoms(task.reference.root) if atom.check in defect.checks}
    named = enforced | set(defect.clauses)
    return not (defect.clauses or defect.checks) or any(ground.clause in named for ground in case.grounds)


def _on_calls(defect: Defect, task: Task, case: Case) -> bool:  # noqa: ARG001
    called = {event["call"]["name"] for event in case.content["events"] if "call" in event}
    return not defect.calls or bool(called & set(defect.calls))


def _on_spelling(defect: Defect, task: Task, case: Case) -> bool:
    if not defect.respelled:
        return True
    said = "\n".join(event.get("message", "") for event in case.content["events"] if event["role"] == "assistant")
    facts = (atom.parameters["fact"][0] for atom in atoms(task.reference.root) if atom.check == "asserted")
    return any(fact not in said for fact in facts)


_PARTS: Mapping[str, Callable[[Defect, Task, Case], bool]] = {
    "tasks": _on_task,
    "clauses": _on_clause,
    "calls": _on_calls,
    "respelled": _on_spelling,
}
"""Every part of a predicate; an entry holds where all of them do."""
