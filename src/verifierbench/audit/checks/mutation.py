"""Mutation: a reference with one atom dropped or weakened decides some case differently, and for the right reason.

A case that turns because of a mutant has to cite the clause the mutated atom enforces: only then do the cases cover
the clause, and not something that happens to come with it. Mutants are decided on recorded views, so that a thousand of
them execute nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from verifierbench.core import Case, Finding, Verdict, canonical_hash, content_bytes

from ..edits import ABSENT, Edit
from ..equivalence import VIEWS, Contrast, Evidence, Views, equivalence, generator_power
from ..findings import Check, Examined, Flaw
from ..judges import TreeJudge
from ..reproduction import script
from ..subject import Mutant, Subject

CONFIGURATIONS, EQUIVALENT, POWER = 6.0, 0.05, 0.8
"""Mutants per task on average; the largest share of equivalent ones; the smallest power of a generator to rely on."""
_SAMPLE = 1
"""Killed mutants of each task on which the generator is measured."""
_SHOWN = 4_000
"""Bytes up to which a solution stands in the evidence itself."""

_BODY = """
from verifierbench.audit import judge_from


def decided(view):
    return ["PASS" if judge.decide(view).ok else "FAIL" for judge in (REFERENCE, MUTANT)]


def flawed():
    killed = False
    for case in DATA["cases"]:
        view = {"solution": case["solution"], "runs": {name: DATA["runs"][n] for name, n in case["runs"].items()}}
        reference, mutant = decided(view)
        if reference != mutant:
            print(case["id"], "reference:", reference, " mutant:", mutant, " cites the clause:", case["cites"])
            killed = killed or case["cites"]
    print(len(DATA["cases"]), "cases; one that cites the clause is decided differently:", killed)
    if DATA["view"] is not None:
        reference, mutant = decided(DATA["view"])
        print("a view that would show the difference:", DATA["edits"], " reference:", reference, " mutant:", mutant)
    return not killed


REFERENCE, MUTANT = judge_from(DATA["reference"]), judge_from(DATA["mutant"])
"""
_OPAQUE_BODY = """
from verifierbench.audit import judge_from


def flawed():
    mutants = [mutant.name for mutant in judge_from(DATA["judge"]).mutants()]
    print("parts that can be dropped or weakened:", mutants)
    return not mutants
"""
_COUNT_BODY = """
def flawed():
    share = DATA["count"] / DATA["of"]
    print(DATA["count"], "of", DATA["of"], "=", share, " limit:", DATA["limit"])
    return share > DATA["limit"] if DATA["at_most"] else share < DATA["limit"]
