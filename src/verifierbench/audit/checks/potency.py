"""Potency: the cases bite, on both sides.

An attack that no careless verifier falls for inflates every score, and so does a positive that even the strictest
verifier accepts. What "careless" and "too strict" mean is not left to taste: the ladder holds such verifiers, frozen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from verifierbench.core import Case, CaseKind, EnvironmentRefusal, Task, Verdict, atoms
from verifierbench.families import family
from verifierbench.sources import environment_for, source_names

from ..climbing import Climb, Opinion
from ..findings import Check, Examined, Flaw
from ..judges import TreeJudge
from ..ladder import Rung, Side, ladder
from ..reproduction import script
from ..subject import Subject

POSITIVES = 5
"""Positives a task needs that differ from gold as parsed data and defeat an over-strict rung."""
ALTERNATIVES = 2
"""Alternatives among them, where the task admits any."""
THIN = 0.1
"""J below which a rung that falls for an attack is hardly informative; counted, and no flaw."""

_BODY = """
from verifierbench.audit.checks.potency import again


def flawed():
    seen = again(DATA)
    print("facts:", seen.facts)
    found = [flaw for flaw in seen.flaws if [flaw.reason, flaw.case] == DATA["flaw"]]
    print("\\n".join(flaw.says for flaw in found))
    return bool(found)
