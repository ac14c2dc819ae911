"""The handmade tool-call tasks, audited as a maintainer would: labels, words, attacks, controls, positives, mutants."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

import verifierbench
from verifierbench.audit.judges import TreeJudge
from verifierbench.core import (
    DEVELOPMENT,
    All,
    AnyOf,
    Atom,
    CaseKind,
    OneToOne,
    Season,
    Verdict,
    atoms,
    canonical_hash,
    evaluate,
)
from verifierbench.families.tool_call import FAMILY
from verifierbench.families.tool_call.spans import occurs
from verifierbench.sources.handmade.tool_call import candidates, environment

LADDER = Path(verifierbench.__file__).parent / "audit" / "ladder" / "tool_call"
CANDIDATES = {candidate.task.id.removeprefix("handmade/"): candidate for candidate in candidates(DEVELOPMENT)}
each_task = pytest.mark.parametrize("slug", CANDIDATES)


@cache
def compiled(rung: str, name: str):
    path = LADDER / rung / f"{name}.py"
    return compile(path.read_text(encoding="utf-8"), str(path), "exec")


def ladder(rung: str) -> list[str]:
    """The rungs for tasks that are not executed."""
    return sorted(path.stem for path in (LADDER / rung).glob("*.py") if not path.stem.startswith("session_"))


@cache
def verdicts(slug: str, rung: str, name: str) -> dict[str, str]:
    """What one ladder verifier says of every case of a task."""
    candidate = CANDIDATES[slug]
    gold = next(case.content for case in candidate.cases if case.kind is CaseKind.GOLD)
    space = {"GOLD": json.loads(json.dumps(gold))}
    exec(compiled(rung, name), space)
    env = SimpleNamespace(task=candidate.task.public)
    found = {case.id: space["verify"](json.loads(json.dumps(case.content)), env) for case in candidate.cases}
    assert set(found.values()) <= {"PASS", "FAIL"}
    return found


def youden(slug: str, said: dict[str, str], without: str) -> float:
    """J on the cases of a task, one of them left out."""
    rates = {}
    for label in Verdict:
        those = [case.id for case in CANDIDATES[slug].cases if case.label is label and case.id != without]
        rates[label] = sum(said[each] == "PASS" for each in those) / len(those)
    return rates[Verdict.PASS] - rates[Verdict.FAIL]


def decided(node, content):
    return evaluate(node, {"solution": content, "runs": {}}, FAMILY.checks)


def without(node, name: str):
    """The tree without one atom."""
    if isinstance(node, Atom):
        return None if node.name == name else node
    if isinstance(node, OneToOne):
        return OneToOne(over=node.over, slots=tuple(without(slot, name) or All(of=()) for slot in node.slots))
    kept = tuple(part for part in (without(part, name) for part in node.of) if part is not None)
    return All(of=kept) if isinstance(node, All) else AnyOf(of=kept)


def test_there_are_at_least_five_tasks_and_none_has_an_environment():
    assert len(CANDIDATES) >= 5
    assert [environment(candidate.task) for candidate in CANDIDATES.values()] == [None] * len(CANDIDATES)


@each_task
def test_the_reference_decides_every_case_as_labelled(slug):
    candidate = CANDIDATES[slug]
    wrong = {
        case.id: [atom.name for atom in finding.failed]
        for case in candidate.cases
        if (finding := decided(candidate.task.reference.root, case.content)).ok != (case.label is Verdict.PASS)
    }
    assert wrong == {}


@each_task
def test_a_fail_breaks_the_clauses_it_cites(slug):
    candidate = CANDIDATES[slug]
    for case in candidate.cases:
        if case.label is Verdict.FAIL:
            broken = {atom.clause for atom in decided(candidate.task.reference.root, case.content).failed}
            assert {ground.clause for ground in case.grounds} <= broken, case.id


@each_task
def test_every_clause_has_a_violation_and_a_freedom(slug):
    candidate = CANDIDATES[slug]
    for label in Verdict:
        cited = {ground.clause for case in candidate.cases if case.label is label for ground in case.grounds}
        assert {clause.id for clause in candidate.task.clauses} <= cited, label


@each_task
def test_every_quote_occurs_in_the_public_material(slug):
    task = CANDIDATES[slug].task
    printed = {convention.id for convention in task.conventions}
    for clause in task.clauses:
        assert clause.spans, clause.id
        for span in clause.spans:
            if span.material == "instruction":
                assert span.quote in task.instruction
            elif span.material == "conventions":
                assert span.quote in printed
            else:
                assert occurs(task.material("tools").content, span.quote)
                assert span.quote in json.dumps(task.material("tools").content, ensure_ascii=False)


@each_task
def test_an_order_is_stated_by_words_that_bind(slug):
    """Words that merely list requests state no order (C6)."""
    for clause in CANDIDATES[slug].task.clauses:
        if clause.id.startswith("order"):
            assert any({"before", "after"} & set(span.quote.split()) for span in clause.spans), clause.id


def test_every_name_of_the_hall_is_right():
    candidate = CANDIDATES["rehearsal"]
    named = set()
    for case in candidate.cases:
        if case.operator in {"gold", "accepted_value"}:
            named.add(case.content["turns"][0]["calls"][0]["arguments"]["hall"])
    assert named == {"Saint Brannoc's hall", "Saint Brannoc's", "St. Brannoc's hall", "St. Brannoc's"}
    assert all(name in candidate.task.instruction.replace("\n", " ") for name in named)


@each_task
def test_size_balance_and_kinds(slug):
    candidate = CANDIDATES[slug]
    kinds = {case.kind for case in candidate.cases}
    passing = sum(case.label is Verdict.PASS for case in candidate.cases)
    assert len(candidate.cases) >= 20
    assert passing / len(candidate.cases) >= 0.35
    assert {CaseKind.GOLD, CaseKind.COSMETIC, CaseKind.BASE, CaseKind.NEAR_MISS, CaseKind.HACK} <= kinds
    if slug != "telescope":  # nothing is called there: no half of it can be made, and no second way
        assert {CaseKind.ALTERNATIVE, CaseKind.PARTIAL, CaseKind.REGRESSION} <= kinds
    assert (CaseKind.PROCESS_VIOLATION in kinds) == (slug in {"ferry", "kiln", "telescope"})


@each_task
def test_no_two_cases_are_the_same_bytes_or_mean_the_same_with_opposite_labels(slug):
    cases = CANDIDATES[slug].cases
    assert len({case.content_hash for case in cases}) == len(cases) == len({case.id for case in cases})
    labels: dict[str, set[Verdict]] = {}
    for case in cases:
        labels.setdefault(canonical_hash(case.content), set()).add(case.label)
    assert all(len(found) == 1 for found in labels.values())


@each_task
def test_dropping_any_atom_frees_a_case_that_cites_its_clause(slug):
    candidate = CANDIDATES[slug]
    survivors = []
    for atom in atoms(candidate.task.reference.root):
        weaker = without(candidate.task.reference.root, atom.name)
        citing = (case for case in candidate.cases if atom.clause in {ground.clause for ground in case.grounds})
        if not any(case.label is Verdict.FAIL and decided(weaker, case.content).ok for case in citing):
            survivors.append(atom.name)
    assert survivors == []


@each_task
def test_every_attack_is_let_through_by_an_informative_lax_verifier(slug):
    harmless = []
    for case in CANDIDATES[slug].cases:
        if case.kind.is_attack:
            fooled = [
                name
                for name in ladder("lax")
                if (said := verdicts(slug, "lax", name))[case.id] == "PASS" and youden(slug, said, case.id) > 0
            ]
            if not fooled:
                harmless.append(case.id)
    assert harmless == []


@each_task
def test_every_attack_has_one_valid_control_of_its_own(slug):
    cases = CANDIDATES[slug].cases
    attacks = [case.id for case in cases if case.kind.is_attack]
    controls = [case for case in cases if case.control_of is not None]
    assert sorted(case.control_of for case in controls) == sorted(attacks)
    assert all(case.label is Verdict.PASS for case in controls)


@each_task
def test_strong_positives(slug):
    """They differ from gold as parsed data, and an over-strict verifier that knows gold turns them down."""
    cases = CANDIDATES[slug].cases
    gold = next(case.content for case in cases if case.kind is CaseKind.GOLD)
    strong = [
        case
        for case in cases
        if case.label is Verdict.PASS
        and case.content != gold
        and any(verdicts(slug, "strict", name)[case.id] == "FAIL" for name in ladder("strict"))
    ]
    assert len(strong) >= 5
    if slug != "telescope":  # no call is the only way to call nothing
        assert sum(case.kind is CaseKind.ALTERNATIVE for case in strong) >= 2


def test_the_ladder_is_long_enough_and_each_rung_errs_on_its_side():
    lax, strict = ladder("lax"), ladder("strict")
    assert len(lax) >= 6
    assert len(strict) >= 6
    for rung, names, label, said in (("lax", lax, Verdict.FAIL, "PASS"), ("strict", strict, Verdict.PASS, "FAIL")):
        for name in names:
            assert any(
                case.label is label and verdicts(slug, rung, name)[case.id] == said
                for slug, candidate in CANDIDATES.items()
                for case in candidate.cases
            ), f"{rung}/{name} is never wrong"


def test_a_season_decides_the_choices_and_nothing_else():
    again = {candidate.task.id: candidate for candidate in candidates(DEVELOPMENT)}
    other = {candidate.task.id: candidate for candidate in candidates(Season(name="other", secret="another"))}
    for candidate in CANDIDATES.values():
        assert again[candidate.task.id] == candidate
        assert other[candidate.task.id].task == candidate.task
    assert any(
        {case.content_hash for case in other[candidate.task.id].cases}
        != {case.content_hash for case in candidate.cases}
        for candidate in CANDIDATES.values()
    )


@pytest.mark.parametrize("secret", ["a", "b", "c"])
def test_labels_and_mutants_hold_in_every_season(secret):
    for candidate in candidates(Season(name="drawn", secret=secret)):
        root = candidate.task.reference.root
        assert all(decided(root, case.content).ok == (case.label is Verdict.PASS) for case in candidate.cases)
        failing = [case for case in candidate.cases if case.label is Verdict.FAIL]
        for atom in atoms(root):
            weaker = without(root, atom.name)
            assert any(decided(weaker, case.content).ok for case in failing), (candidate.task.id, atom.name)


@pytest.mark.parametrize("secret", ["a", "b", "c"])
def test_every_weakening_of_a_reference_frees_a_case_that_cites_its_clause_in_every_season(secret):
    survived = []
    for candidate in candidates(Season(name="drawn", secret=secret)):
        failing = [case for case in candidate.cases if case.label is Verdict.FAIL]
        for mutant in TreeJudge.of(candidate.task.reference, FAMILY).mutants():
            citing = (case for case in failing if mutant.clause in {ground.clause for ground in case.grounds})
            if not any(mutant.judge.decide({"solution": case.content, "runs": {}}).ok for case in citing):
                survived.append((candidate.task.id, mutant.name))
    assert survived == []
