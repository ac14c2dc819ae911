"""Why upstream's evaluator disagrees with a label: which of its blind spots the case lies in.

What a case breaks is named by its clauses, and the atoms of those clauses say what one has to look at to see it: the
state, what was said, or the way. Upstream is never asked, and nothing of it need be installed.
"""

from __future__ import annotations

from verifierbench.core import Case, Decision, Explanation, Task, Verdict, atoms

from .data import domain_of

STATE = frozenset({"all_changed_to", "changed_to", "unchanged", "record_added", "record_removed", "only_changed"})
"""Checks on the end state."""
FACTS = frozenset({"asserted", "told", "answer_tells", "answer_is", "result_told"})
"""Checks on what the customer is told."""


def explain(task: Task, case: Case, decision: Decision) -> Explanation | None:
    """The entry that explains a decision that is not the label; None where the two agree or no entry holds."""
    if decision.verdict is None or decision.verdict is case.label:
        return None
    domain = domain_of(task.id.partition("/")[2])
    if decision.verdict is Verdict.FAIL:
        return _rejected(domain, decision)
    broken = {ground.clause for ground in case.grounds}
    return _accepted(domain, frozenset(atom.check for atom in atoms(task.reference.root) if atom.clause in broken))


def _rejected(domain: str, decision: Decision) -> Explanation | None:
    if domain == "telecom" or "DB" not in decision.detail:
        return None
    return Explanation(defect="T3", what="the end state is right and is not gold's to the letter")


def _accepted(domain: str, seen_by: frozenset[str]) -> Explanation | None:
    if seen_by & STATE:
        what = "what it changes is in none of upstream's assertions"
        return Explanation(defect="T4", what=what) if domain == "telecom" else None
    if seen_by and seen_by <= FACTS:
        return Explanation(defect="T2", what="what the customer is told wrongly, or not at all, is not looked at")
    return Explanation(defect="T1", what="the end state is right, and the way to it is not looked at")