"""


class _Fooled(NamedTuple):
    """A lax rung that accepts an attack, and the least J it is known to have on the other cases."""

    rung: Rung
    margin: float


class _Seen(NamedTuple):
    """What is found out about one attack."""

    attack: Case
    fooled: tuple[_Fooled, ...]
    controls: tuple[Case, ...]
    touches: bool
    """Whether a rung that falls for the attack accepts a control of it too."""


def _examine(subject: Subject) -> Examined:
    climb = Climb(subject)
    if climb.gold is None:
        flaw = _flaw(subject, "no_gold", f"{subject.task.id}: without a gold solution no rung can be climbed", {})
        return Examined(check=CHECK.name, task=subject.task.id, passed=0, flaws=(flaw,))
    attacks = [_look_at(climb, case) for case in subject.cases if case.kind.is_attack]
    counted = _counted(climb)
    flaws = [*(flaw for seen in attacks for flaw in _attack_flaws(subject, seen)), *_shortages(subject, counted)]
    asserted = 3 * len(attacks) + 1 + (not admits_no_call(subject.task))
    return Examined(
        check=CHECK.name,
        task=subject.task.id,
        passed=asserted - _hidden(attacks) - len(flaws),
        flaws=tuple(flaws),
        facts=_facts(subject, attacks, counted) | {"asked": climb.asked},
    )


def admits_no_call(task: Task) -> bool:
    """Whether the reference counts calls and everywhere allows none, so that there is no other way to do it."""
    counts = [atom.parameters["count"] for atom in atoms(task.reference.root) if atom.check == "call_count"]
    return bool(counts) and not any(counts)


# Attacks ------------------------------------------------------------------------------------------------------------


def _look_at(climb: Climb, attack: Case) -> _Seen:
    controls = tuple(
        case for case in climb.subject.cases if case.control_of == attack.id and case.label is Verdict.PASS
    )
    fooled = _fooled(climb, attack)
    if fooled and controls and not _touches(climb, fooled, controls):
        fooled = (*fooled, *_also(climb, attack, controls))
    return _Seen(attack, fooled, controls, _touches(climb, fooled, controls))


def _fooled(climb: Climb, attack: Case) -> tuple[_Fooled, ...]:
    """Every informative lax rung that is seen to fall for the attack; only where none is, executions are made."""
    lax = climb.side(Side.LAX)
    taken = [rung for rung in lax if climb.peek(rung, attack) is Opinion.ACCEPTS]
    found = tuple(_Fooled(rung, low) for rung in taken if (low := climb.bounds(rung, attack).low) > 0)
    return found or _proven(climb, attack, [rung for rung in lax if climb.ask(rung, attack) is Opinion.ACCEPTS])


def _also(climb: Climb, attack: Case, controls: Sequence[Case]) -> tuple[_Fooled, ...]:
    """An informative lax rung that accepts both the attack and a control, whatever has to be executed to see it."""
    both = [
        rung
        for rung in climb.side(Side.LAX)
        if climb.ask(rung, attack) is Opinion.ACCEPTS and _accepts_one(climb, rung, controls)
    ]
    return _proven(climb, attack, both)


def _proven(climb: Climb, attack: Case, rungs: Sequence[Rung]) -> tuple[_Fooled, ...]:
    proof = climb.prove(rungs, attack)
    return () if proof is None else (_Fooled(proof[0], proof[1].low),)


def _touches(climb: Climb, fooled: Sequence[_Fooled], controls: Sequence[Case]) -> bool:
    return any(_accepts_one(climb, each.rung, controls) for each in fooled)


def _accepts_one(climb: Climb, rung: Rung, cases: Sequence[Case]) -> bool:
    return any(climb.ask(rung, case) is Opinion.ACCEPTS for case in cases)


def _attack_flaws(subject: Subject, seen: _Seen) -> list[Flaw]:
    attack, found = seen.attack, []
    if not seen.fooled:
        says = f"{attack.id}: no lax rung with J > 0 on the task's other cases accepts this attack"
        found.append(_flaw(subject, "toothless_attack", says, {"operator": attack.operator}, attack))
    if not seen.controls:
        says = f"{attack.id}: no valid case is named as the control of this attack"
        found.append(_flaw(subject, "no_control", says, {"operator": attack.operator}, attack))
    elif seen.fooled and not seen.touches:
        names = [each.rung.name for each in seen.fooled]
        says = f"{attack.id}: its control is rejected by every rung that falls for it ({', '.join(names)})"
        evidence = {"rungs": names, "controls": [case.id for case in seen.controls]}
        found.append(_flaw(subject, "control_elsewhere", says, evidence, attack))
    return found


def _hidden(attacks: Sequence[_Seen]) -> int:
    """Assertions about controls that cannot be made: there is no control, or no rung to show it to."""
    return sum(not (seen.controls and seen.fooled) for seen in attacks)


# Positives ----------------------------------------------------------------------------------------------------------


def _counted(climb: Climb) -> tuple[Case, ...]:
    """The positives that count; executions are made only while there are too few, and no longer."""
    gold = climb.gold
    assert gold is not None
    positives = [case for case in climb.subject.cases if case.label is Verdict.PASS and case.content != gold.content]
    strict = climb.side(Side.STRICT)
    free = [rung for rung in strict if climb.peek(rung, gold) is Opinion.ACCEPTS]
    counted = [case for case in positives if any(climb.peek(rung, case) is Opinion.REJECTS for rung in free)]
    for case in positives:
        if not _short_of(climb.subject.task, counted):
            break
        if case not in counted and any(_turned_down(climb, rung, gold, case) for rung in strict):
            counted.append(case)
    return tuple(counted)


def _turned_down(climb: Climb, rung: Rung, gold: Case, case: Case) -> bool:
    return climb.ask(rung, gold) is Opinion.ACCEPTS and climb.ask(rung, case) is Opinion.REJECTS


def _short_of(task: Task, counted: Sequence[Case]) -> dict[str, tuple[int, int]]:
    """Reason → (counted, needed), where there are too few."""
    alternatives = sum(case.kind is CaseKind.ALTERNATIVE for case in counted)
    needed = 0 if admits_no_call(task) else ALTERNATIVES
    there = {"few_strong_positives": (len(counted), POSITIVES), "few_alternatives": (alternatives, needed)}
    return {reason: figures for reason, figures in there.items() if figures[0] < figures[1]}


def _shortages(subject: Subject, counted: Sequence[Case]) -> list[Flaw]:
    what = {"few_strong_positives": "positives", "few_alternatives": "alternatives"}
    evidence = {"counted": [case.id for case in counted]}
    return [
        _flaw(
            subject,
            reason,
            f"{subject.task.id}: {seen} {what[reason]} differ from gold and defeat an over-strict rung, "
            f"and {needed} are needed",
            evidence | {"needed": needed},
        )
        for reason, (seen, needed) in _short_of(subject.task, counted).items()
    ]


# The report ---------------------------------------------------------------------------------------------------------


def _facts(subject: Subject, attacks: Sequence[_Seen], counted: Sequence[Case]) -> dict[str, int | float]:
    margins = [max(each.margin for each in seen.fooled) for seen in attacks if seen.fooled]
    return {
        "attacks": len(attacks),
        "potent": len(margins),
        "margin": sum(margins),
        "thin": sum(margin < THIN for margin in margins),
        "controlled": sum(bool(seen.controls) for seen in attacks),
        "touching": sum(seen.touches for seen in attacks),
        "positives": sum(case.label is Verdict.PASS for case in subject.cases),
        "counted": len(counted),
        "alternatives": sum(case.kind is CaseKind.ALTERNATIVE for case in counted),
    }


def _flaw(subject: Subject, reason: str, says: str, evidence: Mapping[str, Any], attack: Case | None = None) -> Flaw:
    case = "" if attack is None else attack.id
    data = {
        "flaw": [reason, case],
        "task": msgspec.to_builtins(subject.task),
        "cases": [msgspec.to_builtins(each) for each in subject.cases],
        # The package's own ladder is not copied, so that the script turns when a rung is added.
        "rungs": [] if subject.ladder == ladder(subject.task.family) else msgspec.to_builtins(subject.ladder),
        # A brought task has no environment but what it recorded.
        "views": {} if subject.task.source in source_names() else dict(subject.views),
    }
    return Flaw(
        check=CHECK.name,
        reason=reason,
        task=subject.task.id,
        case=case,
        says=says,
        evidence=dict(evidence),
        reproduction=script(says, data, _BODY),
    )


def again(data: Mapping[str, Any]) -> Examined:
    """Examine a task again, from a reproduction's data: what a rung asks for is executed, where there is a source."""
    task, cases = msgspec.convert(data["task"], Task), msgspec.convert(data["cases"], tuple[Case, ...])
    definition = family(task.family)
    environment = environment_for(task) if task.source in source_names() else None
    subject = Subject(
        task=task,
        cases=cases,
        family=definition,
        judge=TreeJudge.of(task.reference, definition),
        views=data["views"],
        ladder=msgspec.convert(data["rungs"], tuple[Rung, ...]) or ladder(task.family),
        execute=_unrecorded if environment is None else environment.execute,
    )
    try:
        return _examine(subject)
    finally:
        if environment is not None:
            environment.close()


