"""Mutation: healthy tasks lose no atom unnoticed; what a suite forgot is named, with the view that would have told."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest

from verifierbench.audit import Examined, RecordedJudge, Subject, TreeJudge, judge_from
from verifierbench.audit.checks import check
from verifierbench.core import Case, CaseKind, Ground, Verdict, atoms

from .subjects import CALLS, DESK, PATCH, changed, flaws, nothing, reproduces, subject, told

KILN, GLASS = "handmade/kiln", "handmade/glasshouse"


@cache
def examined(name: str) -> Examined:
    return check("mutation").examine(subject(name))


def citing(of: Subject, clause: str) -> tuple[Case, ...]:
    return tuple(case for case in of.cases if any(ground.clause == clause for ground in case.grounds))


def without(of: Subject, *gone: Case) -> Subject:
    ids = {case.id for case in gone}
    kept = tuple(case for case in of.cases if case.id not in ids)
    return changed(of, cases=kept, views={case.id: of.views[case.id] for case in kept})


def violating(of: Subject, clause: str) -> tuple[Case, ...]:
    return tuple(case for case in citing(of, clause) if case.label is Verdict.FAIL)


# Healthy --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [CALLS, KILN, GLASS, DESK, PATCH])
def test_every_atom_of_a_healthy_task_is_missed_by_a_case_that_cites_its_clause(name: str) -> None:
    dropped = [flaw for flaw in examined(name).flaws if flaw.place.startswith("drop:")]
    assert dropped == []
    assert examined(name).facts["operator:drop"] == len(atoms(subject(name).task.reference.root))


def test_a_task_whose_cases_cover_every_mutant_has_no_flaw() -> None:
    """Where no call is due: the number of turns and of calls, each dropped and off by one."""
    assert examined(CALLS).flaws == ()
    assert examined(CALLS).passed == 4
    assert {name: count for name, count in examined(CALLS).facts.items() if name != "generator_found"} == {
        "mutants": 4,
        "killed": 4,
        "equivalent": 0,
        "survived": 0,
        "operator:drop": 2,
        "operator:loosen": 2,
        "generator_sampled": 1,
    }


@pytest.mark.parametrize("name", [KILN, DESK, PATCH])
def test_the_facts_add_up(name: str) -> None:
    facts = examined(name).facts
    assert facts["mutants"] == facts["killed"] + facts["equivalent"] + facts["survived"]
    assert facts["mutants"] == sum(count for fact, count in facts.items() if fact.startswith("operator:"))
    assert facts["survived"] == len(examined(name).flaws)
    assert examined(name).passed == facts["killed"] + facts["equivalent"]


def test_mutants_execute_nothing() -> None:
    assert check("mutation").examine(changed(subject(KILN), execute=nothing)) == examined(KILN)


# Weak suites ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "clause", "atom"),
    [
        (GLASS, "call1.opening", "call1.opening"),
        (GLASS, "turn", "turn"),
        (KILN, "order1", "order1"),
        (DESK, "private", "nothing private told"),
        (PATCH, "vectors", "vectors_untouched"),
        (PATCH, "noted", "change_is_noted"),
    ],
)
def test_without_the_cases_of_a_clause_its_atom_can_be_dropped_unseen(
    name: str, clause: str, atom: str, tmp_path: Path
) -> None:
    gone = violating(subject(name), clause)
    assert gone
    found = flaws("mutation", without(subject(name), *gone))
    (flaw,) = [flaw for flaw in found if flaw.place == f"drop:{atom}"]
    assert flaw.reason == "mutant_survived"
    assert clause in flaw.says
    assert flaw.evidence["clause"] == clause
    assert flaw.evidence["distinguishing"] is not None
    reproduces(flaw, tmp_path)


def test_the_distinguishing_view_is_decided_differently_by_the_two(tmp_path: Path) -> None:
    found = flaws("mutation", without(subject(GLASS), *violating(subject(GLASS), "call1.opening")))
    flaw = next(flaw for flaw in found if flaw.place == "drop:call1.opening")
    space: dict[str, object] = {}
    text = flaw.reproduction.partition("stands = flawed()")[0]
    exec(compile(text, "reproduction.py", "exec"), space)
    data = space["DATA"]
    assert isinstance(data, dict)
    assert not judge_from(data["reference"]).decide(data["view"]).ok
    assert judge_from(data["mutant"]).decide(data["view"]).ok
    assert data["view"]["solution"] == flaw.evidence["distinguishing"]["solution"]


def test_a_reproduction_turns_once_its_data_has_a_case_that_tells() -> None:
    """What a maintainer does: put the distinguishing view among the cases, and run the file again."""
    found = flaws("mutation", without(subject(GLASS), *violating(subject(GLASS), "call1.opening")))
    flaw = next(flaw for flaw in found if flaw.place == "drop:call1.opening")
    text, _, _ = flaw.reproduction.partition("stands = flawed()")
    added = 'DATA["cases"].append({"id": "new", "cites": True, "solution": DATA["view"]["solution"], "runs": {}})\n'
    space: dict[str, object] = {}
    exec(compile(text + added, "reproduction.py", "exec"), space)
    flawed = space["flawed"]
    assert callable(flawed)
    assert flawed() is False


def test_a_case_that_turns_and_cites_another_clause_is_no_kill(tmp_path: Path) -> None:
    healthy = subject(KILN)
    moved = tuple(
        msgspec.structs.replace(case, grounds=(Ground(clause="calls", note="moved"),))
        if case in violating(healthy, "order1")
        else case
        for case in healthy.cases
    )
    found = flaws("mutation", changed(healthy, cases=moved))
    (flaw,) = [flaw for flaw in found if flaw.place == "drop:order1"]
    assert flaw.reason == "killed_elsewhere"
    assert flaw.case == violating(healthy, "order1")[0].id
    reproduces(flaw, tmp_path)


def test_a_case_the_reference_itself_gets_wrong_kills_nothing() -> None:
    """Labelled valid and refused by the reference: that it turns says nothing about the atom."""
    healthy = subject(KILN)
    spoilt = tuple(
        msgspec.structs.replace(case, kind=CaseKind.COSMETIC) if case in violating(healthy, "order1") else case
        for case in healthy.cases
    )
    found = flaws("mutation", changed(healthy, cases=spoilt))
    assert ("mutant_survived", "", "drop:order1") in told(found)


def test_a_case_without_evidence_kills_nothing() -> None:
    healthy = subject(KILN)
    lost = {case.id for case in violating(healthy, "order1")}
    views = {name: seen for name, seen in healthy.views.items() if name not in lost}
    assert ("mutant_survived", "", "drop:order1") in told(flaws("mutation", changed(healthy, views=views)))


def test_a_mutant_that_no_view_could_tell_is_no_flaw() -> None:
    """The same atom twice: dropping either changes nothing, which the trees show."""
    healthy = subject(CALLS)
    root = healthy.task.reference.root
    calls = next(atom for atom in atoms(root) if atom.name == "calls")
    twice = type(root)(of=(*root.of, msgspec.structs.replace(calls, name="calls again")))  # type: ignore[union-attr]
    found = check("mutation").examine(changed(healthy, judge=TreeJudge(twice, healthy.family, "1")))
    assert found.flaws == ()
    assert (found.facts["equivalent"], found.facts["killed"]) == (4, 2)


# Judges without parts, and all tasks together -------------------------------------------------------------------------


def test_a_reference_without_parts_is_opaque(tmp_path: Path) -> None:
    healthy = subject(CALLS)
    recorded = RecordedJudge({case.content_hash: case.label for case in healthy.cases}, "1")
    (flaw,) = flaws("mutation", changed(healthy, judge=recorded))
    assert flaw.reason == "opaque_reference"
    reproduces(flaw, tmp_path)


def counted(**facts: int) -> Examined:
    whole = {"mutants": 10, "killed": 10, "equivalent": 0, "survived": 0, "generator_sampled": 1, "generator_found": 1}
    return Examined(check="mutation", task="t", passed=0, facts=whole | facts)


@pytest.mark.parametrize(
    ("seen", "reasons"),
    [
        ([counted(), counted(mutants=2)], []),
        ([counted(), counted(mutants=1)], ["few_configurations"]),
        ([counted(mutants=20, equivalent=1)], []),
        ([counted(mutants=20, equivalent=2)], ["many_equivalent"]),
        ([counted(mutants=100, equivalent=1, generator_found=0)], ["weak_generator"]),
        ([counted(mutants=100, equivalent=0, generator_found=0)], []),
        ([], []),
    ],
)
def test_what_must_hold_of_all_tasks_together(seen: list[Examined], reasons: list[str], tmp_path: Path) -> None:
    """Limits: 6 mutants per task ((10 + 2) / 2 = 6 is enough), 5 % equivalent (1 / 20 is enough), power 80 %."""
    overall = check("mutation").overall
    assert overall is not None
    found = overall(seen)
    assert [flaw.reason for flaw in found] == reasons
    for flaw in found:
        reproduces(flaw, tmp_path)


def test_the_prose_names_the_limits_and_the_power_of_the_generator() -> None:
    prose = check("mutation").prose
    assert all(said in prose for said in ("1,000 generated views", "5%", "6 mutants per task", "generator_found"))
