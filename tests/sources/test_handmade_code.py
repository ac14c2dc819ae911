"""Handmade code tasks: the reference decides every case as labelled, and each part of the set does its work."""

import ast
import posixpath
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest

from verifierbench import audit
from verifierbench.core import DEVELOPMENT, All, CaseKind, Unavailable, Verdict, atoms, evaluate
from verifierbench.families.code import FAMILY
from verifierbench.families.code.content import touched
from verifierbench.families.view import view
from verifierbench.sources.handmade import code
from verifierbench.suite.validate import validate

CANDIDATES = {candidate.task.id: candidate for candidate in code.candidates(DEVELOPMENT)}
CASES = {case.id: (candidate.task, case) for candidate in CANDIDATES.values() for case in candidate.cases}
ATTACKS = [name for name, (_, case) in CASES.items() if case.kind.is_attack]
LADDER = Path(next(iter(audit.__path__))) / "ladder" / "code"


def on(tasks):
    return pytest.mark.parametrize("task", list(tasks))


@pytest.fixture(scope="module")
def views():
    """Every case as its reference sees it; executed once for the whole module."""

    def seen(name):
        task, case = CASES[name]
        return view(FAMILY, task.reference, case.content, code.environment(task).execute)

    try:
        with ThreadPoolExecutor(2) as pool:
            return dict(zip(CASES, pool.map(seen, CASES), strict=True))
    except Unavailable as missing:
        pytest.skip(str(missing))


def decided(task, seen, root=None):
    return evaluate(root or task.reference.root, seen, FAMILY.checks)


@on(CANDIDATES)
def test_the_task_is_well_formed(task):
    validate(CANDIDATES[task])


@on(CANDIDATES)
def test_every_kind_is_there_and_enough_is_right(task):
    cases = CANDIDATES[task].cases
    kinds = Counter(case.kind for case in cases)
    assert set(kinds) == set(CaseKind)
    assert kinds[CaseKind.GOLD] == 1
    assert len(cases) >= 22
    assert sum(case.label == Verdict.PASS for case in cases) >= 0.35 * len(cases)
    assert len({case.content_hash for case in cases}) == len(cases)


@on(CANDIDATES)
def test_solutions_fit_the_schema(task):
    for case in CANDIDATES[task].cases:
        jsonschema.validate(case.content, FAMILY.solution_schema)


@on(CANDIDATES)
def test_every_clause_is_violated_by_a_case_and_used_freely_by_another(task):
    candidate = CANDIDATES[task]
    for label in Verdict:
        cited = {ground.clause for case in candidate.cases if case.label == label for ground in case.grounds}
        assert cited == {clause.id for clause in candidate.task.clauses}


@on(CANDIDATES)
def test_every_attack_has_a_control_of_its_own(task):
    cases = {case.id: case for case in CANDIDATES[task].cases}
    controls = Counter(case.control_of for case in cases.values() if case.control_of)
    assert controls == Counter(case.id for case in cases.values() if case.kind.is_attack)
    assert all(case.label == Verdict.PASS for case in cases.values() if case.control_of)


def test_the_repositories_name_no_test_by_a_docstring():
    """`unittest -v` would then print two lines for it, and the reference would not find its outcome."""
    for candidate in CANDIDATES.values():
        for path, text in candidate.task.material("repository").content.items():
            if path.startswith("tests/test_"):
                tests = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
                assert not any(ast.get_docstring(test) for test in tests)


def test_what_the_issue_asks_for_never_enters_the_copy():
    """An expected value of a requirement of the issue stands nowhere a process in the copy could read it."""
    for candidate in CANDIDATES.values():
        written = "".join(candidate.task.reference.probes["copy"]["files"].values())
        for atom in atoms(candidate.task.reference.root):
            if atom.clause != "code.keep":
                texts = atom.parameters.get("expected", {}).values()
                assert not [text for text in texts if len(text) > 12 and text in written]


@pytest.mark.parametrize("name", list(CASES))
def test_the_reference_decides_as_labelled(views, name):
    task, case = CASES[name]
    finding = decided(task, views[name])
    assert ("PASS" if finding.ok else "FAIL") == case.label, [atom.name for atom in finding.failed]


@pytest.mark.parametrize("name", list(CASES))
def test_only_the_unappliable_patch_does_not_apply(views, name):
    _, case = CASES[name]
    assert views[name]["runs"]["copy"]["applied"] == (case.operator != "unappliable")


@on(CANDIDATES)
def test_dropping_any_atom_lets_a_case_through_that_cites_its_clause(views, task):
    candidate = CANDIDATES[task]
    root = candidate.task.reference.root
    for atom in atoms(root):
        rest = All(of=tuple(part for part in root.of if part != atom))
        freed = [
            case
            for case in candidate.cases
            if case.label == Verdict.FAIL and decided(candidate.task, views[case.id], rest).ok
        ]
        assert any(ground.clause == atom.clause for case in freed for ground in case.grounds), atom.name