def _unrecorded(_request: Any) -> Any:
    raise EnvironmentRefusal("nothing is recorded for this request")


CHECK = Check(
    name="potency",
    question="Does every attack fool a careless verifier, and do enough valid cases defeat one that is too strict?",
    prose=f"""
The ladder is a set of plain verifiers with a known fault. The lax ones accept too much (only the names of tools, only
an exit status, a message that claims success); the over-strict ones reject too much (whatever is not gold letter by
letter). They were written once and are run here on every case of the task.

An attack counts only if a lax rung accepts it that is informative: on the task's other cases, all but this one, its J
(true positive rate + true negative rate - 1) is above 0, so that it is no verifier that accepts everything. An attack
also needs a matched control: a valid case that touches the same surface without the exploit, so that rejecting the
surface costs something. A control that every rung fooled by the attack rejects does not touch what fools them.

A valid case counts if it differs from gold as parsed data and an over-strict rung that accepts gold rejects it. A task
needs {POSITIVES} of them, and {ALTERNATIVES} that are alternatives, not other wordings. Where the reference admits no
call at all there is only one way to do it, so no alternatives are asked for; the first number stays, since what is said
beside the silence is free.

A flaw means that the suite measures less than it seems to: mend or drop the case, or add one. It can also mean that the
ladder lacks the careless verifier this attack is meant for. Then add a rung, and say which fault it stands for.

Potency cannot see whether a rung resembles what agents write, and a J barely above 0 is thin evidence: the facts count
the attacks whose best rung stays below {THIN}. Where a rung asks for executions nobody has made, they are made only
until J is seen to be positive, so a margin is a lower bound.
""",
    reasons={
        "toothless_attack": "no lax rung with J > 0 on the task's other cases accepts the attack",
        "no_control": "no valid case is named as the attack's control",
        "control_elsewhere": "every rung that falls for the attack rejects its control",
        "few_strong_positives": "too few valid cases differ from gold and defeat an over-strict rung",
        "few_alternatives": "too few of the counted valid cases are alternatives",
        "no_gold": "the task has no gold solution, and the ladder compares with it",
    },
    examine=_examine,
)