"""


class _Fate(msgspec.Struct, frozen=True):
    """What became of a mutant."""

    mutant: Mutant
    kind: Literal["killed", "elsewhere", "equivalent", "survived"]
    case: str = ""
    evidence: Evidence = Evidence(verdict="unknown")


def _examine(subject: Subject) -> Examined:
    mutants = tuple(subject.judge.mutants())
    if not mutants:
        return Examined(check=CHECK.name, task=subject.task.id, passed=0, flaws=(_opaque(subject),), facts=_facts(()))
    views = Views(subject)
    fates = tuple(_fates(subject, mutants, views))
    trees = isinstance(subject.judge, TreeJudge)  # only trees can be compared beyond the cases
    told = (fate.mutant for fate in fates if trees and fate.kind == "killed")
    killed = sorted(told, key=_drawn(subject))[:_SAMPLE]
    power = {"generator_sampled": len(killed), "generator_found": generator_power(subject, killed, views)}
    flaws = tuple(_flaw(subject, fate) for fate in fates if fate.kind in ("elsewhere", "survived"))
    passed = len(fates) - len(flaws)
    return Examined(
        check=CHECK.name, task=subject.task.id, passed=passed, flaws=flaws, facts={**_facts(fates), **power}
    )


def _drawn(subject: Subject) -> Any:
    """An order of mutants that is the same every time and has nothing to do with what they are."""
    return lambda mutant: canonical_hash(["power", subject.task.id, mutant.name])


def _facts(fates: Sequence[_Fate]) -> dict[str, int | float]:
    kinds = Counter(fate.kind for fate in fates)
    return {
        "mutants": len(fates),
        "killed": kinds["killed"],
        "equivalent": kinds["equivalent"],
        "survived": kinds["survived"] + kinds["elsewhere"],
        **Counter(f"operator:{fate.mutant.operator}" for fate in fates),
    }


# What became of each --------------------------------------------------------------------------------------------------


def _fates(subject: Subject, mutants: Sequence[Mutant], views: Views) -> Iterator[_Fate]:
    found = {case.id: subject.finding(case) for case in subject.cases}
    sound = [case for case in subject.cases if _as_labelled(case, found[case.id])]
    for mutant in mutants:
        yield _fate(subject, mutant, _ordered(sound, found, mutant), views)


def _as_labelled(case: Case, finding: Finding | None) -> bool:
    """A case that the reference itself gets wrong shows nothing about its parts; replay reports it."""
    return finding is not None and finding.ok is (case.label is Verdict.PASS)


def _ordered(cases: Sequence[Case], found: Mapping[str, Finding | None], mutant: Mutant) -> list[Case]:
    """The cases most likely to turn first: those that cite the clause, fail by this atom, and by little else."""

    def rank(case: Case) -> tuple[bool, bool, int]:
        finding = found[case.id]
        failed = [atom.name for atom in finding.failed] if finding else []
        return not _cites(case, mutant), mutant.atom not in failed, len(failed)

    return sorted(cases, key=rank)


def _fate(subject: Subject, mutant: Mutant, cases: Sequence[Case], views: Views) -> _Fate:
    differs = _differs(subject, mutant)
    turned = next((case for case in cases if differs(subject.views[case.id])), None)
    if turned is not None:
        return _Fate(mutant, "killed" if _cites(turned, mutant) else "elsewhere", turned.id)
    if not isinstance(subject.judge, TreeJudge):
        return _Fate(mutant, "survived")
    evidence = equivalence(subject, mutant, views)
    return _Fate(mutant, "equivalent" if evidence.verdict == "equivalent" else "survived", "", evidence)


def _differs(subject: Subject, mutant: Mutant) -> Callable[[Any], bool]:
    """Whether reference and mutant decide a view differently; a reference that is no tree decides it whole."""
    if isinstance(subject.judge, TreeJudge):
        return Contrast(subject.judge, mutant, subject.family.checks).differs
    return lambda view: subject.judge.decide(view).ok is not mutant.judge.decide(view).ok


def _cites(case: Case, mutant: Mutant) -> bool:
    return any(ground.clause == mutant.clause for ground in case.grounds)


# Flaws ----------------------------------------------------------------------------------------------------------------


def _flaw(subject: Subject, fate: _Fate) -> Flaw:
    mutant, difference = fate.mutant, fate.evidence.difference
    says = f"{subject.task.id}: {_says(subject, fate)}"
    return Flaw(
        check=CHECK.name,
        reason="killed_elsewhere" if fate.kind == "elsewhere" else "mutant_survived",
        task=subject.task.id,
        case=fate.case,
        place=mutant.name,
        says=says,
        evidence={
            "mutant": mutant.name,
            "operator": mutant.operator,
            "atom": mutant.atom,
            "clause": mutant.clause,
            "clause_text": _clause(subject, mutant.clause),
            "cases": len(subject.views),
            "views": fate.evidence.views,
            "parted": fate.evidence.parted,
            "distinguishing": None if difference is None else _shown(fate),
        },
        reproduction=_reproduction(subject, fate, says),
    )


def _says(subject: Subject, fate: _Fate) -> str:
    mutant, made = fate.mutant, fate.evidence.difference
    about = f"clause {mutant.clause!r} ({_clause(subject, mutant.clause)})"
    if fate.kind == "elsewhere":
        return f"the mutant {mutant.name!r} is decided differently on {fate.case}, which does not cite {about}"
    start = f"no case is decided differently by the mutant {mutant.name!r} of the atom for {about}"
    if made is None:
        return f"{start}, nor was a view found that would be; that they are equivalent is not shown either"
    changes = ", ".join(f"{edit['how']} {edit['at']}" for edit in _edits(made.edits))
    return f"{start}; the view of {made.base} would be, changed at: {changes}"


def _shown(fate: _Fate) -> dict[str, Any]:
    """The view that a new case could be made of, as far as it is short."""
    made = fate.evidence.difference
    assert made is not None
    solution = made.view["solution"]
    return {
        "from": made.base,
        "edits": _edits(made.edits),
        "solution": solution if len(content_bytes(solution)) <= _SHOWN else None,
        "runs_invented": any(edit.path[0] != "solution" for edit in made.edits),
    }


def _edits(edits: Sequence[Edit]) -> list[dict[str, Any]]:
    return [
        {
            "how": edit.how,
            "at": "/" + "/".join(map(str, edit.path)),
            **({} if edit.now is ABSENT else {"now": edit.now}),
        }
        for edit in edits
    ]


def _clause(subject: Subject, name: str) -> str:
    return next((clause.text for clause in subject.task.clauses if clause.id == name), "which the task does not have")


def _reproduction(subject: Subject, fate: _Fate, says: str) -> str:
    made = fate.evidence.difference
    runs: dict[str, int] = {}
    answers: list[Any] = []
    cases = []
    for case in subject.cases:
        if (view := subject.views.get(case.id)) is not None:
            indices = {name: _interned(answer, runs, answers) for name, answer in view["runs"].items()}
            cites = _cites(case, fate.mutant)
            cases.append({"id": case.id, "cites": cites, "solution": view["solution"], "runs": indices})
    data = {
        "reference": subject.judge.spec(None),
        "mutant": fate.mutant.judge.spec(None),
        "cases": cases,
        "runs": answers,
        "view": None if made is None else made.view,
        "edits": [] if made is None else _edits(made.edits),
    }
    return script(says, data, _BODY)


def _interned(answer: Any, known: dict[str, int], answers: list[Any]) -> int:
    """The place of an answer among those that stand in the file once, however many cases share it."""
    digest = canonical_hash(answer)
    if digest not in known:
        known[digest] = len(answers)
        answers.append(answer)
    return known[digest]


def _opaque(subject: Subject) -> Flaw:
    says = f"{subject.task.id}: its reference has no named parts, so nothing can be dropped or weakened"
    view = next(iter(subject.views.values()), None)
    reproduction = "" if view is None else script(says, {"judge": subject.judge.spec(view)}, _OPAQUE_BODY)
    return Flaw(check=CHECK.name, reason="opaque_reference", task=subject.task.id, says=says, reproduction=reproduction)


# All tasks together ---------------------------------------------------------------------------------------------------


def _overall(examined: Sequence[Examined]) -> tuple[Flaw, ...]:
    total = Counter[str]()
    for each in examined:
        total.update({name: int(number) for name, number in each.facts.items()})
    limits = (
        ("few_configurations", "mutants per task", total["mutants"], len(examined), CONFIGURATIONS, False),
        ("many_equivalent", "of all mutants are equivalent", total["equivalent"], total["mutants"], EQUIVALENT, True),
        *(_generator(total) if total["equivalent"] else ()),
    )
    return tuple(flaw for limit in limits for flaw in _exceeded(*limit))


def _generator(total: Mapping[str, int]) -> Iterator[tuple[str, str, int, int, float, bool]]:
    """Asked for only where equivalence may rest on what the generator did not find."""
    what = "of the sampled mutants that a case kills are told apart by generated views"
    yield "weak_generator", what, total["generator_found"], total["generator_sampled"], POWER, False


def _exceeded(reason: str, what: str, count: int, of: int, limit: float, at_most: bool) -> Iterator[Flaw]:
    share = count / of if of else limit
    if share > limit if at_most else share < limit:
        says = f"{share:.3g} ({count}/{of}) {what}; the limit is {'at most' if at_most else 'at least'} {limit:g}"
        data = {"count": count, "of": of, "limit": limit, "at_most": at_most}
        yield Flaw(
            check=CHECK.name,
            reason=reason,
            task="",
            says=says,
            evidence=data,
            reproduction=script(says, data, _COUNT_BODY),
        )


CHECK = Check(
    name="mutation",
    question="Does every named part of a reference decide some case, and a case about that part?",
    prose=f"""