@on(CANDIDATES)
def test_weakening_any_atom_lets_a_case_through_that_cites_its_clause(views, task):
    """No value, test or exit status is there for nothing: each is what some wrong patch fails by."""
    candidate = CANDIDATES[task]
    root = candidate.task.reference.root
    for atom in atoms(root):
        wrong = [case for case in candidate.cases if case.label == Verdict.FAIL and cites(case, atom.clause)]
        for weakening in FAMILY.weaken(atom):
            lax = All(of=tuple(weakening.node if part == atom else part for part in root.of))
            freed = [case.id for case in wrong if decided(candidate.task, views[case.id], lax).ok]
            assert freed, (atom.name, weakening.part)


def cites(case, clause):
    return any(ground.clause == clause for ground in case.grounds)


def test_executing_again_shows_the_same(views):
    for name in list(CASES)[::9]:
        task, case = CASES[name]
        assert view(FAMILY, task.reference, case.content, code.environment(task).execute) == views[name]


class Ladder:
    """Verifiers of the ladder on all cases of a task, executed only where asked."""

    def __init__(self, candidate):
        self.candidate = candidate
        self.gold = next(case.content for case in candidate.cases if case.kind == CaseKind.GOLD)
        environment = code.environment(candidate.task)
        self.env = SimpleNamespace(task=candidate.task.public, run=environment.execute)

    def verdicts(self, path):
        space = {"GOLD": self.gold}
        exec(compile(path.read_text(), path.name, "exec"), space)
        with ThreadPoolExecutor(2) as pool:
            given = pool.map(lambda case: space["verify"](case.content, self.env), self.candidate.cases)
            return dict(zip((case.id for case in self.candidate.cases), given, strict=True))

    def is_informative_without(self, verdicts, attack):
        """J > 0 on the other cases."""
        rates = []
        for label in Verdict:
            others = [case for case in self.candidate.cases if case.label == label and case.id != attack]
            told = [verdicts[case.id] == "PASS" for case in others]
            rates.append(sum(told) / len(told))
        return rates[0] > rates[1]


def test_the_ladder_has_rungs_on_both_sides():
    assert len(list((LADDER / "lax").glob("*.py"))) >= 6
    assert len(list((LADDER / "strict").glob("*.py"))) >= 6


@on(CANDIDATES)
def test_every_attack_is_accepted_by_an_informative_lax_verifier(views, task):
    ladder = Ladder(CANDIDATES[task])
    open_attacks = {name for name in ATTACKS if name in {case.id for case in ladder.candidate.cases}}
    # The cheap one first: the suite is only run for what it leaves over.
    for rung in ("source_changed", "suite_exits_zero"):
        if open_attacks:
            verdicts = ladder.verdicts(LADDER / "lax" / f"{rung}.py")
            taken = {name for name in open_attacks if verdicts[name] == "PASS"}
            open_attacks -= {name for name in taken if ladder.is_informative_without(verdicts, name)}
    assert not open_attacks


@on(CANDIDATES)
def test_enough_positives_defeat_a_strict_verifier(task):
    ladder = Ladder(CANDIDATES[task])
    verdicts = ladder.verdicts(LADDER / "strict" / "added_lines.py")
    assert verdicts[f"{task}#gold.0"] == "PASS"
    strong = [c for c in ladder.candidate.cases if c.label == Verdict.PASS and verdicts[c.id] == "FAIL"]
    assert len(strong) >= 5
    assert sum(case.kind == CaseKind.ALTERNATIVE for case in strong) >= 2


@pytest.mark.parametrize("path", sorted(LADDER.glob("*/*.py")), ids=lambda path: path.stem)
def test_every_rung_accepts_gold_and_answers_on_nothing(views, path):
    ladder = Ladder(CANDIDATES["handmade/slotbook"])
    space = {"GOLD": ladder.gold}
    exec(compile(path.read_text(), path.name, "exec"), space)
    assert space["verify"](ladder.gold, ladder.env) == "PASS"
    assert space["verify"]({"patch": ""}, ladder.env) in {"PASS", "FAIL"}


def test_a_process_violation_behaves_as_asked(views):
    """What is wrong with it is the way alone: the forbidden way's atom fails, no other."""
    for name, (task, case) in CASES.items():
        if case.kind == CaseKind.PROCESS_VIOLATION:
            failed = decided(task, views[name]).failed
            assert len(failed) == 1
            assert failed[0].clause == case.grounds[0].clause


def test_controls_touch_what_their_attacks_touch():
    for task, case in CASES.values():
        if case.control_of:
            attack = CASES[case.control_of][1]
            folders = [{posixpath.dirname(path) for path in touched(c.content["patch"])} for c in (case, attack)]
            assert folders[0] & folders[1], (task.id, case.operator)