A reference is a tree of named atoms, each for one clause of the task. Mutation drops one atom at a time, or makes it
less strict (a value of the right type instead of the right value, one test instead of all, a change without the user's
consent), and decides all cases again. At least one decision has to turn, on a case whose grounds cite the clause of
that atom. Nothing is executed for this: a mutant looks at what was recorded of each case.

A mutant that survives is a verifier that forgot something, and no case of the suite would tell. The flaw names the
atom, the clause and, where one was found, a view that would have shown the difference: make a case like it. What
runs returned in that view may be invented, so look first whether a solution can bring it about. `killed_elsewhere`
means that a case does turn, but one that is about something else: cite the clause in its grounds if it violates it,
else add a case that does.

Some mutants cannot be told apart by any case. That counts only with evidence: the trees show it (simplified they are
the same, or another atom beside it says as much), or at least {VIEWS:,} generated views are decided alike, among them
views on which the mutated part came apart and the rest of the tree decided. No more than {EQUIVALENT:.0%} of all
mutants may be of this kind, and a suite needs {CONFIGURATIONS:g} mutants per task on average for all this to say
anything.

That generated views found no difference is worth as much as their generator. So it is measured: on a sample of mutants
that some case does kill it starts from the views of valid cases alone, and `generator_found` of `generator_sampled`
says how many it tells apart; below {POWER:.0%} its word does not count.

Mutation cannot see a clause that has no atom, nor a fault that no weakening in the family's table describes.
""",
    reasons={
        "mutant_survived": "no case is decided differently by the mutant, and nothing shows that none could be",
        "killed_elsewhere": "only cases that do not cite the clause are decided differently by the mutant",
        "opaque_reference": "the reference has no named parts, so mutation cannot say what the cases cover",
        "few_configurations": "the suite has too few mutants per task for their fate to mean much",
        "many_equivalent": "too many mutants decide nothing differently whatever a solution does",
        "weak_generator": "mutants were called equivalent by generated views that tell too few known mutants apart",
    },
    examine=_examine,
    overall=_overall,
)
